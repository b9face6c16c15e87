/// A connected component of dark pixels.
package struct ConnectedComponent: Sendable {
    package internal(set) var box: Bounds
    /// The area in pixels.
    package internal(set) var area: Int
    /// The number of its pixels further inside than the dark edges that scanners leave.
    package internal(set) var deepArea: Int
    /// The difference between the paper and its darkest pixel, in levels.
    package internal(set) var contrast: Int
    /// The number of levels by which the image changes over three pixels at its sides: print has sharp edges, stains do not.
    package var sharpness: Double { (Double(squaredRise) / Double(4 * runCount)).squareRoot() }
    private var squaredRise = 0
    private var runCount = 0
    /// The number of its group; -1 if it is not content.
    package internal(set) var group = -1
    /// The sums over its pixels: of x and y, of their squares and of their product.
    private var sums = (x: 0.0, y: 0.0, xx: 0.0, yy: 0.0, xy: 0.0)

    /// - Parameter run: its first pixels.
    init(_ run: ForegroundRun, deepArea: Int) {
        let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
        box = Bounds(left: start, top: row, right: end, bottom: row + 1)
        area = end - start
        self.deepArea = deepArea
        contrast = Int(run.contrast)
        sum(run)
    }

    /// - Parameter runs: all its pixels, at least one run.
    package init(_ runs: [ForegroundRun], deepArea: Int) {
        self.init(runs[0], deepArea: deepArea)
        for run in runs.dropFirst() { add(run, deepArea: 0) }
    }

    mutating func add(_ run: ForegroundRun, deepArea deep: Int) {
        let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
        box = box.union(Bounds(left: start, top: row, right: end, bottom: row + 1))
        area += end - start
        deepArea += deep
        contrast = max(contrast, Int(run.contrast))
        sum(run)
    }

    private mutating func sum(_ run: ForegroundRun) {
        squaredRise += Int(run.rise) * Int(run.rise)
        runCount += 1
        let (first, end, y) = (Double(run.start), Double(run.end), Double(run.row))
        let count = end - first
        let x = (first + end - 1) / 2 * count
        sums.x += x
        sums.y += y * count
        // The sum of squares from a to b - 1 is the difference of two sums from 0.
        sums.xx += ((end - 1) * end * (2 * end - 1) - (first - 1) * first * (2 * first - 1)) / 6
        sums.yy += y * y * count
        sums.xy += x * y
    }

    /// The distance between the centroid of its pixels and the middle of its box: 0 if all sides are alike.
    ///
    /// It is a share of the box's width or height; the larger share counts.
    package var lopsidedness: Double {
        let (x, y) = (sums.x / Double(area) + 0.5, sums.y / Double(area) + 0.5)
        return max(
            abs(x - Double(box.left + box.right) / 2) / Double(box.width),
            abs(y - Double(box.top + box.bottom) / 2) / Double(box.height))
    }

    /// The extent across its length: a straight bar is as broad as it is thick, a bent one about as broad as it bends.
    package var breadth: Double {
        let count = Double(area)
        let (x, y) = (sums.x / count, sums.y / count)
        let (xx, yy, xy) = (sums.xx / count - x * x, sums.yy / count - y * y, sums.xy / count - x * y)
        // The smaller eigenvalue of the covariance is the variance across; for a bar it is a twelfth of the square.
        let half = (xx - yy) / 2
        let minorVariance = (xx + yy) / 2 - (half * half + xy * xy).squareRoot()
        return (12 * max(0, minorVariance)).squareRoot() + 1
    }
}
