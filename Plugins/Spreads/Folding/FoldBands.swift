internal import PageModel

/// The middle of a scan, reduced to bands of rows that are so low that a slanted fold is upright in each.
struct FoldBands: Sendable {
    /// The width of the whole scan, in columns of the bands.
    let scanWidth: Double
    /// The first column here, counted from the scan's left edge.
    let firstColumn: Int
    /// How many columns there are here.
    let width: Int
    let count: Int
    /// How far below mid-height the middle of each band is, in columns.
    let depths: [Double]
    /// For each band and column the mean of its pixels, in sixteenths of a level.
    let means: [Int16]
    /// For each band and column the darkest of its pixels.
    let lows: [UInt8]
    /// For each band and column the lightest of its pixels.
    let highs: [UInt8]

    /// What `means` are counted in, as parts of a level.
    static let unit: Int16 = 16
    /// Columns are put together to have about so many of them over the whole scan: a fold's line is still seen then.
    private static let wantedColumns = 900
    /// So many that the gap between two frames, a hundredth of the height, has a band of its own.
    private static let wantedBands = 100

    /// - Parameters:
    ///   - rows: the rows of the raster that are put into bands.
    ///   - share: the columns that are, as shares of the width.
    init(_ raster: Raster, rows all: Range<Int>, share: ClosedRange<Double>) {
        let (stride, height) = (raster.size.width, raster.size.height)
        let factor = Int(clamping: Double(stride) / Double(FoldBands.wantedColumns), to: 1...max(1, stride))
        let columns = stride / factor
        let rows = max(1, all.count / FoldBands.wantedBands)
        let count = all.count / rows
        let first = Int(clamping: (share.lowerBound * Double(columns)).rounded(.down), to: 0...columns)
        let width = Int(clamping: (share.upperBound * Double(columns)).rounded(.down), to: first...columns) - first
        let top = all.lowerBound + (all.count - rows * count) / 2
        scanWidth = Double(stride) / Double(factor)
        firstColumn = first
        self.width = width
        self.count = count
        depths = (0..<count).map {
            (Double(top + $0 * rows) + Double(rows) / 2 - Double(height) / 2) / Double(factor)
        }
        var means = [Int16](repeating: 0, count: width * count)
        var lows = [UInt8](repeating: 255, count: width * count)
        var highs = [UInt8](repeating: 0, count: width * count)
        var sums = [UInt32](repeating: 0, count: width)
        let area = UInt32(rows * factor)
        raster.samples.withUnsafeBufferPointer { samples in
            means.withUnsafeMutableBufferPointer { means in
                lows.withUnsafeMutableBufferPointer { lows in
                    highs.withUnsafeMutableBufferPointer { highs in
                        sums.withUnsafeMutableBufferPointer { sums in
                            for band in 0..<count {
                                sums.update(repeating: 0)
                                let place = band * width
                                for row in top + band * rows..<top + (band + 1) * rows {
                                    for part in 0..<factor {
                                        let start = row * stride + first * factor + part
                                        for x in 0..<width {
                                            let level = samples[start + x * factor]
                                            sums[x] &+= UInt32(level)
                                            lows[place + x] = min(lows[place + x], level)
                                            highs[place + x] = max(highs[place + x], level)
                                        }
                                    }
                                }
                                for x in 0..<width {
                                    means[place + x] = Int16(UInt32(FoldBands.unit) * sums[x] / area)
                                }
                            }
                        }
                    }
                }
            }
        }
        self.means = means
        self.lows = lows
        self.highs = highs
    }

    /// How many columns right of its place at mid-height a line of some slope is in a band.
    func shift(_ band: Int, _ slope: Double) -> Int {
        // In range: both are far smaller than a scan is high.
        Int((slope * depths[band]).rounded())
    }

    /// The column nearest to a share of the scan's width.
    func column(_ share: Double) -> Int {
        Int(clamping: (share * scanWidth - 0.5).rounded() - Double(firstColumn), to: 0...max(0, width - 1))
    }

    /// Where the middle of a column is, as a share of the scan's width.
    func share(_ column: Double) -> Double {
        (column + Double(firstColumn) + 0.5) / scanWidth
    }
}

/// Finds the rows of a scan that show the book rather than what it lies on.
enum FoldRows {
    /// What scanners darken at the top and bottom edges, as a share of the height.
    private static let edge = 0.02
    /// A row counts as light as the lightest twentieth of its pixels, which shows a margin on nearly every page.
    private static let lightest = 20
    /// What a book lies on is darker than this share of its paper's level.
    private static let darker = 0.88
    /// If fewer rows than this share seem to show the book, the dark ones are pages as well.
    private static let least = 0.65
    /// How many rows and columns are looked at, about.
    private static let samples = 200

    static func book(_ raster: Raster) -> Range<Int> {
        let (width, height) = (raster.size.width, raster.size.height)
        let edge = Int(clamping: (FoldRows.edge * Double(height)).rounded(.down), to: 0...height / 2)
        let all = edge..<height - edge
        let down = max(1, height / samples)
        let across = max(1, width / samples)
        let rows = Array(stride(from: all.lowerBound, to: all.upperBound, by: down))
        let share = (width + across - 1) / across / lightest
        var histogram = [Int](repeating: 0, count: 256)
        let levels = raster.samples.withUnsafeBufferPointer { samples in
            rows.map { row -> Int in
                for level in 0..<256 { histogram[level] = 0 }
                for place in stride(from: row * width, to: (row + 1) * width, by: across) {
                    histogram[Int(samples[place])] += 1
                }
                var (level, left) = (255, share)
                while level > 0, histogram[level] <= left {
                    left -= histogram[level]
                    level -= 1
                }
                return level
            }
        }
        guard !levels.isEmpty else { return all }
        let paper = Double(levels.sorted()[levels.count / 2])
        var (longest, start) = (0..<0, 0)
        for index in 0...levels.count where index == levels.count || Double(levels[index]) < darker * paper {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        guard Double(longest.count) >= least * Double(levels.count) else { return all }
        let end = longest.upperBound == levels.count ? all.upperBound : rows[longest.upperBound]
        return rows[longest.lowerBound]..<end
    }
}
