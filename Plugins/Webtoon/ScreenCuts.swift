internal import Imaging

/// The limits of quiet rows.
enum CutLimits {
    /// The largest difference between two pixels of a row of one color: JPEGs add noise to it.
    static let singleColor: UInt8 = 16
}

/// The places where a long image is cut into pages of at most one height.
///
/// A page ends in the middle of the last band of quiet rows within its height. A quiet row has a single color. Only if no
/// such row is in reach, rows of a gradient count, then the rows with the weakest edges. Each page begins where the one
/// before it ends. If the last page is a sliver, the pages before it end elsewhere.
struct ScreenCuts {
    /// A page of the screen.
    struct Piece: Equatable {
        var rows: Range<Int>
        /// Whether its end cuts artwork.
        var cutsArtwork = false
    }

    /// The noise of each row; see `StripImage`.
    let rows: [UInt8]
    /// The height of the screen, in rows.
    let maximum: Int
    /// Whether a cut before a row loses nothing.
    let isOnGrid: (Int) -> Bool
    /// The first row below all artwork.
    private let tail: Int

    init(rows: [UInt8], maximum: Int, isOnGrid: @escaping (Int) -> Bool) {
        (self.rows, self.maximum, self.isOnGrid) = (rows, maximum, isOnGrid)
        tail = (rows.lastIndex { $0 > RowActivity.quiet } ?? -1) + 1
    }

    var pieces: [Piece] {
        var pieces: [Piece] = []
        var start = 0
        while rows.count - start > maximum {
            let quiet = [0, RowActivity.quiet].lazy.compactMap { quietCut(from: start, $0) }.first
            let end = quiet ?? weakestCut(from: start)
            pieces.append(Piece(rows: start..<end, cutsArtwork: quiet == nil))
            start = end
        }
        if start < rows.count { pieces.append(Piece(rows: start..<rows.count)) }
        return balanced(pieces)
    }

    /// The height below which the last page is a sliver: a quarter of the screen.
    private var minimum: Int { max(1, maximum / 4) }

    /// Returns the pages without a sliver at the end, if quiet rows allow it. The last three become two if they fit,
    /// otherwise the last two become alike.
    private func balanced(_ pieces: [Piece]) -> [Piece] {
        guard let last = pieces.last, last.rows.count < minimum else { return pieces }
        for count in [3, 2] where pieces.count >= count {
            let start = pieces[pieces.count - count].rows.lowerBound
            guard let cut = middleCut(from: start) else { continue }
            return pieces.dropLast(count) + [Piece(rows: start..<cut), Piece(rows: cut..<rows.count)]
        }
        return pieces
    }

    /// Returns the quiet cut nearest to the middle that divides the rows from a row on into two pages. Both have content,
    /// and neither is a sliver. The result is nil without such a cut.
    private func middleCut(from start: Int) -> Int? {
        guard let content = rows[start...].firstIndex(where: { $0 > RowActivity.quiet }) else { return nil }
        let first = max(start + minimum, rows.count - maximum, content + 1)
        let last = min(start + maximum, rows.count - minimum, tail - 1)
        guard first <= last else { return nil }
        func distance(_ band: ClosedRange<Int>) -> Int {
            abs(band.lowerBound + band.upperBound - start - rows.count)
        }
        return [0, RowActivity.quiet].lazy.compactMap { bound in
            quietBands(in: first...last, bound).min { distance($0) < distance($1) }
        }.first.map { onGrid(($0.lowerBound + $0.upperBound) / 2, $0) }
    }

    /// Returns the places of quiet cuts that follow each other.
    private func quietBands(in window: ClosedRange<Int>, _ bound: UInt8) -> [ClosedRange<Int>] {
        window.filter { isQuiet($0, bound) }.reduce(into: []) { bands, row in
            if let last = bands.last, last.upperBound == row - 1 {
                bands[bands.count - 1] = last.lowerBound...row
            } else {
                bands.append(row...row)
            }
        }
    }

    /// Returns whether a cut before a row cuts no artwork: the row or the one above it is quiet.
    private func isQuiet(_ row: Int, _ bound: UInt8) -> Bool { min(rows[row - 1], rows[row]) <= bound }

    /// Returns the noise of a cut before a row: that of the louder of its two rows.
    private func noise(_ row: Int) -> UInt8 { max(rows[row - 1], rows[row]) }

    /// Returns the end of the page that begins at a row, in the last quiet band within reach; nil without a band.
    ///
    /// The rows of one color at the top of the page are no such band: the page would be empty.
    private func quietCut(from start: Int, _ bound: UInt8) -> Int? {
        let limit = start + maximum
        guard let content = (start..<limit).first(where: { rows[$0] > bound }) else {
            return onGrid(limit, start + 1...limit)
        }
        guard let last = (content + 1...limit).last(where: { isQuiet($0, bound) }) else {
            return cutBeforePanel(start, content, bound)
        }
        var first = last
        while first - 1 > content, isQuiet(first - 1, bound) { first -= 1 }
        // A band without end needs no middle.
        let bandLimit = min(rows.count - 1, limit + maximum)
        var end = last
        while end < bandLimit, isQuiet(end + 1, bound) { end += 1 }
        let (middle, reach) = (first + (end - first) / 2, min(end, limit))
        // The panel below stays whole if it can.
        let farthest = max(end + 1, min(rows.count, end + 1 + maximum))
        let next = (end + 1...farthest).first { $0 == rows.count || isQuiet($0, bound) }
        // The quiet rows at the end of the strip need no page of their own.
        let goals = next.map { $0 >= tail ? [rows.count, $0] : [$0] } ?? []
        if let goal = goals.first(where: { $0 - reach <= maximum }) { first = max(first, goal - maximum) }
        return onGrid(max(first, min(middle, limit)), first...reach)
    }

    /// Returns a cut above a panel that would fit on a page without the quiet rows above it; nil for other panels.
    private func cutBeforePanel(_ start: Int, _ content: Int, _ bound: UInt8) -> Int? {
        let last = min(rows.count, content + maximum)
        guard content - start > 1,
            let end = (start + maximum...last).first(where: { $0 == rows.count || isQuiet($0, bound) })
        else { return nil }
        let first = max(start + 1, end - maximum)
        return first < content ? onGrid((first + content) / 2, first...content - 1) : nil
    }

    /// Returns the cut with the weakest edges in the lower half of a page, below its quiet rows; the lowest one of several.
    /// It leaves more than a sliver, and loses nothing if a cut there can.
    private func weakestCut(from start: Int) -> Int {
        let content = (start..<start + maximum).first { rows[$0] > RowActivity.quiet } ?? start
        let first = max(start + (maximum + 1) / 2, content + 1)
        let window = first...max(first, min(start + maximum, rows.count - minimum))
        let lossless = window.reversed().filter(isOnGrid)
        let candidates = lossless.isEmpty ? window.reversed() : lossless
        return candidates.reduce(candidates[0]) { noise($1) < noise($0) ? $1 : $0 }
    }

    /// Returns the place nearest to a cut, among quiet rows, at which a JPEG can be cut without loss; the cut itself
    /// without one.
    private func onGrid(_ cut: Int, _ quiet: ClosedRange<Int>) -> Int {
        for distance in 0...ScreenCuts.gridReach {
            for place in [cut - distance, cut + distance] where quiet.contains(place) && isOnGrid(place) {
                return place
            }
        }
        return cut
    }

    /// The largest height of an MCU of a JPEG.
    private static let gridReach = 32
}
