internal import LayoutAnalysis

/// The vertical displacement of each place of a page that makes its lines of text straight and level: a smooth function fitted to
/// those lines.
///
/// Across the page it is a cubic spline; down the page, each of the spline's coefficients is a quadratic. It moves places up and
/// down. For the page of an open book, seen from above, that is the effect of its curve on lines.
struct LineSurface {
    /// The part of the page with text, in pixels of the preview. Outside it the surface continues straight across, and constant
    /// down the page.
    let across: ClosedRange<Double>
    let down: ClosedRange<Double>
    private let coefficients: [Double]

    private static let (knots, powers) = (FlattenLimits.Surface.knots, FlattenLimits.Surface.powers)

    /// The resistance of a surface to bending: few letters cannot determine many bends.
    enum Stiffness {
        case soft
        case stiff

        /// The factor of the cost of bending.
        var factor: Double { self == .soft ? 1 : FlattenLimits.Surface.stiff }
    }

    /// Creates the surface on which lines are straightest and most nearly level. Its noise is estimated as well.
    ///
    /// - Parameters:
    ///   - known: the surface by which the letters' heights were measured. Nil for the heights on the image.
    ///   - height: the usual height of a letter.
    init?(_ lines: [[Letters.Piece]], known: LineSurface?, height: Double, _ stiffness: Stiffness) {
        let ends = lines.flatMap { [$0[0].left, $0[$0.count - 1].right] }
        let tops = lines.flatMap { $0.map { ($0.top + $0.bottom) / 2 } }
        guard let left = ends.min(), let right = ends.max(), let top = tops.min(), let bottom = tops.max(),
            right - left > height, bottom - top > height
        else { return nil }
        let (across, down) = (left...right, top...bottom)
        (self.across, self.down) = (across, down)
        var series: [[SeriesFit.Sample]] = []
        for line in lines {
            // The bottoms of letters are on one line, and the tops of those without ascenders on another.
            for edge in [\Letters.Piece.bottom, \.top] {
                series.append(
                    line.map { piece in
                        let middle = (piece.top + piece.bottom) / 2
                        let rise = known?.rise(onFlat: middle, at: piece.middle) ?? 0
                        return SeriesFit.Sample(
                            functions: LineSurface.functions(piece.middle, middle - rise, across, down),
                            value: rise - piece[keyPath: edge])
                    })
            }
        }
        let fit = SeriesFit(
            series, count: LineSurface.knots * LineSurface.powers, penalty: LineSurface.penalty(stiffness),
            scale: FlattenLimits.Lines.scale * height)
        coefficients = fit.coefficients
    }

    /// Returns the number of pixels by which a place of the page moves down in dewarping.
    func rise(at x: Double, _ y: Double) -> Double {
        let splines = LineSurface.splines(x, across)
        let height = LineSurface.height(y, down)
        var rise: Double = 0
        for knot in 0..<CubicSplines.count {
            let place = splines.first + knot
            let line = coefficients[place + LineSurface.knots] + coefficients[place + 2 * LineSurface.knots] * height
            rise += splines.values[knot] * (coefficients[place] + line * height)
        }
        return rise
    }

    /// Returns the same for a place of the flat page.
    func rise(onFlat y: Double, at x: Double) -> Double {
        var rise: Double = 0
        // Nearby places move alike, so that each round is nearer.
        for _ in 0..<FlattenLimits.Surface.rounds { rise = self.rise(at: x, y - rise) }
        return rise
    }

    /// Returns the splines that are not 0 at a place across the page.
    private static func splines(_ x: Double, _ across: ClosedRange<Double>) -> CubicSplines {
        CubicSplines(
            at: (x - across.lowerBound) / (across.upperBound - across.lowerBound), knots: knots,
            furthest: FlattenLimits.Surface.furthest)
    }

    /// Returns the height from -1 at the top of the text to 1 at its bottom.
    private static func height(_ y: Double, _ down: ClosedRange<Double>) -> Double {
        min(1, max(-1, 2 * (y - down.lowerBound) / (down.upperBound - down.lowerBound) - 1))
    }

    /// Returns the values of the functions whose sum the surface is, except zeros.
    private static func functions(
        _ x: Double, _ y: Double, _ across: ClosedRange<Double>, _ down: ClosedRange<Double>
    ) -> [(index: Int, value: Double)] {
        let splines = splines(x, across)
        let height = height(y, down)
        var functions: [(index: Int, value: Double)] = []
        var power = 1.0
        for start in stride(from: splines.first, to: knots * powers, by: knots) {
            for knot in 0..<CubicSplines.count { functions.append((start + knot, splines.values[knot] * power)) }
            power *= height
        }
        return functions
    }

    /// Returns the cost of bends, and of quantities that the lines do not determine: their height and their distances. The mean
    /// across the page stays as it is.
    private static func penalty(_ stiffness: Stiffness) -> [Double] {
        let count = knots * powers
        var matrix = [Double](repeating: 0, count: count * count)
        for (power, bending) in FlattenLimits.Surface.bending.map({ $0 * stiffness.factor }).enumerated() {
            let first = power * knots
            for knot in 1..<knots - 1 {
                let difference = [(knot - 1, 1.0), (knot, -2.0), (knot + 1, 1.0)]
                for (row, one) in difference {
                    for (column, other) in difference {
                        matrix[(first + row) * count + first + column] += bending * one * other
                    }
                }
            }
            for row in 0..<knots {
                matrix[(first + row) * count + first + row] += FlattenLimits.Surface.size
                for column in 0..<knots { matrix[(first + row) * count + first + column] += 1 / Double(knots * knots) }
            }
        }
        return matrix
    }
}
