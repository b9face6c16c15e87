/// The even ground between the contents of two facing pages: white, or black between black pages.
struct FoldGap: Equatable, Sendable {
    /// Columns of the bands, at mid-height.
    var columns: ClosedRange<Int>
    /// How far it goes right for each pixel down.
    var slope: Double
    /// For each column of the bands whether nothing is printed along the line of that slope.
    var isEven: [Bool]

    /// What differs this much from the ground is printed; grain, show-through and stains differ less.
    private static let contrast = 30
    /// Dust and hairs may lie in a gap, in that share of the bands.
    private static let dirt = 0.02
    /// The levels of the ground are told apart by 8.
    private static let bins = 32

    /// The widest gap whose middle lies within a range of columns.
    static func widest(_ bands: FoldBands, slopes: [Double], middle: ClosedRange<Double>) -> FoldGap? {
        var best: FoldGap?
        for slope in slopes {
            let isEven = evenColumns(bands, slope: slope)
            var start: Int?
            for x in 0...bands.width {
                if x < bands.width && isEven[x] {
                    start = start ?? x
                } else if let first = start {
                    start = nil
                    guard x - first > best?.columns.count ?? 0, middle.contains(Double(first + x - 1) / 2) else { continue }
                    best = FoldGap(columns: first...x - 1, slope: slope, isEven: isEven)
                }
            }
        }
        return best
    }

    /// Whether most of the columns from one to another are even.
    func isOpen(_ range: ClosedRange<Int>) -> Bool {
        range.count { isEven.indices.contains($0) && isEven[$0] } * 5 >= range.count * 4
    }

    private static func evenColumns(_ bands: FoldBands, slope: Double) -> [Bool] {
        let allowed = Int(dirt * Double(bands.count))
        let shifts = (0..<bands.count).map { bands.shift($0, slope) }
        let width = bands.width
        var isEven = [Bool](repeating: false, count: width)
        var histogram = [Int](repeating: 0, count: bins)
        bands.means.withUnsafeBufferPointer { means in
            for x in 0..<width {
                for bin in 0..<bins { histogram[bin] = 0 }
                var seen = 0
                for band in 0..<bands.count where x + shifts[band] >= 0 && x + shifts[band] < width {
                    histogram[Int(means[band * width + x + shifts[band]]) / Int(FoldBands.unit) * bins / 256] += 1
                    seen += 1
                }
                // At the edges of the bands a slanted line is seen in part only.
                guard seen * 10 > bands.count * 9 else { continue }
                var (bin, left) = (0, seen / 2)
                while bin < bins - 1, histogram[bin] <= left {
                    left -= histogram[bin]
                    bin += 1
                }
                let ground = (2 * bin + 1) * 128 / bins
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
