internal import PageModel

/// The directions of strokes near an edge, row by row, and their extrapolation beyond it.
struct StrokeDirections {
    /// The rows down per column towards the page's edge.
    private(set) var slopes: [Float]
    /// The weight of each row in the extrapolation: a stroke counts much, plain paper little.
    private(set) var weights: [Float]
    /// The slants of strokes, −1 to 1: 0 if they are level, upright or missing.
    private(set) var slants: [Float]

    /// The divisor of the sums of a gradient kernel, for gradients in levels for each column or row.
    private static let kernelSum: Float = 4

    init(_ band: EdgeBand, _ column: Int) {
        let (rows, stride) = (SeamLimits.Band.rows, SeamLimits.Band.columns)
        var xx = [Float](repeating: 0, count: rows)
        var xy = xx
        var yy = xx
        for row in 1..<rows - 1 {
            for place in column..<min(stride - 2, column + SeamLimits.Strokes.breadth) {
                let at = row * stride + place
                // Towards the edge is from higher to lower columns.
                let across =
                    (2 * band.levels[at] + band.levels[at - stride] + band.levels[at + stride]
                        - 2 * band.levels[at + 1] - band.levels[at + 1 - stride] - band.levels[at + 1 + stride])
                    / StrokeDirections.kernelSum
                let down =
                    (band.levels[at + stride] + band.levels[at + stride + 1] - band.levels[at - stride]
                        - band.levels[at - stride + 1]) / StrokeDirections.kernelSum
                xx[row] += across * across
                xy[row] += across * down
                yy[row] += down * down
            }
        }
        xx = Smoothing.mean(xx, reach: 2)
        xy = Smoothing.mean(xy, reach: 2)
        yy = Smoothing.mean(yy, reach: 2)
        slopes = [Float](repeating: 0, count: rows)
        weights = [Float](repeating: SeamLimits.Strokes.paper, count: rows)
        slants = [Float](repeating: 0, count: rows)
        for row in 0..<rows {
            let sum = xx[row] + yy[row] + SeamLimits.Strokes.noise
            let difference = yy[row] - xx[row]
            let twice = 2 * xy[row]
            let root = (difference * difference + twice * twice).squareRoot()
            let coherence = root / sum
            // The gradient (1, m) is steepest across the stroke; the stroke has the slope −1 ∕ m.
            slants[row] = -2 * xy[row] / sum
            let lean = root + difference
            guard lean > SeamLimits.Strokes.minimumLean, abs(2 * xy[row]) < SeamLimits.Strokes.steepest * lean else {
                continue
            }
            let slope = -2 * xy[row] / lean
            // If strokes cross, or hardly exist, straight on is the better guess.
            slopes[row] = slope * min(1, SeamLimits.Strokes.trust * coherence)
            weights[row] += coherence * (sum.squareRoot() / SeamLimits.Strokes.strong)
        }
    }

    /// Extrapolates the levels and slants to a column `distance` columns away.
    ///
    /// Every row continues in the direction of its stroke. It is the eigenvector of the structure tensor with the least
    /// eigenvalue (Bigün and Granlund, "Optimal orientation detection of linear symmetry", 1987). Distances are positive towards
    /// the page's edge and beyond, negative into the page.
    ///
    /// - Parameter levels: the gray levels at the columns with these directions.
    func carry(_ levels: [Float], by distance: Float) -> (levels: [Float], slants: [Float]) {
        let rows = levels.count
        // Levels, slants and weights in one vector.
        var sums = [SIMD4<Float>](repeating: SIMD4(0, 0, SeamLimits.Strokes.minimumWeight, 0), count: rows)
        let spread = 1 / (SeamLimits.Strokes.spread + SeamLimits.Strokes.spreading * abs(distance))
        let reach = Int(clamping: Double((SeamLimits.Strokes.cutoff / spread).rounded(.up)), to: 1...max(1, rows))
        sums.withUnsafeMutableBufferPointer { sums in
            for row in 0..<rows {
                let target = Float(row) + slopes[row] * distance
                // In range: slopes are at most 1, and the distance is a gap's.
                let middle = Int(target.rounded())
                guard middle + reach >= 0, middle - reach < rows else { continue }
                let carried = SIMD4(levels[row], slants[row], 1, 0) * weights[row]
                for place in max(0, middle - reach)...min(rows - 1, middle + reach) {
                    let off = (Float(place) - target) * spread
                    // A bell without an exponential.
                    let slope = 1 + off * off
                    sums[place] += carried * (1 / (slope * slope))
                }
            }
        }
        return (sums.map { $0.x / $0.z }, sums.map { $0.y / $0.z })
    }
}
