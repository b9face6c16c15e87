internal import PageModel

/// The even ground between the printed areas on two facing pages: white, or black between black pages.
struct FoldGap: Equatable, Sendable {
    /// The columns of the bands, at mid-height.
    var columns: ClosedRange<Int>
    /// The pixels to the right for each pixel down.
    var slope: Double
    /// The number of columns at each edge of the bands that cannot be judged, because lines of that slope leave the bands there.
    var unjudgedColumns: Int
    /// For each column of the bands whether the line of that slope is free of print.
    private let evenColumns: [Bool]

    /// Returns the widest gap with its middle within a range of columns.
    static func widest(_ bands: FoldBands, slopes: [Double], middle: ClosedRange<Int>) -> FoldGap? {
        var best: FoldGap?
        for slope in slopes {
            let isEven = evenColumns(bands, slope: slope)
            var start: Int?
            for x in 0...bands.width {
                if x < bands.width && isEven[x] {
                    start = start ?? x
                } else if let first = start {
                    start = nil
                    guard x - first > best?.columns.count ?? 0, middle.contains((first + x - 1) / 2)
                    else { continue }
                    best = FoldGap(
                        columns: first...x - 1, slope: slope, unjudgedColumns: unjudgedColumns(bands, slope),
                        evenColumns: isEven)
                }
            }
        }
        return best
    }

    /// Whether most of the columns from one to another are free of print.
    func isEven(from first: Int, to last: Int) -> Bool {
        let columns = first...last
        return columns.count { evenColumns.indices.contains($0) && evenColumns[$0] } * FoldLimits.Gap.evenShare.of
            >= columns.count * FoldLimits.Gap.evenShare.even
    }

    private static func unjudgedColumns(_ bands: FoldBands, _ slope: Double) -> Int {
        max(abs(bands.shift(0, slope)), abs(bands.shift(bands.count - 1, slope)))
    }

    private static func evenColumns(_ bands: FoldBands, slope: Double) -> [Bool] {
        let allowed = Int(
            clamping: (FoldLimits.Gap.dirtShare * Double(bands.count)).rounded(.down), to: 0...bands.count)
        let shifts = (0..<bands.count).map { bands.shift($0, slope) }
        let (width, bins, contrast) = (bands.width, FoldLimits.Gap.bins, FoldLimits.Gap.contrast)
        var isEven = [Bool](repeating: false, count: width)
        var histogram = [Int](repeating: 0, count: bins)
        bands.means.withUnsafeBufferPointer { means in
            for x in 0..<width {
                for bin in 0..<bins { histogram[bin] = 0 }
                var seen = 0
                for band in 0..<bands.count where x + shifts[band] >= 0 && x + shifts[band] < width {
                    histogram[
                        Int(means[band * width + x + shifts[band]]) / Int(FoldBands.unit) * bins / FoldBands.levels] +=
                        1
                    seen += 1
                }
                // At the edges of the bands a slanted line is only partly visible.
                guard seen == bands.count else { continue }
                var (bin, left) = (0, seen / 2)
                while bin < bins - 1, histogram[bin] <= left {
                    left -= histogram[bin]
                    bin += 1
                }
                let ground = (2 * bin + 1) * (FoldBands.levels / 2) / bins
                var printed = 0
                for band in 0..<bands.count where x + shifts[band] >= 0 && x + shifts[band] < width {
                    let place = band * width + x + shifts[band]
                    if Int(bands.lows[place]) < ground - contrast || Int(bands.highs[place]) > ground + contrast {
                        printed += 1
                        if printed > allowed { break }
                    }
                }
                isEven[x] = printed <= allowed
            }
        }
        return isEven
    }
}
