internal import PageModel

/// The place of an operator that paints, in the page's content or in that of a form.
struct ContentSpot {
    /// The effects of an operator in addition to its painting.
    enum Replacement {
        case nothing
        /// It ends a path, which may clip the content after it.
        case endPath
        case nextLine
        case spacedNextLine(word: Double, character: Double)

        var text: String {
            switch self {
            case .nothing: ""
            case .endPath: "n"
            case .nextLine: "T*"
            case .spacedNextLine(let word, let character): "\(word) Tw \(character) Tc T*"
            }
        }
    }

    /// The index of its content in `ContentInterpreter.frames`.
    let frame: Int
    /// The operator with its operands, as bytes of that content.
    let range: Range<Int>
    let replacement: Replacement
    /// The name of the object that it paints.
    var object: String?
    /// Whether the content below shows through.
    let isTranslucent: Bool
    /// The direction of text in whole degrees, counterclockwise, from -44 to 45: that of a line that runs up or down is 0.
    var slant = 0
}

/// A content stream, each time that a page paints it.
struct ContentFrame {
    /// The place of the operator that paints it as a form; nil for the page's own content.
    let spot: ContentSpot?
}

extension ContentEdit {
    /// Creates the edit that removes operators from a page's content. A form is not painted if nothing of it is left.
    ///
    /// - Parameters:
    ///   - removed: the operators.
    ///   - all: all operators that paint, also those of invisible text.
    ///   - frames: the contents. Forms follow the contents around them.
    init(removing removed: [ContentSpot], of all: [ContentSpot], in frames: [ContentFrame]) {
        var counts = [Int](repeating: 0, count: frames.count)
        var removedCounts = counts
        var edits = [ContentEdit](repeating: ContentEdit(), count: frames.count)
        for spot in all { counts[spot.frame] += 1 }
        for spot in removed {
            removedCounts[spot.frame] += 1
            edits[spot.frame].cuts.append(Cut(spot))
        }
        for index in frames.indices.reversed() {
            guard let spot = frames[index].spot else { continue }
            counts[spot.frame] += counts[index]
            removedCounts[spot.frame] += removedCounts[index]
            if removedCounts[index] == 0 { continue }
            if removedCounts[index] == counts[index] {
                edits[spot.frame].cuts.append(Cut(spot))
            } else {
                edits[spot.frame].forms.append(
                    Form(spot.range, name: spot.object ?? "", edit: edits[index]))
            }
        }
        self = edits.first ?? ContentEdit()
    }
}

extension ContentEdit.Cut {
    fileprivate init(_ spot: ContentSpot) {
        self.init(spot.range, replacement: spot.replacement.text, object: spot.object)
    }
}
