internal import LayoutAnalysis
internal import PageModel

/// A straight line along a side of the paper.
struct PaperEdge {
    /// The pixels across per pixel along the line.
    let slope: Double
    /// The position across at a position along it.
    fileprivate let origin: (along: Int, across: Double)

    func place(at along: Double) -> Double { origin.across + slope * (along - Double(origin.along)) }
}

/// A side of a page, with positions along it and across.
enum PageSide: CaseIterable {
    case left, top, right, bottom

    var isUpright: Bool { self == .left || self == .right }

    /// Returns a position across as one that grows outward.
    func outward(_ across: Double) -> Double { self == .left || self == .top ? -across : across }

    /// Returns the position of a box's side, which grows outward.
    func end(of box: Bounds) -> Double {
        switch self {
        case .left: Double(-box.left)
        case .top: Double(-box.top)
        case .right: Double(box.right)
        case .bottom: Double(box.bottom)
        }
    }

    func middle(of box: Bounds) -> (along: Double, across: Double) {
        let (x, y) = (Double(box.left + box.right) / 2, Double(box.top + box.bottom) / 2)
        return isUpright ? (y, x) : (x, y)
    }

    func thickness(of box: Bounds) -> Int { isUpright ? box.width : box.height }
    func length(of box: Bounds) -> Int { isUpright ? box.height : box.width }
    func span(of box: Bounds) -> Range<Int> { isUpright ? box.top..<box.bottom : box.left..<box.right }
}

/// The search for the edges of the paper on one side of the text, the longest first.
///
/// The ends of marks that face the text vote for lines of some slopes. See Duda and Hart, "Use of the Hough transformation to
/// detect lines and curves in pictures", 1972. A place along the line counts once: a dark area has no more places than its
/// border.
struct PaperEdgeSearch {
    private struct Point {
        let along: Int
        let across: Double
    }

    private var points: [Point]
    private let side: PageSide
    private let span: Range<Int>
    private let letter: Double
    private let text: Bounds
    /// The breadth of a bin, the number of bins, and the number of the first position's bin.
    private let bins: (breadth: Double, count: Int, first: Int)
    private let step: Int

    /// - Parameters:
    ///   - runs: the runs of marks that may belong to an edge, from the top down.
    ///   - text: the box around the text.
    ///   - page: the box around the paper, or the whole image.
    ///   - letter: the height of letters in pixels.
    init(
        _ runs: [ForegroundRun], _ side: PageSide, around text: Bounds, on page: Bounds, size: PixelSize, letter: Double
    ) {
        let step = max(1, Int(clamping: PaperEdgeLimits.step * letter, to: 1...size.height))
        let gap = Int(clamping: PaperEdgeLimits.distance * letter, to: 0...size.width)
        let breadth = max(1, PaperEdgeLimits.breadth * letter)
        let drift = Double(PaperEdgeLimits.slopes) * PaperEdgeLimits.slopeStep * Double(max(size.width, size.height))
        let margin = Int(clamping: drift / breadth, to: 0...size.area) + 2
        let across = Int(clamping: Double(side.isUpright ? size.width : size.height) / breadth, to: 0...size.area)
        (self.side, self.text, self.letter, self.step) = (side, text, letter, step)
        (span, bins) = (side.span(of: page), (breadth, across + 2 * margin + 2, margin))
        points =
            side.isUpright
            ? PaperEdgeSearch.uprightPoints(runs, side, text.grown(gap), step)
            : PaperEdgeSearch.levelPoints(runs, side, text.grown(gap), step, width: size.width)
        points.sort { ($0.along, $0.across) < ($1.along, $1.across) }
    }

    /// Returns the inner ends of the runs to the left or right of the text, in some rows.
    private static func uprightPoints(
        _ runs: [ForegroundRun], _ side: PageSide, _ text: Bounds, _ step: Int
    ) -> [Point] {
        runs.compactMap { run in
            let row = Int(run.row)
            guard row % step == 0 else { return nil }
            if side == .left { return Int(run.end) <= text.left ? Point(along: row, across: Double(run.end)) : nil }
            return Int(run.start) >= text.right ? Point(along: row, across: Double(run.start)) : nil
        }
    }

    /// Returns the inner ends of the blobs above or below the text, in some columns.
    private static func levelPoints(
        _ runs: [ForegroundRun], _ side: PageSide, _ text: Bounds, _ step: Int, width: Int
    ) -> [Point] {
        let columns = width / step + 1
        var ends: [Int: Int] = [:]
        for run in runs {
            let row = Int(run.row)
            guard side == .top ? row < text.top : row >= text.bottom else { continue }
            for column in stride(from: (Int(run.start) + step - 1) / step * step, to: Int(run.end), by: step) {
                let key = Int(run.blob) * columns + column / step
                if side == .top || ends[key] == nil { ends[key] = row }
            }
        }
        return ends.map { Point(along: $0.key % columns * step, across: Double($0.value)) }
    }

    /// Removes the points of the longest edge, and returns it; nil if none is long enough.
    mutating func next() -> PaperEdge? {
        guard Double(span.count) >= PaperEdgeLimits.minimumSide * letter,
            points.count >= needed(farFromText: side.isUpright)
        else { return nil }
        var best: (count: Int, edge: PaperEdge)?
        for number in -PaperEdgeLimits.slopes...PaperEdgeLimits.slopes {
            let slope = Double(number) * PaperEdgeLimits.slopeStep
            if let longer = longest(slope, above: best?.count ?? 0) { best = longer }
        }
        guard let edge = best?.edge else { return nil }
        let reach = PaperEdgeLimits.fragmentDistance * letter
        points.removeAll { abs($0.across - edge.place(at: Double($0.along))) <= reach }
        return edge
    }

    /// Returns the minimum number of dark places of an edge.
    private func needed(farFromText: Bool) -> Int {
        max(1, (farFromText ? PaperEdgeLimits.farCover : PaperEdgeLimits.cover).of(span.count) / step)
    }

    /// Returns the longest edge of a slope; nil if none has more dark places than a minimum.
    private func longest(_ slope: Double, above minimum: Int) -> (count: Int, edge: PaperEdge)? {
        let middle = (span.lowerBound + span.upperBound) / 2
        var counts = [Int](repeating: 0, count: bins.count)
        var (firsts, lasts) = (counts, [Int](repeating: -1, count: bins.count))
        for point in points {
            let place = (point.across - slope * Double(point.along - middle)) / bins.breadth
            let bin = Int(clamping: place.rounded(.down), to: -bins.first...bins.count) + bins.first
            // A window of two bins includes every edge of their breadth.
            for window in max(0, bin - 1)...min(bin, bins.count - 1) where lasts[window] != point.along {
                if counts[window] == 0 { firsts[window] = point.along }
                lasts[window] = point.along
                counts[window] += 1
            }
        }
        let extent = (side.isUpright ? PaperEdgeLimits.uprightExtent : PaperEdgeLimits.levelExtent).of(span.count)
        let reach = PaperEdgeLimits.reach.of(span.count)
        var best: (count: Int, edge: PaperEdge)?
        for window in counts.indices where counts[window] > (best?.count ?? minimum) {
            let (first, last) = (firsts[window], lasts[window])
            let place = Double(window - bins.first + 1) * bins.breadth
            let isFar = side.outward(place) - side.end(of: text) >= PaperEdgeLimits.farDistance * letter
            guard last - first >= extent, min(first - span.lowerBound, span.upperBound - last) <= reach,
                counts[window] >= needed(farFromText: isFar && side.isUpright)
            else { continue }
            best = (counts[window], PaperEdge(slope: slope, origin: (middle, place)))
        }
        return best
    }
}
