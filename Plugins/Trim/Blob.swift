/// Dark pixels that touch each other.
struct Blob: Sendable {
    var box: Box
    /// In pixels.
    var area: Int
    /// How many of its pixels lie further from every edge of the page than scanners darken.
    var deepArea: Int
    /// How much darker than the paper its darkest pixel is.
    var contrast: Int
    /// The group it belongs to; -1 when it is no content.
    var group = -1
    /// Sums over its pixels: of x and y, of their squares and of their product.
    private var sums = (x: 0.0, y: 0.0, xx: 0.0, yy: 0.0, xy: 0.0)

    /// - Parameter run: its first pixels.
    init(_ run: InkRun, deepArea: Int) {
        let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
        box = Box(left: start, top: row, right: end, bottom: row + 1)
        area = end - start
        self.deepArea = deepArea
        contrast = Int(run.contrast)
        sum(run)
    }

    /// - Parameter runs: all its pixels, at least one run.
    init(_ runs: some Collection<InkRun>, deepArea: Int) {
        self.init(runs[runs.startIndex], deepArea: deepArea)
        for run in runs.dropFirst() { add(run, deepArea: 0) }
    }

    mutating func add(_ run: InkRun, deepArea deep: Int) {
        let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
        box = box.union(Box(left: start, top: row, right: end, bottom: row + 1))
        area += end - start
        deepArea += deep
        contrast = max(contrast, Int(run.contrast))
        sum(run)
    }

    private mutating func sum(_ run: InkRun) {
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

    /// How far its pixels lie beside a straight line through them, at least: the thickness of a straight bar as spread out
    /// across its length. That of a bent one is about how far it bends.
    var breadth: Double {
        let count = Double(area)
        let (x, y) = (sums.x / count, sums.y / count)
        let (xx, yy, xy) = (sums.xx / count - x * x, sums.yy / count - y * y, sums.xy / count - x * y)
        // The smaller eigenvalue of the covariance is the variance across; of a bar it is a twelfth of the square.
        let least = (xx + yy) / 2 - ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
        return (12 * max(0, least)).squareRoot() + 1
    }
}
