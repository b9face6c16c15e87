internal import OrderedJSON
internal import PageModel

// Text between the process that reads it and the run.

extension TextLine {
    var asJSON: JSON {
        let words = words.map { word -> JSON in
            let area = word.area
            return [
                .string(word.text), .number(area.left), .number(area.top), .number(area.right), .number(area.bottom),
            ]
        }
        return ["words": JSON(words), "direction": .string(direction.rawValue), "turns": .integer(turns)]
    }

    init?(_ json: JSON) {
        guard let direction = json["direction"]?.asString.flatMap(Direction.init), let turns = json["turns"]?.asInteger,
            (0...3).contains(turns), let list = json["words"]?.elements
        else { return nil }
        var words: [TextWord] = []
        for word in list {
            let parts = word.elements ?? []
            let sides = parts.dropFirst().compactMap(\.asNumber)
            guard let text = parts.first?.asString, sides.count == 4 else { return nil }
            words.append(
                TextWord(text, PageArea(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])))
        }
        self.init(words, direction: direction, turns: turns)
    }
}
