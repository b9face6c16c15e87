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

    private static let knots = 12
    private static let powers = 3
    /// The distance beyond the text over which the surface continues straight, as a fraction of the text's width.
    private static let furthest = 0.15
    /// The cost of bending for each power's spline, and the cost of size.
    private static let (bending, size) = ([3e-5, 1e-4, 1e-3], 1e-6)

    /// The resistance of a surface to bending: few letters cannot determine many bends.
    enum Stiffness: Double, CaseIterable {
        case soft = 1
        case stiff = 20
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
            scale: 0.3 * height)
        coefficients = fit.coefficients
    }

    /// Returns the number of pixels by which a place of the page moves down in dewarping.
    func rise(at x: Double, _ y: Double) -> Double {
        let (first, splines) = LineSurface.splines(LineSurface.share(x, across))
        let height = LineSurface.height(y, down)
        var rise = 0.0
        for knot in 0..<4 {
            let place = first + knot
            let line = coefficients[place + LineSurface.knots] + coefficients[place + 2 * LineSurface.knots] * height
            rise += splines[knot] * (coefficients[place] + line * height)
        }
        return rise
    }

    /// Returns the same for a place of the flat page.
    func rise(onFlat y: Double, at x: Double) -> Double {
        var rise = 0.0
        // Nearby places move alike, so that each round is nearer.
        for _ in 0..<12 { rise = self.rise(at: x, y - rise) }
        return rise
    }

    private static func share(_ x: Double, _ across: ClosedRange<Double>) -> Double {
        (x - across.lowerBound) / (across.upperBound - across.lowerBound)
    }

    /// Returns the height from -1 at the top of the text to 1 at its bottom.
    private static func height(_ y: Double, _ down: ClosedRange<Double>) -> Double {
        min(1, max(-1, 2 * (y - down.lowerBound) / (down.upperBound - down.lowerBound) - 1))
    }

    /// Returns the values of the functions whose sum the surface is, except zeros.
    private static func functions(
        _ x: Double, _ y: Double, _ across: ClosedRange<Double>, _ down: ClosedRange<Double>
    ) -> [(index: Int, value: Double)] {
        let (first, splines) = splines(share(x, across))
        let height = height(y, down)
        var functions: [(index: Int, value: Double)] = []
        var power = 1.0
        for start in stride(from: first, to: knots * powers, by: knots) {
            for knot in 0..<4 { functions.append((start + knot, splines[knot] * power)) }
            power *= height
        }
        return functions
    }

    /// Returns the four uniform cubic B-splines that are not 0 at a place from 0 to 1, and the number of the first.
    ///
    /// Outside they continue straight for a while.
    private static func splines(_ share: Double) -> (first: Int, SIMD4<Double>) {
        let inside = min(1, max(0, share))
        let pieces = Double(knots - 3)
        let place = inside * pieces
        let first = min(Int(place), knots - 4)
        let t = place - Double(first)
        let beyond = min(furthest, max(-furthest, share - inside)) * pieces
        let (a, b, c, d) = (1 - t, t * t, t * t * t, (1 - t) * (1 - t))
        let values = SIMD4(a * d, 3 * c - 6 * b + 4, -3 * c + 3 * b + 3 * t + 1, c) / 6
        let slopes = SIMD4(-d, 3 * b - 4 * t, -3 * b + 2 * t + 1, b) / 2
        return (first, values + beyond * slopes)
    }

    /// Returns the cost of bends, and of quantities that the lines do not determine: their height and their distances. The mean
    /// across the page stays as it is.
    private static func penalty(_ stiffness: Stiffness) -> [Double] {
        let count = knots * powers
        var matrix = [Double](repeating: 0, count: count * count)
        for (power, bending) in bending.map({ $0 * stiffness.rawValue }).enumerated() {
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
                matrix[(first + row) * count + first + row] += size
                for column in 0..<knots { matrix[(first + row) * count + first + column] += 1 / Double(knots * knots) }
            }
        }
        return matrix
    }
}
