internal import LayoutAnalysis
internal import PageModel

/// The limits of marks that are cut by the box, in letter heights.
///
/// Of 859 annotated pages of 49 books, two lost print with a probability of 0.95. The end of a word had merged with the
/// shadow of the fold, and a head with a black border. The edge of the box passes through both. It passes through marks on
/// 22 other pages that had 0.95, mostly through the shadow of the fold.
enum CutMarkLimits {
    /// The minimum distance that such a mark reaches to both sides of the edge.
    static let depth = 0.15
    /// The maximum length of a row of its pixels. Borders are longer.
    static let maximumLength = 3.0
    /// The lengths along the edge of a cut part of a letter.
    static let parts = 0.15...1.5
    /// The maximum distance of the edge from a letter in the box, at a part at a side.
    static let letterDistance = 1.0
    /// The minimum number of parts: a word ends at a side, but several letters reach above or below the box.
    static let (minimumAtSides, minimumAboveOrBelow) = (1, 3)
}

/// Marks that the edge of the box passes through: letters that have merged with a shadow or a border.
extension TextContextClassifier {
    /// Whether the edge of a box passes through dirt that may be letters.
    ///
    /// - Parameter ink: the mask whose blobs are classified.
    func cutsMarks(_ box: Bounds, in ink: ForegroundMask) -> Bool {
        let depth = max(1, Int(clamping: CutMarkLimits.depth * letter, to: 0...size.width))
        let maximumLength = CutMarkLimits.maximumLength * letter
        // The rows in which a mark passes through each side, and the columns around the other two edges.
        var (sides, columns) = ([Int: [Int]](), [Int: [Int: Int]]())
        for run in ink.runs where roles[Int(run.blob)] == .noise && Double(run.end - run.start) <= maximumLength {
            let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
            if (box.top..<box.bottom).contains(row) {
                for edge in [box.left, box.right] where start <= edge - depth && end >= edge + depth {
                    sides[edge, default: []].append(row)
                }
            }
            for edge in [box.top, box.bottom] where (edge - depth..<edge + depth).contains(row) {
                for column in max(start, box.left)..<max(start, box.left, min(end, box.right)) {
                    columns[edge, default: [:]][column, default: 0] += 1
                }
            }
        }
        return columns.values.contains { columns in
            parts(of: columns.filter { $0.value == 2 * depth }.map(\.key)) >= CutMarkLimits.minimumAboveOrBelow
        } || cutsMarks(atSides: sides)
    }

    /// Whether marks that pass through the sides are near letters.
    ///
    /// - Parameter sides: for each side, the rows of such marks.
    private func cutsMarks(atSides sides: [Int: [Int]]) -> Bool {
        if sides.isEmpty { return false }
        let letters = near([.letter])
        return sides.contains { edge, rows in
            let nearLetters = rows.filter { row in
                let place = Bounds(left: edge, top: row, right: edge + 1, bottom: row + 1).clamped(to: size)
                return letters.distance(place) <= CutMarkLimits.letterDistance * letter
            }
            return parts(of: nearLetters) >= CutMarkLimits.minimumAtSides
        }
    }

    /// Returns how many sequences of adjacent places are as long as parts of letters.
    ///
    /// - Parameter places: rows or columns, in any order. A place may be repeated.
    private func parts(of places: [Int]) -> Int {
        var lengths: [Int] = []
        var last: Int?
        for place in Set(places).sorted() {
            if let last, place == last + 1 { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            last = place
        }
        return lengths.count { CutMarkLimits.parts.scaled(by: letter).contains(Double($0)) }
    }
}
