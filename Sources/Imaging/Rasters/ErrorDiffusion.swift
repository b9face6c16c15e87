internal import PageModel

/// The reduction of gray samples to a few levels, which spreads the error of each pixel over its neighbors in light.
///
/// An eye averages the light of pixels, not their samples. So errors are sums of light, and the weights are those of Floyd and
/// Steinberg.
///
/// - White, black and lines of one pixel take the nearest level. They pass most of their error on.
/// - Any other pixel takes one of the two levels around its sample.
/// - With sixteen levels, a pixel prefers the level that makes a PNG small: the one above it, and the one that followed the same
///   levels before (`LevelHistory`). Lines then have the direction of a PNG. With fewer levels, the direction alternates.
/// - With two levels, blue noise moves the threshold, so that no worms appear.
struct ErrorDiffusion {
    /// The light of each sample, and of each level by the sample that stores it.
    private let light: [Int32]
    private let levelLight: [Int32]
    /// The nearest level of each sample, and the levels around it, as stored: equal for the sample of a level.
    let nearest: [UInt8]
    private let lower: [UInt8]
    private let upper: [UInt8]
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
        var levelLight = light
        for (level, sample) in stored.enumerated() { levelLight[Int(sample)] = light[shown[level]] }
        (self.light, self.levelLight) = (light, levelLight)
        nearest = (0...255).map { stored[($0 * top + 127) / 255] }
        lower = (0...255).map { sample in stored[shown.lastIndex { $0 <= sample } ?? 0] }
        upper = (0...255).map { sample in stored[shown.firstIndex { $0 >= sample } ?? top] }
        noise = levels == 2 ? BlueNoise.ranks.map { $0 * ErrorDiffusion.noiseShare / 256 } : []
        prefersRepetition = levels == 16
    }

    /// Writes the level of each pixel, in samples of 8 bits.
    func run(
        _ samples: UnsafeBufferPointer<UInt8>, width: Int, height: Int, into levels: UnsafeMutableBufferPointer<UInt8>
    ) {
        // A pixel beyond each end takes the errors that leave the page.
        var errors = [Int32](repeating: 0, count: width + 2)
        var below = errors
        var history = prefersRepetition ? LevelHistory() : nil
        for y in 0..<height {
            errors.withUnsafeMutableBufferPointer { errors in
                below.withUnsafeMutableBufferPointer { below in
                    below.update(repeating: 0)
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

        @inline(__always) private func differs(_ place: Int, _ step: Int) -> Bool {
            let value = Int32(samples[place])
            let (one, other) = (Int32(samples[place &- step]) &- value, Int32(samples[place &+ step]) &- value)
            return min(one, other) > ErrorDiffusion.lineContrast || max(one, other) < -ErrorDiffusion.lineContrast
        }
    }

    @inline(__always)
    private func line(
        _ y: Int, _ lines: Lines, errors: UnsafeMutableBufferPointer<Int32>,
        below: UnsafeMutableBufferPointer<Int32>, _ history: inout LevelHistory?,
        into levels: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (width, first) = (lines.width, y * lines.width)
        let step = prefersRepetition || y & 1 == 0 ? 1 : -1
        history?.beginLine()
        var x = step == 1 ? 0 : width - 1
        let noiseRow = (y % BlueNoise.side) * BlueNoise.side
        light.withUnsafeBufferPointer { light in
            levelLight.withUnsafeBufferPointer { levelLight in
                for _ in 0..<width {
                    let place = first &+ x
                    let sample = Int(lines.samples[place])
                    let (low, high) = (lower[sample], upper[sample])
                    let (dark, bright) = (levelLight[Int(low)], levelLight[Int(high)])
                    let wanted = light[sample] &+ errors[x &+ 1]
                    var level = low
                    var error: Int32
                    if ErrorDiffusion.isPlain(sample) || low == high || lines.isLine(x, y, place) {
                        level = nearest[sample]
                        error = (wanted &- levelLight[Int(level)]) &* 3 / 4
                    } else {
                        var threshold: Int32 = 128
                        if let history {
                            threshold &+= shift(history.expected(x), low, high, by: ErrorDiffusion.repetition)
                            if y > 0 {
                                threshold &+= shift(levels[place &- width], low, high, by: ErrorDiffusion.inertia)
                            }
                        } else if !noise.isEmpty {
                            threshold &+= noise[noiseRow &+ x & (BlueNoise.side &- 1)]
                        }
                        if wanted &- dark > ((bright &- dark) &* threshold) >> 8 { level = high }
                        error = wanted &- levelLight[Int(level)]
                    }
                    let limit = max(bright &- dark, ErrorDiffusion.white >> 6)
                    error = min(max(error, -limit), limit)
                    errors[x &+ 1 &+ step] &+= (error &* 7) >> 4
                    below[x &+ 1 &- step] &+= (error &* 3) >> 4
                    below[x &+ 1] &+= (error &* 5) >> 4
                    below[x &+ 1 &+ step] &+= error >> 4
                    levels[place] = level
                    history?.append(level, x)
                    x &+= step
                }
            }
        }
    }

    /// Returns the shift of the threshold between two levels for a preferred level.
    @inline(__always)
    private func shift(_ level: UInt8, _ low: UInt8, _ high: UInt8, by shift: Int32) -> Int32 {
        level == low ? shift : level == high ? -shift : 0
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
