internal import LayoutAnalysis
internal import PageModel

/// The lines of a page, and the surface on which they would be straight.
struct CurvedLines {
    let surface: LineSurface
    private let stiffness: LineSurface.Stiffness
    /// The lines on the flat page.
    let lines: [[Letters.Piece]]
    /// The lines that are long enough to show a curve.
    let long: [[Letters.Piece]]
    /// The height of a letter, in pixels of the preview.
    let height: Double
    /// The deviation of lines from straight, in pixels of the preview: three of four deviate by at most that.
    let bow: Double
    /// The difference in height, over the length of a line, between the lines of the upper and of the lower half of the page.
    /// In pixels of the preview.
    ///
    /// Parallel lines have none. Lines diverge if the camera stood at an angle, or if the page rises towards a side.
    let divergence: Double

    /// Returns nil without lines.
    init?(_ letters: Letters, _ stiffness: LineSurface.Stiffness, maximumGap: Double) {
        var surface: LineSurface?
        func follow() -> [[Letters.Piece]] {
            TextLines(
                letters.pieces { surface?.rise(at: $0, $1) ?? 0 }, height: letters.height,
                width: Double(letters.size.width),
                maximumGap: maximumGap
            ).lines
        }
        for _ in 0..<FlattenLimits.Curve.rounds {
            guard let next = LineSurface(follow(), known: surface, height: letters.height, stiffness) else {
                return nil
            }
            surface = next
        }
        guard let surface else { return nil }
        (self.surface, self.stiffness) = (surface, stiffness)
        let height = letters.height
        self.height = height
        lines = follow()
        long = lines.filter(surface.isLong)
        let curves = long.sorted { $0[0].top < $1[0].top }
            .map { LineCurve($0, height: height, rise: surface.fall) }
        bow = CurvedLines.usual(curves.map(\.bow))
        let half = curves.count / 2
        let slopes = [curves.prefix(half), curves.suffix(half)].map { $0.map(\.slope).sorted() }
        divergence =
            half == 0 ? 0 : abs(slopes[0][half / 2] - slopes[1][half / 2]) * CurvedLines.usual(curves.map(\.length))
    }

    /// Whether the lines can show how a page is curved: enough long ones, or more in all and some of them long.
    var areEnough: Bool {
        long.count >= FlattenLimits.Curve.minimumLines
            || long.count >= FlattenLimits.Curve.Few.minimumLong && lines.count >= FlattenLimits.Curve.Few.minimumLines
    }

    var areBowed: Bool { bow >= FlattenLimits.Curve.minimumBow * height }

    var diverge: Bool { divergence >= FlattenLimits.Curve.minimumDivergence * height }

    /// Whether there are few long lines, so that short ones count too.
    private var areFew: Bool { long.count < FlattenLimits.Curve.minimumLines }

    /// The lines by which the page is judged.
    var judging: [[Letters.Piece]] { areFew ? lines : long }

    /// The bow or slant of long lines that remains on the surface computed from others, in pixels of the preview.
    ///
    /// The others are every second line; or if long ones are few, all but the line itself.
    var remainderByOthers: Double {
        let judging = judging
        let places = judging.indices.filter { surface.isLong(judging[$0]) }
        let parts: [Set<Int>] =
            areFew ? places.map { [$0] } : [0, 1].map { half in Set(places.filter { $0 % 2 == half }) }
        var left: [Double] = []
        for part in parts {
            let others = judging.indices.filter { !part.contains($0) }.map { judging[$0] }
            guard let other = LineSurface(others, known: surface, height: height, stiffness) else { return .infinity }
            left += part.map { place in
                LineCurve(judging[place], height: height) { piece in
                    let fall = surface.fall(piece)
                    return fall + other.rise(at: piece.middle, (piece.top + piece.bottom) / 2 + fall)
                }.climb
            }
        }
        return CurvedLines.usual(left)
    }

    /// The maximum remainder of lines that agree about the page, in pixels of the preview.
    var maximumRemainder: Double {
        let limits = FlattenLimits.Curve.self
        let shares = [
            limits.maximumRemainingShare * bow, diverge ? limits.maximumRemainingDivergence * divergence : 0,
        ]
        return min(shares.max() ?? 0, limits.maximumRemainingBow * height)
    }

    /// Returns the value that three of four values do not exceed.
    private static func usual(_ values: [Double]) -> Double {
        let usual = FlattenLimits.Curve.usual
        return values.isEmpty ? 0 : values.sorted()[values.count * usual.lines / usual.of]
    }
}

extension LineSurface {
    /// Returns the downward distance from a letter of the flat page to its place on the original page.
    func fall(_ piece: Letters.Piece) -> Double {
        -rise(onFlat: (piece.top + piece.bottom) / 2, at: piece.middle)
    }

    /// Returns whether a line covers enough of the text's width to show a curve.
    fileprivate func isLong(_ line: [Letters.Piece]) -> Bool {
        let width = across.upperBound - across.lowerBound
        return line[line.count - 1].right - line[0].left >= FlattenLimits.Curve.minimumShare * width
    }
}
