internal import LayoutAnalysis
internal import PageModel

internal import func Glibc.tan

/// The sizes in a projection of ink, and bounds for any image.
///
/// A step is a unit, a 620th of the page's shorter side. Chosen with `SkewLimits` on the same pages.
enum InkProfileLimits {
    /// The numbers of cells of a page, across its lines of text and along them.
    static let (cellRows, cellColumns) = (4, 3)
    /// The breadth of a strip along the lines, in steps. At 15 degrees the ink of a strip is off by one step at most.
    static let stripBreadth = 7.0
    /// The minimum unit in pixels that counts, so that the number of steps stays small.
    static let minimumUnit = 0.1
    /// The maximum numbers of steps and of strips.
    static let (steps, strips) = (0...1_000_000, 0...10_000)
    /// The amounts of ink of a piece, in pixels, so that their sums do not overflow.
    static let weights = 1...1000
}

/// The ink of a page projected along its lines of text: the amount at each height of the page.
struct InkProfile {
    /// A piece of a run of ink.
    struct Point {
        /// The positions across the lines of text, and along them, in pixels.
        var across: Double
        var along: Double
        var weight: Double
    }

    /// The unevenness of a profile.
    struct Unevenness {
        /// The sum of the squares of its bins.
        var squares = 0.0
        /// The sum of the squared differences between neighboring bins.
        var differences = 0.0
    }

    let points: [Point]
    /// The maximum distance of a point from the middle, across and along.
    let reach: Double

    init(_ points: [Point]) {
        let across = points.map(\.across), along = points.map(\.along)
        let middle = (
            across: ((across.min() ?? 0) + (across.max() ?? 0)) / 2,
            along: ((along.min() ?? 0) + (along.max() ?? 0)) / 2
        )
        self.points = points.map {
            Point(across: $0.across - middle.across, along: $0.along - middle.along, weight: $0.weight)
        }
        reach = self.points.reduce(0) { max($0, abs($1.across), abs($1.along)) }
    }

    var count: Int { points.count }

    /// The profiles of the half above the middle of the text, of that below, and of those at its two sides.
    var halves: [InkProfile] {
        [
            InkProfile(points.filter { $0.across < 0 }), InkProfile(points.filter { $0.across >= 0 }),
            InkProfile(points.filter { $0.along < 0 }), InkProfile(points.filter { $0.along >= 0 }),
        ]
    }

    /// Returns the profiles of twelve cells, three along the lines and four across, with equal parts of the text in each row.
    func cells(angle: Double) -> [InkProfile] {
        let slope = tan(angle.radians)
        let sorted = points.sorted { $0.across + $0.along * slope < $1.across + $1.along * slope }
        return InkProfile.parts(sorted, InkProfileLimits.cellRows).flatMap { row in
            InkProfile.parts(row.sorted { $0.along < $1.along }, InkProfileLimits.cellColumns).map { InkProfile($0) }
        }
    }

    private static func parts(_ points: [Point], _ count: Int) -> [[Point]] {
        (0..<count).map { Array(points[$0 * points.count / count..<($0 + 1) * points.count / count]) }
    }

    /// Returns the unevenness of the profile along lines at a counterclockwise angle in degrees, in bins of `width` pixels.
    func unevenness(degrees: Double, width: Double) -> Unevenness {
        let slope = tan(degrees.radians)
        let middle = Int(clamping: reach * (1 + abs(slope)) / width, to: InkProfileLimits.steps) + 2
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * middle + 2) { bins in
            bins.initialize(repeating: 0)
            let scale = 1 / width
            for point in points {
                let place = (point.across + point.along * slope) * scale + Double(middle)
                let bin = Int(place)
                let part = (place - Double(bin)) * point.weight
                bins[bin] += point.weight - part
                bins[bin + 1] += part
            }
            var result = Unevenness()
            var last = 0.0
            for bin in bins {
                result.squares += bin * bin
                result.differences += (bin - last) * (bin - last)
                last = bin
            }
            return result
        }
    }
}

/// A faster profile in coarse steps, for many angles.
///
/// The ink is put into strips across the lines. For each angle the strips are shifted against each other as wholes.
struct InkStrips {
    private typealias Vector = SIMD16<UInt16>

    /// For each strip the amount of ink at each height, in steps of a unit; 0 at both ends of it.
    private var rows: [UInt16]
    /// The steps of each strip that have ink, as whole vectors.
    private let inked: [Range<Int>]
    /// The length in steps: a whole number of vectors.
    private let length: Int
    private let count: Int
    private let reach: Double

    init(_ profile: InkProfile, unit: Double) {
        reach = profile.reach / max(unit, InkProfileLimits.minimumUnit)
        let half = Int(clamping: (reach / InkProfileLimits.stripBreadth).rounded(.up), to: InkProfileLimits.strips)
        let middle = Int(clamping: reach, to: InkProfileLimits.steps) + 2
        (count, length) = (2 * half + 1, (2 * middle / Vector.scalarCount + 1) * Vector.scalarCount)
        rows = [UInt16](repeating: 0, count: count * length)
        var inked = [Range<Int>](repeating: 0..<0, count: count)
        for point in profile.points {
            let strip =
                Int(clamping: (point.along / unit / InkProfileLimits.stripBreadth).rounded(), to: -half...half) + half
            let row = Int(clamping: (point.across / unit).rounded(), to: -middle...middle - 1) + middle
            rows[strip * length + row] &+= UInt16(
                clamping: Int(clamping: point.weight.rounded(), to: InkProfileLimits.weights))
            let vector = row / Vector.scalarCount * Vector.scalarCount
            let steps = inked[strip].isEmpty ? vector..<vector : inked[strip]
            inked[strip] = min(steps.lowerBound, vector)..<max(steps.upperBound, vector + Vector.scalarCount)
        }
        self.inked = inked
    }

    /// Returns the unevenness of the profile along lines at a counterclockwise angle in degrees, in bins of two units.
    func unevenness(degrees: Double) -> InkProfile.Unevenness {
        let slope = tan(degrees.radians)
        let maximumShift =
            Int(
                clamping: (Double(count / 2) * InkProfileLimits.stripBreadth * abs(slope)).rounded(.up),
                to: InkProfileLimits.steps) + 1
        let whole = length + 2 * maximumShift + Vector.scalarCount
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: whole) { sums in
            sums.initialize(repeating: 0)
            rows.withUnsafeBytes { rows in
                let sums = UnsafeMutableRawBufferPointer(sums)
                for strip in 0..<count {
                    let shift = (Double(strip - count / 2) * InkProfileLimits.stripBreadth * slope).rounded()
                    let first = maximumShift + Int(clamping: shift, to: -maximumShift...maximumShift)
                    let steps = inked[strip]
                    for step in stride(from: steps.lowerBound, to: steps.upperBound, by: Vector.scalarCount) {
                        let place = 2 * (first + step)
                        let row = rows.loadUnaligned(
                            fromByteOffset: 2 * (strip * length + step), as: Vector.self)
                        let sum = sums.loadUnaligned(fromByteOffset: place, as: Vector.self)
                        sums.storeBytes(of: sum &+ row, toByteOffset: place, as: Vector.self)
                    }
                }
            }
            var result = InkProfile.Unevenness()
            var last = 0
            // Each bin includes ink near it by its distance, because two bins would share a point between them.
            for row in stride(from: 1, to: whole - 2, by: 2) {
                let bin = Int(sums[row - 1]) + 3 * Int(sums[row]) + 3 * Int(sums[row + 1]) + Int(sums[row + 2])
                result.squares += Double(bin * bin)
                result.differences += Double((bin - last) * (bin - last))
                last = bin
            }
            return result
        }
    }
}
