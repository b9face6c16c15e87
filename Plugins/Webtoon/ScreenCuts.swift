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
/// before it ends.
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
        return pieces
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
    /// It loses nothing, if a cut there can.
    private func weakestCut(from start: Int) -> Int {
        let limit = start + maximum
        let content = (start..<limit).first { rows[$0] > RowActivity.quiet } ?? start
        let window = max(start + (maximum + 1) / 2, content + 1)...limit
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
