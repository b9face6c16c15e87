internal import PageModel

/// The middle of a scan, its rows taken together in bands so low that a slanted fold stands upright in each.
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
    /// Fine enough that the gap between two frames, a hundredth of the height, has a band of its own.
    private static let wantedBands = 100

    /// - Parameters:
    ///   - rows: of the raster.
    ///   - share: from where to where, as shares of the width.
    init(_ raster: Raster, rows all: Range<Int>, share: ClosedRange<Double>) {
        let (stride, height) = (raster.size.width, raster.size.height)
        let factor = max(1, Int((Double(stride) / Double(FoldBands.wantedColumns)).rounded()))
        let columns = stride / factor
        let rows = max(1, all.count / FoldBands.wantedBands)
        let count = all.count / rows
        let first = Int(share.lowerBound * Double(columns))
        let width = max(0, Int(share.upperBound * Double(columns)) - first)
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
        Int((slope * depths[band]).rounded())
    }

    /// The column nearest to a share of the scan's width.
    func column(_ share: Double) -> Int {
        min(max(0, Int((share * scanWidth - 0.5).rounded()) - firstColumn), max(0, width - 1))
    }

    /// Where the middle of a column is, as a share of the scan's width.
    func share(_ column: Double) -> Double {
        (column + Double(firstColumn) + 0.5) / scanWidth
    }
}
