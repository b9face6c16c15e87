internal import LayoutAnalysis

/// The course of a line of text across the page: a cubic through its letters.
struct LineCurve {
    /// The deviations of the line from straight, and from level, in pixels.
    ///
    /// Each is the difference between its highest and its lowest point, with or without removing its slope.
    let bow: Double
    let climb: Double
    /// The height by which its end is lower than on a level line, for each pixel across.
    let slope: Double
    let length: Double

    /// - Parameters:
    ///   - rise: the distance by which a letter is to be lowered.
    ///   - height: the usual height of a letter.
    init(_ line: [Letters.Piece], height: Double, rise: (Letters.Piece) -> Double = { _ in 0 }) {
        let (left, right) = (line[0].middle, line[line.count - 1].middle)
        let length = max(1, right - left)
        self.length = length
        func functions(_ share: Double) -> [Double] { [share, share * share, share * share * share] }
        let series = [\Letters.Piece.bottom, \.top].map { edge in
            line.map { piece in
                SeriesFit.Sample(
                    functions: functions(2 * (piece.middle - left) / length - 1).enumerated().map {
                        ($0.offset, $0.element)
                    },
                    value: piece[keyPath: edge] + rise(piece))
            }
        }
        // Hardly any, so that there is always a solution.
        let powers = functions(0).count
        let penalty = (0..<powers * powers).map { $0.isMultiple(of: powers + 1) ? FlattenLimits.Lines.penalty : 0 }
        let cubic = SeriesFit(series, count: powers, penalty: penalty, scale: FlattenLimits.Lines.scale * height)
            .coefficients
        let shares = (0...FlattenLimits.Lines.places).map { 2 * Double($0) / Double(FlattenLimits.Lines.places) - 1 }
        let values = shares.map { share in zip(functions(share), cubic).reduce(0) { $0 + $1.0 * $1.1 } }
        let squares = shares.reduce(0) { $0 + $1 * $1 }
        let tilt = zip(shares, values).reduce(0) { $0 + $1.0 * $1.1 } / squares
        let straight = zip(shares, values).map { $1 - tilt * $0 }
        slope = tilt * 2 / length
        bow = (straight.max() ?? 0) - (straight.min() ?? 0)
        climb = (values.max() ?? 0) - (values.min() ?? 0)
    }
}
