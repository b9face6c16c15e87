/// The uniform cubic B-splines that are not 0 at a place from 0 to 1. Their sum is 1 everywhere.
///
/// Outside of that range they continue straight for a while.
struct CubicSplines {
    /// The number of splines that are not 0 at a place.
    static let count = 4

    /// The number of the first of them.
    let first: Int
    /// The values of the four.
    let values: SIMD4<Double>

    /// The polynomials of the second, the third and the fourth spline (de Boor, "A Practical Guide to Splines", 1978).
    ///
    /// There is a coefficient for each power of the place between two knots, and a common divisor. The first is a cube.
    private enum Polynomials {
        static let cube = SIMD4<Double>(0, 3, -3, 1)
        static let square = SIMD4<Double>(0, -6, 3, 0)
        static let line = SIMD4<Double>(0, 0, 3, 0)
        static let constant = SIMD4<Double>(0, 4, 1, 0)
        static let divisor = 6.0
    }

    /// The same for their slopes. The first is a square.
    private enum Derivatives {
        static let square = SIMD4<Double>(0, 3, -3, 1)
        static let line = SIMD4<Double>(0, -4, 2, 0)
        static let constant = SIMD4<Double>(0, 0, 1, 0)
        static let divisor = 2.0
    }

    /// - Parameters:
    ///   - share: the place.
    ///   - knots: the number of all splines.
    ///   - furthest: the distance from the range over which they continue.
    init(at share: Double, knots: Int, furthest: Double) {
        let inside = min(1, max(0, share))
        let pieces = Double(knots - (CubicSplines.count - 1))
        let place = inside * pieces
        let first = min(Int(place), knots - CubicSplines.count)
        let t = place - Double(first)
        let beyond = min(furthest, max(-furthest, share - inside)) * pieces
        let (a, b, c, d) = (1 - t, t * t, t * t * t, (1 - t) * (1 - t))
        var values = Polynomials.cube * c + Polynomials.square * b + Polynomials.line * t + Polynomials.constant
        values[0] = a * d
        var slopes = Derivatives.square * b + Derivatives.line * t + Derivatives.constant
        slopes[0] = -d
        self.first = first
        self.values = values / Polynomials.divisor + beyond * (slopes / Derivatives.divisor)
    }
}
