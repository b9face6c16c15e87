package import PageModel

/// The limits of the search for the paper within an image.
///
/// Chosen on synthetic scans and on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement
/// of these values is recorded.
enum PaperSheetLimits {
    /// The number of cells along the shorter side.
    static let cellsAcross = 100
    /// The minimum side of a cell, in pixels: a smaller one may be all ink.
    static let minimumCell = 3
    /// The radius of the closing in cells: strokes thinner than twice this and one more are closed.
    static let closing = 2
    /// The minimum level of paper, as a share of the level in the middle.
    static let minimumPaperLevel = 0.66
    /// The cells along each side, as a share of all, that do not count for the level in the middle.
    static let border = Ratio(1, 5)
    /// The maximum deviation from that level in most of an even image, as a share of it.
    static let slack = Ratio(1, 10)
    /// The level that the darkest neighbor of a cell has less than at the paper's edge, as a share of the cell's level.
    static let edgeDrop = Ratio(4, 5)
    /// The minimum area of an island of paper, as a share of the largest one: the facing page differs by less.
    static let minimumIsland = Ratio(1, 5)
    /// The minimum number of sides with a darker area beyond the paper: the fourth may be the binding.
    static let minimumFreeSides = 3
    /// The minimum share of the box around the paper that is paper if its sides are straight.
    static let straightness = Ratio(9, 10)
}

/// The sheet of paper within an image, with the local level of its paper.
///
/// A scan may show more than the page: the scanner's lid, a table, the book's board or the stack of its other leaves. The page
/// also darkens towards its binding. Everything darker than the paper that reaches the image's edge is visible at low resolution,
/// without the print. Print does not reach the edge. So the image is divided into cells, each with the level of its lightest
/// pixels. A morphological closing removes strokes. Dark places that do not reach the edge are filled up to the level around them
/// (Vincent, "Morphological grayscale reconstruction in image analysis", 1993). Soille, "Morphological image analysis", 6.3.7,
/// calls it "fill holes".
package struct PaperSheet: Sendable {
    /// The side of a cell in pixels, and the number of cells across.
    let cell: Int
    let across: Int
    /// For each cell the level of its paper, or of the surface in place of paper.
    let background: [UInt8]
    /// For each cell whether it is outside the paper, or so deep in the shadow of the binding that nothing can be read.
    let isOutside: [Bool]
    /// The level of the paper in the middle of the image.
    let level: Int
    /// The share of cells outside the paper, 0 to 1.
    package let outsideShare: Double

    /// Whether most of it is of about one level, which is never true of an image that fills a page.
    package var isEven: Bool {
        let slack = PaperSheetLimits.slack.of(level)
        let inside = background.indices.filter { !isOutside[$0] }
        return 2 * inside.count { abs(Int(background[$0]) - level) <= slack } >= inside.count
    }
    /// Whether it is light enough to be paper. A black page is even, too.
    package var isLight: Bool { PaperToneLimits.levels.contains(level) }
    /// Whether the inside has straight sides, with a darker area beyond at least three of them: paper on a scanner background.
    package let isOnBackground: Bool

    package init(_ raster: Raster) {
        let (width, height) = (raster.size.width, raster.size.height)
        let cell = max(PaperSheetLimits.minimumCell, min(width, height) / PaperSheetLimits.cellsAcross)
        let (across, down) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
        let lightest = PaperSheet.lightest(raster, cell, across, down)
        var levels = PaperSheet.spread(lightest, across, down, by: PaperSheetLimits.closing) { max($0, $1) }
        levels = PaperSheet.spread(levels, across, down, by: PaperSheetLimits.closing) { min($0, $1) }
        let filled = PaperSheet.filled(levels, across, down)
        var middle: [UInt8] = []
        for y in PaperSheet.middle(of: down) {
            for x in PaperSheet.middle(of: across) { middle.append(filled[y * across + x]) }
        }
        middle.sort()
        let level = Int(middle[middle.count / 2])
        let limit = UInt8(
            Int(clamping: Double(level) * PaperSheetLimits.minimumPaperLevel, to: 0...PaperToneLimits.white))
        var isOutside = filled.map { $0 < limit }
        isOnBackground = PaperSheet.keepLargest(&isOutside, across, down)
        if isOnBackground {
            // A narrow gap between the paper and a color chart is not a stroke, because it reaches the image's edge.
            let open = PaperSheet.filled(lightest, across, down)
            for place in open.indices where open[place] < limit { isOutside[place] = true }
            _ = PaperSheet.keepLargest(&isOutside, across, down)
        }
        (self.cell, self.across, self.level) = (cell, across, level)
        self.isOutside = isOutside
        outsideShare = Double(isOutside.count { $0 }) / Double(max(1, isOutside.count))
        // At the paper's edge neither side is ink: the darker one counts as the paper.
        let darkest = PaperSheet.spread(filled, across, down, by: 1) { min($0, $1) }
        background = zip(filled, darkest).map { Int($1).isLess(than: PaperSheetLimits.edgeDrop, of: Int($0)) ? $1 : $0 }
    }

    /// Returns the cells along one side that are well within the image.
    private static func middle(of cells: Int) -> Range<Int> {
        let border = PaperSheetLimits.border.of(cells)
        return border..<max(border + 1, cells - border)
    }

    /// Returns for each blob the number of its pixels outside the paper.
    package func outsideArea(_ ink: ForegroundMask) -> [Int] {
        var areas = [Int](repeating: 0, count: ink.blobs.count)
        guard outsideShare > 0 else { return areas }
        for run in ink.runs {
            let row = Int(run.row) / cell * across
            for x in Int(run.start)..<Int(run.end) where isOutside[row + x / cell] { areas[Int(run.blob)] += 1 }
        }
        return areas
    }

    /// Returns the box around the paper, in pixels; nil if nothing is outside it.
    package func box(in size: PixelSize) -> Bounds? {
        guard outsideShare > 0 else { return nil }
        let cells = isOutside.indices.lazy.filter { !isOutside[$0] }.map { place in
            let (x, y) = (place % across * cell, place / across * cell)
            return Bounds(left: x, top: y, right: x + cell, bottom: y + cell)
        }
        return Bounds.union(cells)?.clamped(to: size)
    }

    /// Treats small islands outside the paper as scanner background. Returns whether the largest is on a background.
    private static func keepLargest(_ isOutside: inout [Bool], _ across: Int, _ down: Int) -> Bool {
        guard isOutside.contains(true) else { return false }
        let islands = GridComponents(isOutside.map { !$0 }, across: across, .sides).members
        guard let largest = islands.max(by: { $0.count < $1.count }) else { return false }
        for island in islands where island.count.isLess(than: PaperSheetLimits.minimumIsland, of: largest.count) {
            for place in island { isOutside[place] = true }
        }
        let columns = largest.map { $0 % across }, rows = largest.map { $0 / across }
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return false
        }
        let free = [left > 0, top > 0, right < across - 1, bottom < down - 1].count { $0 }
        return free >= PaperSheetLimits.minimumFreeSides
            && largest.count.isAtLeast(PaperSheetLimits.straightness, of: (right - left + 1) * (bottom - top + 1))
    }

    /// Returns for each cell the highest mean of two by two pixels: a single pixel may be noise.
    private static func lightest(_ raster: Raster, _ cell: Int, _ across: Int, _ down: Int) -> [UInt8] {
        let (width, height) = (raster.size.width, raster.size.height)
        var levels = [UInt8](repeating: 0, count: across * down)
        guard width > 1, height > 1 else { return levels.map { _ in raster.samples.max() ?? 0 } }
        // For each pair of columns, the highest sum in a row of cells. A pair of pixels is read as one integer, so that the
        // compiler makes vectors of them.
        var sums = [UInt16](repeating: 0, count: width / 2)
        let low = UInt16(UInt8.max)
        raster.samples.withUnsafeBytes { samples in
            sums.withUnsafeMutableBufferPointer { sums in
                for row in 0..<down {
                    sums.update(repeating: 0)
                    for y in stride(from: (row * cell + 1) / 2 * 2, to: min(height - 1, (row + 1) * cell), by: 2) {
                        for index in sums.indices {
                            let place = y &* width &+ 2 &* index
                            let upper = samples.loadUnaligned(fromByteOffset: place, as: UInt16.self)
                            let lower = samples.loadUnaligned(fromByteOffset: place &+ width, as: UInt16.self)
                            let (first, second) = (upper & low, upper >> UInt16(UInt8.bitWidth))
                            let sum = first &+ second &+ (lower & low) &+ (lower >> UInt16(UInt8.bitWidth))
                            sums[index] = max(sums[index], sum)
                        }
                    }
                    for column in 0..<across {
                        let pairs = (column * cell + 1) / 2..<min(width, (column + 1) * cell + 1) / 2
                        levels[row * across + column] = UInt8((sums[pairs].max() ?? 0) / 4)
                    }
                }
            }
        }
        return levels
    }

    /// Replaces each cell by the extreme of those around it, first along the rows and then along the columns.
    @inline(__always)
    static func spread(
        _ levels: [UInt8], _ across: Int, _ down: Int, by reach: Int, _ extreme: (UInt8, UInt8) -> UInt8
    ) -> [UInt8] {
        var rows = levels
        // Along whole rows, so that the compiler makes vectors of the cells.
        rows.withUnsafeMutableBufferPointer { rows in
            levels.withUnsafeBufferPointer { levels in
                for shift in max(-reach, 1 - across)..<min(reach + 1, across) {
                    for y in 0..<down {
                        for x in y * across + max(0, -shift)..<y * across + min(across, across - shift) {
                            rows[x] = extreme(rows[x], levels[x &+ shift])
                        }
                    }
                }
            }
        }
        var result = rows
        result.withUnsafeMutableBufferPointer { result in
            rows.withUnsafeBufferPointer { rows in
                for y in 0..<down {
                    for near in max(0, y - reach)...min(down - 1, y + reach) {
                        for x in 0..<across {
                            let place = y &* across &+ x
                            result[place] = extreme(result[place], rows[near &* across &+ x])
                        }
                    }
                }
            }
        }
        return result
    }

    /// Fills dark places that do not reach the edge: each cell gets the lowest level over which the edge can be reached from it.
    /// The cells are visited in order of level, from the edge inwards.
    private static func filled(_ levels: [UInt8], _ across: Int, _ down: Int) -> [UInt8] {
        var result = levels
        var isSeen = [Bool](repeating: false, count: levels.count)
        var queues = [[Int]](repeating: [], count: PaperToneLimits.levelCount)
        func visit(_ index: Int, _ level: UInt8) {
            if isSeen[index] { return }
            isSeen[index] = true
            result[index] = max(levels[index], level)
            queues[Int(result[index])].append(index)
        }
        for x in 0..<across {
            visit(x, 0)
            visit((down - 1) * across + x, 0)
        }
        for y in 0..<down {
            visit(y * across, 0)
            visit(y * across + across - 1, 0)
        }
        for level in queues.indices {
            while let index = queues[level].popLast() {
                let (x, y) = (index % across, index / across)
                if x > 0 { visit(index - 1, UInt8(level)) }
                if x < across - 1 { visit(index + 1, UInt8(level)) }
                if y > 0 { visit(index - across, UInt8(level)) }
                if y < down - 1 { visit(index + across, UInt8(level)) }
            }
        }
        return result
    }
}
