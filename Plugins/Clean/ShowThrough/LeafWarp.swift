internal import PageModel

/// The place on the mirrored other side of a leaf that lies below each pixel of a page.
///
/// It is an affine map, and the distance from it in each block of the page.
struct LeafWarp: Sendable {
    /// The factors of 1, x and y, from the middles of both planes.
    private var (u, v): (SIMD3<Float>, SIMD3<Float>)
    let across: Int
    let down: Int
    private var offsets: [SIMD2<Float>]

    /// - Parameters:
    ///   - x: the shift across, in pixels.
    ///   - y: the shift down.
    ///   - across: the number of blocks.
    ///   - down: the number of blocks.
    init(x: Float, y: Float, across: Int, down: Int) {
        (u, v) = (SIMD3(x, 1, 0), SIMD3(y, 0, 1))
        (self.across, self.down) = (across, down)
        offsets = [SIMD2<Float>](repeating: .zero, count: across * down)
    }

    /// The same map between planes of twice the size.
    var doubled: LeafWarp {
        var result = self
        (result.u[0], result.v[0]) = (2 * u[0], 2 * v[0])
        result.offsets = offsets.map { 2 * $0 }
        return result
    }

    /// Returns the other side at each pixel of a plane. There is nothing outside of the other side.
    func applied(to mirrored: Plane, width: Int, height: Int) -> Plane {
        var result = Plane(width: width, height: height, repeating: 0)
        let (wide, high) = (mirrored.width, mirrored.height)
        let middle = SIMD2(Float(width - 1), Float(height - 1)) / 2
        let other = SIMD2(Float(wide - 1), Float(high - 1)) / 2
        let columns = GridPlace.all(width, across)
        result.values.withUnsafeMutableBufferPointer { output in
            mirrored.values.withUnsafeBufferPointer { input in
                for y in 0..<height {
                    let nodes = nodes(of: GridPlace(y, height, down))
                    let dy = Float(y) - middle.y
                    for x in 0..<width {
                        let column = columns[x]
                        let offset = nodes[column.first] + (nodes[column.next] - nodes[column.first]) * column.share
                        let dx = Float(x) - middle.x
                        let px = other.x + u[0] + u[1] * dx + u[2] * dy + offset.x
                        let py = other.y + v[0] + v[1] * dx + v[2] * dy + offset.y
                        // The maps are finite, and a place within the plane fits a whole number.
                        guard px >= 0, py >= 0, px < Float(wide &- 1), py < Float(high &- 1) else { continue }
                        let (left, top) = (px.rounded(.down), py.rounded(.down))
                        let place =
                            Int(clamping: Double(top), to: 0...high) &* wide
                            &+ Int(clamping: Double(left), to: 0...wide)
                        let (fx, fy) = (px - left, py - top)
                        let one = input[place] + (input[place &+ 1] - input[place]) * fx
                        let two = input[place &+ wide] + (input[place &+ wide &+ 1] - input[place &+ wide]) * fx
                        output[y &* width &+ x] = one + (two - one) * fy
                    }
                }
            }
        }
        return result
    }

    /// The offsets of the columns of blocks in a row of pixels.
    private func nodes(of row: GridPlace) -> [SIMD2<Float>] {
        (0..<across).map { x in
            let (upper, lower) = (offsets[row.first * across + x], offsets[row.next * across + x])
            return upper + (lower - upper) * row.share
        }
    }

    /// Improves the map by the shift at which each block of the page fits best.
    ///
    /// - Parameters:
    ///   - print: the mirrored print of the other side.
    ///   - reach: the maximum shift, in pixels.
    ///   - bends: whether blocks may keep a distance from the affine map.
    mutating func refine(_ side: LeafSide, _ print: Plane, reach: Int, bends: Bool) {
        let size = (width: side.paper.width, height: side.paper.height)
        let whole = Plane(width: size.width, height: size.height, repeating: 1)
        let behind = applied(to: print, width: size.width, height: size.height).withoutLayout(on: whole)
        let peaks = (0..<across * down).map { block in
            let (column, row) = (block % across, block / across)
            return BlockPeak(
                side, behind, column * size.width / across..<(column + 1) * size.width / across,
                row * size.height / down..<(row + 1) * size.height / down, reach)
        }
        let fit = AffineFit(peaks, middle: SIMD2(Float(size.width - 1), Float(size.height - 1)) / 2)
        u += fit.u
        v += fit.v
        guard bends else { return }
        for place in peaks.indices {
            var (sum, total) = (SIMD2<Float>.zero, ShowThroughLimits.stiffness)
            for other in peaks.indices {
                let far = SIMD2(Float(place % across - other % across), Float(place / across - other / across))
                let near = 1 + (far * far).sum() * (far * far).sum()
                sum += fit.weights[other] / near * fit.residuals[other]
                total += fit.weights[other] / near
            }
            offsets[place] += sum / total
        }
    }
}
