internal import PageModel

/// The middle of a scan, reduced to bands of rows that are so low that a slanted fold is upright in each.
struct FoldBands: Sendable {
    /// The width of the whole scan, in columns of the bands.
    let scanWidth: Double
    /// The first column here, counted from the scan's left edge.
    let firstColumn: Int
    /// The number of columns here.
    let width: Int
    let count: Int
    /// The distances of the bands' middles below mid-height, in columns.
    let depths: [Double]
    /// For each band and column the mean of its pixels, in sixteenths of a level.
    let means: [Int16]
    /// For each band and column the darkest of its pixels.
    let lows: [UInt8]
    /// For each band and column the lightest of its pixels.
    let highs: [UInt8]

    /// The unit of `means`, as a part of a level.
    static let unit: Int16 = 16
    /// The number of levels of a pixel.
    static let levels = 256

    /// - Parameters:
    ///   - all: the rows of the raster for the bands.
    ///   - share: the columns for the bands, in fractions of the width.
    init(_ raster: Raster, rows all: Range<Int>, share: ClosedRange<Double>) {
        let (stride, height) = (raster.size.width, raster.size.height)
        let factor = Int(clamping: Double(stride) / Double(FoldLimits.Bands.columns), to: 1...max(1, stride))
        let columns = stride / factor
        let rows = max(1, all.count / FoldLimits.Bands.count)
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
        var lows = [UInt8](repeating: .max, count: width * count)
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

    /// Returns the number of columns by which a line of some slope is to the right of its place at mid-height in a band.
    func shift(_ band: Int, _ slope: Double) -> Int {
        // In range: both are far smaller than a scan's height.
        Int((slope * depths[band]).rounded())
    }

    /// Returns the column nearest to a fraction of the scan's width.
    func column(_ share: Double) -> Int {
        Int(clamping: (share * scanWidth - 0.5).rounded() - Double(firstColumn), to: 0...max(0, width - 1))
    }

    /// Returns the middle of a column, as a fraction of the scan's width.
    func share(_ column: Double) -> Double {
        (column + Double(firstColumn) + 0.5) / scanWidth
    }
}

/// A search for the rows of a scan that show the book rather than the scanner background.
enum FoldRows {
    static func book(_ raster: Raster) -> Range<Int> {
        let (width, height) = (raster.size.width, raster.size.height)
        let edge = Int(clamping: (FoldLimits.Bands.edge * Double(height)).rounded(.down), to: 0...height / 2)
        let all = edge..<height - edge
        let down = max(1, height / FoldLimits.Bands.samples)
        let across = max(1, width / FoldLimits.Bands.samples)
        let rows = Array(stride(from: all.lowerBound, to: all.upperBound, by: down))
        let share = (width + across - 1) / across / FoldLimits.Bands.lightest
        var histogram = [Int](repeating: 0, count: FoldBands.levels)
        let levels = raster.samples.withUnsafeBufferPointer { samples in
            rows.map { row -> Int in
                for level in 0..<FoldBands.levels { histogram[level] = 0 }
                for place in stride(from: row * width, to: (row + 1) * width, by: across) {
                    histogram[Int(samples[place])] += 1
                }
                var (level, left) = (FoldBands.levels - 1, share)
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
        for index in 0...levels.count
        where index == levels.count || Double(levels[index]) < FoldLimits.Bands.darker * paper {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        guard Double(longest.count) >= FoldLimits.Bands.minimumShare * Double(levels.count) else { return all }
        let end = longest.upperBound == levels.count ? all.upperBound : rows[longest.upperBound]
        return rows[longest.lowerBound]..<end
    }
}
