internal import func Glibc.exp

/// A square of thresholds whose neighbors differ, so that they show no pattern of low frequency (blue noise).
///
/// Ulichney's void filling: each next rank goes to the place that is farthest from the ranks before it, on a torus.
enum BlueNoise {
    /// The side of the square, a power of two.
    static let side = 32

    /// The ranks of the places, from -128 to 127, row by row.
    static let ranks: [Int32] = {
        let (mask, area) = (side - 1, side * side)
        let near = (0..<area).map { place in
            let (x, y) = (place & mask, place / side)
            let distances = [min(x, side - x), min(y, side - y)].map(Double.init)
            return exp(-(distances[0] * distances[0] + distances[1] * distances[1]) / (2 * spread * spread))
        }
        // Equal energies at the start would make a grid.
        var state: UInt64 = 1
        var energies = (0..<area).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) * 1e-9
        }
        var result = [Int32](repeating: 0, count: area)
        for rank in 0..<area {
            let place = energies.indices.min { energies[$0] < energies[$1] } ?? 0
            result[place] = Int32(rank * 256 / area - 128)
            energies[place] = .infinity
            let (x, y) = (place & mask, place / side)
            for other in 0..<area {
                energies[other] += near[((other / side - y) & mask) * side + ((other & mask) - x) & mask]
            }
        }
        return result
    }()

    /// The standard deviation of the energy around a rank, in pixels (Ulichney 1993).
    private static let spread = 1.5
}
