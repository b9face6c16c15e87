internal import PageModel

/// A layout that combines the characters found by poppler to lines of words.
///
/// Poppler does not return the direction of a line: it follows from the places of its characters, and from its script. A line
/// that runs down is vertical writing if most of its characters are upright, like Chinese and Japanese ones. Otherwise it is a
/// line of a page that is put sideways.
struct TextLayout {
    /// A character, and its place in points from the top left corner of the page; y goes down. White space ends a word, a line
    /// feed a line.
    struct Character {
        let scalar: Unicode.Scalar
        let box: PageArea
    }

    let lines: [TextLine]

    /// - Parameters:
    ///   - width: the width of the page, in points.
    ///   - height: the height of the page, in points.
    init(_ characters: [Character], width: Double, height: Double) {
        let lines = characters.split { $0.scalar == "\n" }.map { Line($0) }.filter { !$0.isEmpty }
        var advance = Advance.right
        var result: [TextLine] = []
        for line in lines {
            // A line of one character has the direction of the line before it.
            advance = line.advance ?? advance
            result.append(line.finished(advance, width: width, height: height))
        }
        self.lines = result.filter { !$0.words.isEmpty }
    }

    /// The direction to the next character; the raw value is the clockwise quarter turns from the usual direction.
    private enum Advance: Int, CaseIterable {
        case right, down, left, up

        /// Creates the direction of a move between two points; nil if they are equal.
        init?(from one: PagePoint, to other: PagePoint) {
            let (across, down) = (other.across - one.across, other.down - one.down)
            if across == 0 && down == 0 { return nil }
            self = abs(across) >= abs(down) ? across > 0 ? .right : .left : down > 0 ? .down : .up
        }

        /// A step of length 1.
        var step: (across: Double, down: Double) {
            switch self {
            case .right: (1, 0)
            case .down: (0, 1)
            case .left: (-1, 0)
            case .up: (0, -1)
            }
        }

        /// Returns the beginning and end of a box in this direction, and its middle across it.
        func span(of box: PageArea) -> (start: Double, end: Double, middle: Double) {
            switch self {
            case .right: (box.left, box.right, box.center.down)
            case .down: (box.top, box.bottom, box.center.across)
            case .left: (-box.right, -box.left, box.center.down)
            case .up: (-box.bottom, -box.top, box.center.across)
            }
        }

        /// Returns the height of a box in its line's direction.
        func height(of box: PageArea) -> Double { self == .right || self == .left ? box.height : box.width }
    }

    private struct Word {
        let text: String
        let boxes: [PageArea]
        let isRightToLeft: Bool
        /// The number of its characters that are upright in vertical writing, less the other ones.
        let uprightCount: Int

        init(_ characters: ArraySlice<Character>) {
            text = String(String.UnicodeScalarView(characters.map(\.scalar)))
            boxes = characters.map(\.box)
            isRightToLeft = Script.readsRightToLeft(text)
            uprightCount = characters.reduce(0) { $0 + (Script.standsUpright($1.scalar) ? 1 : -1) }
        }

        var area: PageArea { boxes.dropFirst().reduce(boxes[0]) { $0.union($1) } }
    }

    private struct Line {
        /// The characters between white space; none are empty.
        private let runs: [[Character]]

        init(_ characters: some Collection<Character>) {
            runs = characters.split { $0.scalar.properties.isWhitespace }.map { run in
                run.filter { character in
                    let box = character.box
                    return character.scalar.properties.generalCategory != .control
                        && [box.left, box.top, box.right, box.bottom].allSatisfy(\.isFinite)
                }
            }.filter { !$0.isEmpty }
        }

        var isEmpty: Bool { runs.isEmpty }

        /// The direction of most of its characters; nil for a single one.
        var advance: Advance? {
            var votes = [0, 0, 0, 0]
            for run in runs {
                for (one, other) in zip(run, run.dropFirst()) {
                    if let advance = Advance(from: one.box.center, to: other.box.center) {
                        votes[advance.rawValue] += 1
                    }
                }
            }
            if let maximum = votes.max(), maximum > 0 {
                return Advance.allCases.first { votes[$0.rawValue] == maximum }
            }
            guard let first = runs.first?.first?.box.center, let last = runs.last?.first?.box.center else { return nil }
            let advance = Advance(from: first, to: last)
            // The words of such a line may run from right to left.
            return advance == .left ? .right : advance
        }

        /// Returns the words: runs between white space, split at gaps. Poppler puts the cells of a table in one line, without a
        /// space.
        private func words(_ advance: Advance) -> [Word] {
            runs.flatMap { run in
                var words: [Word] = []
                var start = 0
                for index in run.indices.dropFirst() {
                    let (one, other) = (run[index - 1].box, run[index].box)
                    let (before, behind) = (advance.span(of: one), advance.span(of: other))
                    let height = advance.height(of: one)
                    let isApart =
                        behind.start - before.end > height / 5 || behind.end < before.start
                        || abs(behind.middle - before.middle) > height
                    if isApart {
                        words.append(Word(run[start..<index]))
                        start = index
                    }
                }
                return words + [Word(run[start...])]
            }
        }

        /// Returns the line in fractions of the page.
        func finished(_ advance: Advance, width: Double, height: Double) -> TextLine {
            let words = words(advance).filter { !$0.area.isEmpty }
            let isRightToLeft = words.count(where: \.isRightToLeft) * 2 > words.count
            let isVertical = advance != .right && words.reduce(0) { $0 + $1.uprightCount } > 0
            var placed = words.map { word in
                let area = isVertical ? Line.standing(word, advance) : word.area
                return TextWord(
                    word.text,
                    PageArea(
                        left: area.left / width, top: area.top / height, right: area.right / width,
                        bottom: area.bottom / height))
            }
            if isVertical {
                return TextLine(placed, direction: .vertical, turns: (advance.rawValue + 3) % 4)
            }
            // On a page with mostly another direction, poppler returns a line's words in the order of the page.
            let step = advance.step
            if let first = placed.first?.area.center, let last = placed.last?.area.center {
                let ahead = (last.across - first.across) * step.across + (last.down - first.down) * step.down
                if isRightToLeft ? ahead > 0 : ahead < 0 { placed.reverse() }
            }
            return TextLine(
                placed, direction: isRightToLeft ? .rightToLeft : .leftToRight, turns: advance.rawValue)
        }

        /// Returns the place of a word of vertical writing.
        ///
        /// For characters of a font for vertical writing, poppler knows the middle of the upper edge, and treats it as the lower
        /// left corner. So they are half a character to the side and one below. The last one, which poppler makes a square,
        /// identifies them.
        private static func standing(_ word: Word, _ advance: Advance) -> PageArea {
            let last = word.boxes[word.boxes.count - 1]
            let isDown = advance == .down || advance == .up
            let size = isDown ? word.area.width : word.area.height
            guard abs(last.width - last.height) <= 0.01 * size, size > 0 else { return word.area }
            let step = advance.step
            let (across, down) = (size * (step.across - step.down / 2), size * (step.down + step.across / 2))
            let area = word.area
            return PageArea(
                left: area.left + across, top: area.top + down, right: area.right + across, bottom: area.bottom + down)
        }
    }
}
