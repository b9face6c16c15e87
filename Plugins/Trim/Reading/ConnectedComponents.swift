internal import Marks
internal import PageModel

/// A connected component of dark pixels.
struct ConnectedComponent: Sendable {
    var box: Bounds
    /// The area in pixels.
    var area: Int
    /// The number of its pixels further inside than the dark edges that scanners leave.
    var deepArea: Int
    /// The difference between the paper and its darkest pixel, in levels.
    var contrast: Int
    /// The number of levels by which the image changes over three pixels at its sides: print has sharp edges, stains do not.
    var sharpness: Double { (Double(squaredRise) / Double(4 * runCount)).squareRoot() }
    private var squaredRise = 0
    private var runCount = 0
    /// The number of its group; -1 if it is not content.
    var group = -1
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
    init(_ runs: some Collection<ForegroundRun>, deepArea: Int) {
        self.init(runs[runs.startIndex], deepArea: deepArea)
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
    var lopsidedness: Double {
        let (x, y) = (sums.x / Double(area) + 0.5, sums.y / Double(area) + 0.5)
        return max(
            abs(x - Double(box.left + box.right) / 2) / Double(box.width),
            abs(y - Double(box.top + box.bottom) / 2) / Double(box.height))
    }

    /// The extent across its length: a straight bar is as broad as it is thick, a bent one about as broad as it bends.
    var breadth: Double {
        let count = Double(area)
        let (x, y) = (sums.x / count, sums.y / count)
        let (xx, yy, xy) = (sums.xx / count - x * x, sums.yy / count - y * y, sums.xy / count - x * y)
        // The smaller eigenvalue of the covariance is the variance across; for a bar it is a twelfth of the square.
        let minorVariance = (xx + yy) / 2 - ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
        return (12 * max(0, minorVariance)).squareRoot() + 1
    }
}

/// A group of blobs near each other: a block of text, an image, a number, a speck.
struct Group: Sendable {
    var box: Bounds
    /// The number of ink pixels.
    var area = 0
    var blobCount = 0
    /// The longest side of any of its blobs.
    var largest = 0
    /// The blob with the longest side.
    private(set) var longest: ConnectedComponent

    init(_ blob: ConnectedComponent) {
        box = blob.box
        longest = blob
        add(blob)
    }

    mutating func add(_ blob: ConnectedComponent) {
        box = box.union(blob.box)
        area += blob.area
        blobCount += 1
        if blob.box.extent > largest {
            largest = blob.box.extent
            longest = blob
        }
    }
}

/// The grouping of blobs that are near each other, over a grid of cells: blobs in cells that touch are together.
struct Grouping {
    private(set) var groups: [Group] = []

    /// - Parameters:
    ///   - ink: its content blobs get their groups' numbers.
    ///   - isContent: whether each blob takes part.
    ///   - cell: a cell's side, in pixels. Gaps up to that are bridged, gaps wider than twice that never.
    init(_ ink: inout ForegroundMask, _ isContent: [Bool], size: PixelSize, cell: Int) {
        let across = (size.width + cell - 1) / cell
        let down = (size.height + cell - 1) / cell
        // 0: empty; -1: ink without a group yet; otherwise the group's number and one.
        var cells = [Int32](repeating: 0, count: across * down)
        for run in ink.runs where isContent[Int(run.blob)] {
            let row = Int(run.row) / cell * across
            for column in Int(run.start) / cell...Int(run.end - 1) / cell { cells[row + column] = -1 }
        }
        var count: Int32 = 0
        var stack: [Int] = []
        for index in cells.indices where cells[index] == -1 {
            count += 1
            cells[index] = count
            stack.append(index)
            while let place = stack.popLast() {
                let (x, y) = (place % across, place / across)
                for nextY in max(0, y - 1)...min(down - 1, y + 1) {
                    for nextX in max(0, x - 1)...min(across - 1, x + 1) where cells[nextY * across + nextX] == -1 {
                        cells[nextY * across + nextX] = count
                        stack.append(nextY * across + nextX)
                    }
                }
            }
        }
        var numbers = [Int](repeating: -1, count: Int(count) + 1)
        var isSeen = [Bool](repeating: false, count: ink.blobs.count)
        for run in ink.runs where isContent[Int(run.blob)] && !isSeen[Int(run.blob)] {
            isSeen[Int(run.blob)] = true
            let label = Int(cells[Int(run.row) / cell * across + Int(run.start) / cell])
            let blob = ink.blobs[Int(run.blob)]
            if numbers[label] < 0 {
                numbers[label] = groups.count
                groups.append(Group(blob))
            } else {
                groups[numbers[label]].add(blob)
            }
            ink.setGroup(numbers[label], of: Int(run.blob))
        }
    }
}
