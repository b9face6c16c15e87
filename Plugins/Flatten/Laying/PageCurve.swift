internal import Marks
internal import PageModel

/// The curvature of a page according to its lines of text.
enum PageCurve {
    case tooFewLines
    case straight(CurvedLines)
    /// The curve of one half of the lines does not straighten the other.
    case disagreeing(CurvedLines)
    case curved(CurvedLines)
    /// Several pieces of paper, each rotated by itself.
    case separateItems

    /// - Parameter raster: gray of 8 bits. If its lines run down the page, it is to be transposed.
    init(_ raster: Raster) {
        guard let letters = Letters(raster) else {
            self = .tooFewLines
            return
        }
        var gap = FlattenLimits.Curve.wordGap
        var first = CurvedLines(letters, .soft, maximumGap: gap)
        if first?.long.count ?? 0 < FlattenLimits.Curve.minimumLines {
            // Words may be far apart, as in tables and lists.
            gap = FlattenLimits.Curve.columnGap
            first = CurvedLines(letters, .soft, maximumGap: gap) ?? first
        }
        guard let soft = first, soft.long.count >= FlattenLimits.Curve.minimumLines else {
            self = .tooFewLines
            return
        }
        guard soft.bow >= FlattenLimits.Curve.minimumBow * letters.height else {
            self = .straight(soft)
            return
        }
        var better = (lines: soft, left: soft.bowLeftByOthers)
        if let stiff = CurvedLines(letters, .stiff, maximumGap: gap) {
            let left = stiff.bowLeftByOthers
            if left < FlattenLimits.Curve.clearlyBetter * better.left { better = (stiff, left) }
        }
        let maximum = min(
            FlattenLimits.Curve.maximumRemainingShare * soft.bow,
            FlattenLimits.Curve.maximumRemainingBow * letters.height)
        guard better.left <= maximum else {
            self = .disagreeing(better.lines)
            return
        }
        self = SeparateItems.areShown(by: letters) ? .separateItems : .curved(better.lines)
    }
}

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
        lines = follow()
        height = letters.height
        let width = surface.across.upperBound - surface.across.lowerBound
        let long = lines.filter { $0[$0.count - 1].right - $0[0].left >= FlattenLimits.Curve.minimumShare * width }
        self.long = long
        let height = height
        bow = CurvedLines.usual(long.map { LineCurve($0, height: height, rise: surface.fall).bow })
    }

    /// The bow or slant of long lines that remains on the surface computed from the other half of them, in units of `bow`.
    var bowLeftByOthers: Double {
        let halves = [0, 1].map { half in long.indices.filter { $0 % 2 == half }.map { long[$0] } }
        var left: [Double] = []
        for half in 0..<2 {
            guard let other = LineSurface(halves[1 - half], known: surface, height: height, stiffness) else {
                return .infinity
            }
            left += halves[half].map { line in
                LineCurve(line, height: height) { piece in
                    let fall = surface.fall(piece)
                    return fall + other.rise(at: piece.middle, (piece.top + piece.bottom) / 2 + fall)
                }.climb
            }
        }
        return CurvedLines.usual(left)
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
}
