internal import Marks
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
        let dirt = ink.runs.filter {
            roles[Int($0.blob)] == .noise && Double($0.end - $0.start) <= CutMarkLimits.maximumLength * letter
        }
        let letters = near([.letter])
        for edge in [box.left, box.right] {
            let rows = dirt.filter { run in
                let row = Int(run.row)
                guard (box.top..<box.bottom).contains(row),
                    run.start <= edge - depth, run.end >= edge + depth
                else { return false }
                let place = Bounds(left: edge, top: row, right: edge + 1, bottom: row + 1).clamped(to: size)
                return letters.distance(place) <= CutMarkLimits.letterDistance * letter
            }
            if parts(of: rows.map { Int($0.row) }) >= CutMarkLimits.minimumAtSides { return true }
        }
        for edge in [box.top, box.bottom] {
            // The number of dark pixels in each column, among the rows around the edge.
            var dark = [Int](repeating: 0, count: size.width)
            for run in dirt where (edge - depth..<edge + depth).contains(Int(run.row)) {
                for column in Int(run.start)..<Int(run.end) { dark[column] += 1 }
            }
            let columns = (box.left..<box.right).filter { dark[$0] == 2 * depth }
            if parts(of: columns) >= CutMarkLimits.minimumAboveOrBelow { return true }
        }
        return false
    }

    /// Returns how many sequences of adjacent places are as long as parts of letters.
    ///
    /// - Parameter places: rows or columns in ascending order. A place may be repeated.
    private func parts(of places: [Int]) -> Int {
        var lengths: [Int] = []
        var last: Int?
        for place in places where place != last {
            if let last, place == last + 1 { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            last = place
        }
        return lengths.count { CutMarkLimits.parts.scaled(by: letter).contains(Double($0)) }
    }
}
