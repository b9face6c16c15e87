internal import PageModel

/// The reduction of gray samples to a few levels, which spreads the error of each pixel over its neighbors in light.
/// `PairDiffusion` does it for sixteen levels.
///
/// An eye averages the light of pixels, not their samples. So errors are sums of light, and the weights are those of Floyd and
/// Steinberg.
///
/// - White, black and lines of one pixel take the nearest level. They pass most of their error on.
/// - Any other pixel takes one of the two levels around its sample.
/// - The direction alternates from line to line.
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
                nearest: stored[nearest], isFixed: GrayLines.isPlain(sample) || lower == upper)
        }
        noise = levels == 2 ? BlueNoise.ranks.map { $0 * ErrorDiffusion.noiseShare / 256 } : []
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
        for y in 0..<height {
            errors.withUnsafeMutableBufferPointer { errors in
                below.withUnsafeMutableBufferPointer { below in
                    line(
                        y, GrayLines(samples: samples, width: width, height: height), errors: errors, below: below,
                        into: levels)
                }
            }
            swap(&errors, &below)
        }
    }

    @inline(__always)
    private func line(
        _ y: Int, _ lines: GrayLines, errors: UnsafeMutableBufferPointer<Int32>,
        below: UnsafeMutableBufferPointer<Int32>, into levels: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (width, first) = (lines.width, y * lines.width)
        let step = y & 1 == 0 ? 1 : -1
        var x = step == 1 ? 0 : width - 1
        let noiseRow = (y % BlueNoise.side) * BlueNoise.side
        // The errors for the next pixel, and for those below the last and this one.
        var (ahead, belowLast, belowThis): (Int32, Int32, Int32) = (0, 0, 0)
        var number = 0
        choices.withUnsafeBufferPointer { choices in
            while number < width {
                let place = first &+ x
                let start = step == 1 ? x : x &- 7
                if ahead | belowLast | belowThis == 0, number &+ 8 <= width, lines.arePlain(start, y),
                    (start &+ 1...start &+ 8).reduce(0, { $0 | errors[$1] }) == 0
                {
                    let level = lines.samples[place]
                    for x in start..<start &+ 8 {
                        levels[first &+ x] = level
                        below[x &+ 1 &- step] = 0
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
                    if !noise.isEmpty { threshold &+= noise[noiseRow &+ x & (BlueNoise.side &- 1)] }
                    let isBright = wanted &- choice.dark > ((choice.bright &- choice.dark) &* threshold) >> 8
                    level = isBright ? choice.upper : choice.lower
                    error = wanted &- (isBright ? choice.bright : choice.dark)
                }
                levels[place] = level
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

    /// The light of white. Its product with 256ths fits into 32 bits.
    private static let white: Int32 = 1 << 16 - 1
    /// The part of the noise in the threshold, in 256ths.
    private static let noiseShare: Int32 = 128
}
