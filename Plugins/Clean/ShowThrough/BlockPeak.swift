/// The shift at which a block of a page fits best on the print on its other side.
struct BlockPeak {
    let middle: SIMD2<Float>
    private(set) var shift = SIMD2<Float>.zero
    /// 0 if nothing fits.
    private(set) var weight: Float = 0

    init(_ side: LeafSide, _ behind: Plane, _ columns: Range<Int>, _ rows: Range<Int>, _ reach: Int) {
        middle = SIMD2(Float(columns.lowerBound + columns.upperBound), Float(rows.lowerBound + rows.upperBound)) / 2
        let (left, right) = (max(columns.lowerBound, reach), min(columns.upperBound, behind.width - reach))
        let (top, bottom) = (max(rows.lowerBound, reach), min(rows.upperBound, behind.height - reach))
        guard left < right, top < bottom else { return }
        let wide = 2 * reach + 1
        let step = bottom - top > 2 * reach ? 2 : 1
        var stains: Float = 0
        for y in stride(from: top, to: bottom, by: step) {
            for x in left..<right {
                stains += side.stain.values[y * behind.width + x] * side.stain.values[y * behind.width + x]
            }
        }
        let scores = (0..<wide * wide).map { place in
            let offset = (place / wide - reach) * behind.width + place % wide - reach
            let found = side.products(behind, left..<right, top..<bottom, step: step, offset: offset)
            return correlation(found.sum, stains * found.squares)
        }
        guard let place = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[place] > 0 else { return }
        let (x, y) = (place % wide, place / wide)
        // At the edge of the reach, the true maximum may be beyond it.
        guard x > 0, y > 0, x < wide - 1, y < wide - 1 else { return }
        func vertex(_ before: Float, _ after: Float) -> Float {
            let bend = before - 2 * scores[place] + after
            return bend < 0 ? (before - after) / (2 * bend) : 0
        }
        let part = SIMD2(
            vertex(scores[place - 1], scores[place + 1]), vertex(scores[place - wide], scores[place + wide]))
        shift = SIMD2(Float(x - reach), Float(y - reach)) + part
        weight = scores[place] * scores[place] * Float((right - left) * (bottom - top)).squareRoot()
    }
}

/// The affine map that fits the shifts of blocks best. Blocks that fit by chance are off by more than the others.
struct AffineFit {
    private(set) var u = SIMD3<Float>.zero
    private(set) var v = SIMD3<Float>.zero
    private(set) var weights: [Float]
    private(set) var residuals: [SIMD2<Float>]

    init(_ peaks: [BlockPeak], middle: SIMD2<Float>) {
        weights = peaks.map(\.weight)
        residuals = peaks.map(\.shift)
        let points = peaks.map { SIMD3<Float>(1, $0.middle.x - middle.x, $0.middle.y - middle.y) }
        for _ in 0..<4 {
            u = AffineFit.solve(points, peaks.map(\.shift.x), weights)
            v = AffineFit.solve(points, peaks.map(\.shift.y), weights)
            residuals = zip(peaks, points).map { $0.shift - SIMD2(($1 * u).sum(), ($1 * v).sum()) }
            weights = zip(peaks, residuals).map { $0.weight / (1 + ($1 * $1).sum()) }
        }
    }

    /// Returns the linear function that fits best. Where little is known, it is small.
    private static func solve(_ points: [SIMD3<Float>], _ values: [Float], _ weights: [Float]) -> SIMD3<Float> {
        let scale = max(1, points.map { max(abs($0[1]), abs($0[2])) }.max() ?? 1)
        let units = SIMD3<Float>(1, 1 / scale, 1 / scale)
        var rows = (0..<3).map { row in (0..<3).map { $0 == row ? (row == 0 ? 1.0 : 2.0) : 0.0 } + [0.0] }
        for (place, point) in points.enumerated() {
            let p = point * units
            for row in 0..<3 {
                for column in 0..<3 { rows[row][column] += Double(weights[place] * p[row] * p[column]) }
                rows[row][3] += Double(weights[place] * p[row] * values[place])
            }
        }
        // The matrix is positive definite: its diagonal has at least 1.
        for pivot in 0..<3 {
            for row in 0..<3 where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot..<4 { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        return SIMD3((0..<3).map { Float(rows[$0][3] / rows[$0][$0]) }) * units
    }
}
