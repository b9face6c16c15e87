internal import PageModel

/// The reduction of gray samples to a few levels, which spreads the error of each pixel over its neighbors in light.
///
/// An eye averages the light of pixels, not their samples. So errors are sums of light, and the weights are those of Floyd and
/// Steinberg.
///
/// - White, black and lines of one pixel take the nearest level. They pass most of their error on.
/// - Any other pixel takes one of the two levels around its sample.
/// - With sixteen levels, a pixel prefers a level that makes a PNG small: the one above it. It also prefers the
///   one that followed the same levels before (`LevelHistory`). Lines then run as in a PNG. With fewer levels, the direction alternates.
/// - With two levels, blue noise moves the threshold, so that no worms appear.
struct ErrorDiffusion {
    /// The levels for a sample: the nearest one and those around it, as stored. Those around the sample of a level are equal.
    private struct Choice {
        var light: Int32
        var dark: Int32
        var bright: Int32
        var nearestLight: Int32
        /// The largest error that is passed on.
        var limit: Int32
        var lower: UInt8
        var upper: UInt8
        var nearest: UInt8
        /// Whether the sample is the nearest level in all cases.
        var isFixed: Bool
    }

    private let choices: [Choice]
    /// The thresholds that change by place; empty for none.
    private let noise: [Int32]
    /// Whether a pixel prefers the level that makes a PNG small.
    private let prefersRepetition: Bool

    /// - Parameters:
    ///   - levels: the number of levels that the screen shows, at least 2.
    ///   - bits: the bits of the samples that store them, enough for that number.
    init(levels: Int, bits: Int) {
        let (top, maximum) = (levels - 1, 1 << bits - 1)
        let shown = (0...top).map { ($0 * 255 + top / 2) / top }
        // Eight levels are stored as the nearest ones of sixteen.
        let stored = (0...top).map { UInt8(($0 * maximum + top / 2) / top * (255 / maximum)) }
        let white = ErrorDiffusion.white
        let light = SRGBCurve.light8.map { Int32(Int(clamping: Double($0) * Double(white), to: 0...Int(white))) }
        choices = (0...255).map { sample in
            let lower = shown.lastIndex { $0 <= sample } ?? 0
            let upper = shown.firstIndex { $0 >= sample } ?? top
            let nearest = (sample * top + 127) / 255
            let (dark, bright) = (light[shown[lower]], light[shown[upper]])
            return Choice(
                light: light[sample], dark: dark, bright: bright, nearestLight: light[shown[nearest]],
                limit: max(bright - dark, white >> 6), lower: stored[lower], upper: stored[upper],
                nearest: stored[nearest], isFixed: ErrorDiffusion.isPlain(sample) || lower == upper)
        }
        noise = levels == 2 ? BlueNoise.ranks.map { $0 * ErrorDiffusion.noiseShare / 256 } : []
        prefersRepetition = levels == 16
    }

    /// The nearest level of each sample, as stored.
    var nearest: [UInt8] { choices.map(\.nearest) }

    /// Writes the level of each pixel, in samples of 8 bits.
    func run(
        _ samples: UnsafeBufferPointer<UInt8>, width: Int, height: Int, into levels: UnsafeMutableBufferPointer<UInt8>
    ) {
        // A pixel beyond each end takes the errors that leave the page.
        var errors = [Int32](repeating: 0, count: width + 2)
        var below = errors
        var history = LevelHistory()
        for y in 0..<height {
            errors.withUnsafeMutableBufferPointer { errors in
                below.withUnsafeMutableBufferPointer { below in
                    line(
                        y, Lines(samples: samples, width: width, height: height), errors: errors, below: below,
                        &history, into: levels)
                }
            }
            swap(&errors, &below)
        }
    }

    private struct Lines {
        let samples: UnsafeBufferPointer<UInt8>
        let width: Int
        let height: Int

        /// Whether a pixel belongs to a line of one pixel: it differs from both neighbors across, but not along. A dot differs
        /// in both directions.
        @inline(__always) func isLine(_ x: Int, _ y: Int, _ place: Int) -> Bool {
            let differsAside = x > 0 && x < width &- 1 && differs(place, 1)
            return differsAside != (y > 0 && y < height &- 1 && differs(place, width))
        }

        /// Whether eight pixels from `x` on are black or white, and no error comes from above.
        @inline(__always) func isPlain(_ y: Int, _ x: Int, _ errors: UnsafeMutableBufferPointer<Int32>) -> Bool {
            let pixels = UnsafeRawBufferPointer(samples).loadUnaligned(fromByteOffset: y &* width &+ x, as: UInt64.self)
            guard pixels == 0 || pixels == .max else { return false }
            return (x &+ 1...x &+ 8).reduce(0) { $0 | errors[$1] } == 0
        }

        @inline(__always) private func differs(_ place: Int, _ step: Int) -> Bool {
            let value = Int32(samples[place])
            let (one, other) = (Int32(samples[place &- step]) &- value, Int32(samples[place &+ step]) &- value)
            return min(one, other) > ErrorDiffusion.lineContrast || max(one, other) < -ErrorDiffusion.lineContrast
        }
    }

    @inline(__always)
    private func line(
        _ y: Int, _ lines: Lines, errors: UnsafeMutableBufferPointer<Int32>,
        below: UnsafeMutableBufferPointer<Int32>, _ history: inout LevelHistory,
        into levels: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (width, first) = (lines.width, y * lines.width)
        let step = prefersRepetition || y & 1 == 0 ? 1 : -1
        history.beginLine()
        var x = step == 1 ? 0 : width - 1
        let noiseRow = (y % BlueNoise.side) * BlueNoise.side
        // The errors for the next pixel, and for those below the last and this one.
        var (ahead, belowLast, belowThis): (Int32, Int32, Int32) = (0, 0, 0)
        var number = 0
        choices.withUnsafeBufferPointer { choices in
            while number < width {
                let place = first &+ x
                let start = step == 1 ? x : x &- 7
                if ahead | belowLast | belowThis == 0, number &+ 8 <= width, lines.isPlain(y, start, errors) {
                    let level = lines.samples[place]
                    for x in start..<start &+ 8 {
                        levels[first &+ x] = level
                        below[x &+ 1 &- step] = 0
                        if prefersRepetition { history.append(level, x) }
                    }
                    (number, x) = (number &+ 8, x &+ 8 &* step)
                    continue
                }
                let choice = choices[Int(lines.samples[place])]
                let wanted = choice.light &+ errors[x &+ 1] &+ ahead
                var (level, error): (UInt8, Int32)
                if choice.isFixed || lines.isLine(x, y, place) {
                    level = choice.nearest
                    error = (wanted &- choice.nearestLight) &* 3 / 4
                } else {
                    var threshold: Int32 = 128
                    if prefersRepetition {
                        threshold &+= shift(history.expected(x), choice, by: ErrorDiffusion.repetition)
                        if y > 0 { threshold &+= shift(levels[place &- width], choice, by: ErrorDiffusion.inertia) }
                    } else if !noise.isEmpty {
                        threshold &+= noise[noiseRow &+ x & (BlueNoise.side &- 1)]
                    }
                    let isBright = wanted &- choice.dark > ((choice.bright &- choice.dark) &* threshold) >> 8
                    level = isBright ? choice.upper : choice.lower
                    error = wanted &- (isBright ? choice.bright : choice.dark)
                }
                levels[place] = level
                if prefersRepetition { history.append(level, x) }
                error = min(max(error, -choice.limit), choice.limit)
                ahead = (error &* 7) >> 4
                below[x &+ 1 &- step] = belowLast &+ (error &* 3) >> 4
                belowLast = belowThis &+ (error &* 5) >> 4
                belowThis = error >> 4
                (number, x) = (number &+ 1, x &+ step)
            }
        }
        below[x &+ 1 &- step] = belowLast
        below[x &+ 1] = belowThis
    }

    /// Returns the shift of the threshold between two levels for a preferred level.
    @inline(__always) private func shift(_ level: UInt8, _ choice: Choice, by shift: Int32) -> Int32 {
        level == choice.lower ? shift : level == choice.upper ? -shift : 0
    }

    /// Whether a sample counts as white or black.
    @inline(__always) private static func isPlain(_ sample: Int) -> Bool {
        sample <= plainRange || sample >= 255 - plainRange
    }

    /// The difference up to which a sample counts as white or black: the noise of paper in a JPEG.
    private static let plainRange = 3

    /// The light of white. Its product with 256ths fits into 32 bits.
    private static let white: Int32 = 1 << 16 - 1
    /// The difference of a line from its neighbors, in samples: three of 16 levels.
    private static let lineContrast: Int32 = 51
    /// The part of the noise in the threshold, in 256ths.
    private static let noiseShare: Int32 = 128
    /// The shifts of the threshold for the level that followed the same levels before, and for the level above, in 256ths of a
    /// step. Larger shifts make a smaller PNG and a larger low-pass error; `Benchmarks/dither.py` shows both.
    private static let repetition: Int32 = 48
    private static let inertia: Int32 = 16
}
