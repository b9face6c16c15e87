internal import func Glibc.pow

/// The reduction of gray samples to sixteen levels, in pairs of pixels that make a PNG small.
///
/// A byte of such a PNG holds two pixels. Each pair takes the levels with the smallest sum of two costs:
///
/// - The bits of its byte (`ByteCopies`).
/// - The squares of its errors, as an eye sees them next to the brightest neighbor.
///
/// As in `ErrorDiffusion`, a pixel takes one of the levels around its sample, and errors spread with the weights of Floyd and
/// Steinberg. White, black and lines of one pixel take the nearest level. `tones` are between
/// light and samples: their sums keep both, and sums of light alone need more bytes.
struct PairDiffusion {
    /// A sample and the levels around it. A fixed sample has the nearest level twice.
    private struct Choice {
        let tone: Float
        let lower: UInt8
        let upper: UInt8
        let lowerTone: Float
        let upperTone: Float
        /// The largest error that is passed on.
        let limit: Float

        init(_ sample: Int, isFixed: Bool) {
            let (below, above, nearest) = (sample / 17, (sample + 16) / 17, (sample * 15 + 127) / 255)
            (lower, upper) = isFixed ? (UInt8(nearest), UInt8(nearest)) : (UInt8(below), UInt8(above))
            let tones = PairDiffusion.tones
            (tone, lowerTone, upperTone) = (tones[sample], tones[Int(lower) * 17], tones[Int(upper) * 17])
            limit = PairDiffusion.limit * max(tones[above * 17] - tones[below * 17], 1 / 64)
        }
    }

    /// A pixel with the errors of the line above.
    private struct Pixel {
        var choice: Choice
        var wanted: Float
        /// The cost in bits of a squared error.
        var cost: Float

        @inline(__always) var isFree: Bool { choice.lower != choice.upper }

        /// Returns one of the two levels, its cost and the error that is passed on. `ahead` is the error of the pixel before.
        @inline(__always) func result(_ isUpper: Bool, _ ahead: Float) -> Result {
            let error = wanted - (isUpper ? choice.upperTone : choice.lowerTone) + ahead
            var passed = error < choice.limit ? error : choice.limit
            passed = passed > -choice.limit ? passed : -choice.limit
            return Result(level: isUpper ? choice.upper : choice.lower, cost: error * error * cost, error: passed)
        }
    }

    private struct Result {
        let level: UInt8
        let cost: Float
        let error: Float
    }

    private struct Source {
        let lines: GrayLines
        let choices: UnsafeBufferPointer<Choice>
        let costs: UnsafeBufferPointer<Float>
        let brightest: UnsafeMutableBufferPointer<UInt8>

        /// Returns the pixel, which has an error from the line above.
        @inline(__always) func pixel(_ x: Int, _ y: Int, error: Float) -> Pixel {
            let place = y &* lines.width &+ x
            let sample = Int(lines.samples[place])
            let choice = choices[sample]
            let wanted = choice.tone + error
            if choice.lower == choice.upper { return Pixel(choice: choice, wanted: wanted, cost: 0) }
            let brightest = Int(brightest[x])
            if brightest == 0 { return Pixel(choice: choices[256 &+ sample], wanted: wanted, cost: 0) }
            return Pixel(choice: choice, wanted: wanted, cost: costs[brightest])
        }
    }

    private struct Pair {
        let cost: Float
        let byte: UInt8
        let error: Float
        let secondError: Float

        @inline(__always) init(_ first: Result, _ second: Result, _ copies: borrowing ByteCopies) {
            byte = first.level << 4 | second.level
            cost = first.cost + second.cost + copies.bits(byte)
            (error, secondError) = (first.error, second.error)
        }

        /// Creates a pair without errors.
        @inline(__always) init(_ byte: UInt8) {
            self.byte = byte
            (cost, error, secondError) = (0, 0, 0)
        }
    }

    /// The choices for all samples, and then those for samples that take the nearest level.
    private let choices: [Choice]
    /// The cost in bits of a squared error next to each sample.
    private let costs: [Float]

    init() {
        choices =
            (0...255).map { Choice($0, isFixed: GrayLines.isPlain($0)) } + (0...255).map { Choice($0, isFixed: true) }
        costs = (0...255).map { sample in
            let (dark, bright) = (max(sample - 4, 0), min(sample + 4, 255))
            let samples = Float(bright - dark) / (PairDiffusion.tones[bright] - PairDiffusion.tones[dark])
            return samples * samples / PairDiffusion.errorPerBit
        }
    }

    /// Writes the levels of all pixels in 4 bits each.
    func run(_ lines: GrayLines, into bytes: UnsafeMutableBufferPointer<UInt8>) {
        // A pixel before each line, and two after it, take the errors that leave the page.
        var errors = [Float](repeating: 0, count: lines.width + 4)
        var below = errors
        var copies = ByteCopies(row: (lines.width + 1) / 2)
        choices.withUnsafeBufferPointer { choices in
            costs.withUnsafeBufferPointer { costs in
                let brightest = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: lines.width)
                defer { brightest.deallocate() }
                let source = Source(lines: lines, choices: choices, costs: costs, brightest: brightest)
                for y in 0..<lines.height {
                    below.withUnsafeMutableBufferPointer { below in
                        errors.withUnsafeMutableBufferPointer {
                            line(y, source, errors: $0, below: below, &copies, into: bytes)
                        }
                    }
                    swap(&errors, &below)
                }
            }
        }
    }

    @inline(__always)
    private func line(
        _ y: Int, _ source: Source, errors: UnsafeMutableBufferPointer<Float>,
        below: UnsafeMutableBufferPointer<Float>, _ copies: inout ByteCopies,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (lines, width) = (source.lines, source.lines.width)
        var place = y * ((width + 1) / 2)
        copies.beginLine(at: place, in: bytes)
        lines.writeBrightest(y, into: source.brightest)
        // The errors for the next pixel, and for those below this one and the next.
        var (ahead, carry): (Float, (Float, Float)) = (0, (0, 0))
        var x = 0
        while x < width {
            if ahead == 0, carry.0 == 0, x &+ 8 <= width, lines.arePlain(x, y),
                (x &+ 1...x &+ 8).reduce(0, { $0 | errors[$1].bitPattern }) == 0
            {
                let byte = lines.samples[y &* width &+ x]
                for place in place..<place &+ 4 { bytes[place] = byte }
                for x in x..<x &+ 8 { below[x] = 0 }
                copies.appendFour(byte, place, in: bytes)
                (place, x) = (place &+ 4, x &+ 8)
                continue
            }
            let pair = best(x, y, source, errors: errors, ahead: ahead, copies)
            bytes[place] = pair.byte
            copies.append(pair.byte, place, in: bytes)
            below[x] = carry.0 + pair.error * (3 / 16)
            below[x &+ 1] = carry.1 + pair.error * (5 / 16) + pair.secondError * (3 / 16)
            carry = (pair.error * (1 / 16) + pair.secondError * (5 / 16), pair.secondError * (1 / 16))
            ahead = pair.secondError * (7 / 16)
            (place, x) = (place &+ 1, x &+ 2)
        }
        (below[x], below[x &+ 1]) = carry
    }

    /// Returns the pair of levels with the smallest cost. Beyond an odd width, the second level is 0.
    @inline(__always) private func best(
        _ x: Int, _ y: Int, _ source: Source, errors: UnsafeMutableBufferPointer<Float>, ahead: Float,
        _ copies: borrowing ByteCopies
    ) -> Pair {
        let first = source.pixel(x, y, error: errors[x &+ 1])
        if x &+ 1 == source.lines.width {
            let (lower, upper) = (first.result(false, ahead), first.result(true, ahead))
            let isUpper =
                upper.cost + copies.bits(upper.level << 4) < lower.cost + copies.bits(lower.level << 4)
            let one = isUpper ? upper : lower
            return Pair(one, Result(level: 0, cost: 0, error: 0), copies)
        }
        let second = source.pixel(x &+ 1, y, error: errors[x &+ 2])
        let dark = pair(first.result(false, ahead), second, copies)
        if !first.isFree {
            let isQuiet = !second.isFree && max(abs(dark.error), abs(dark.secondError)) < PairDiffusion.negligible
            return isQuiet ? Pair(dark.byte) : dark
        }
        let bright = pair(first.result(true, ahead), second, copies)
        return bright.cost < dark.cost ? bright : dark
    }

    /// Returns the pair with the better level of the second pixel.
    @inline(__always) private func pair(_ first: Result, _ second: Pixel, _ copies: borrowing ByteCopies) -> Pair {
        let ahead = first.error * (7 / 16)
        let dark = Pair(first, second.result(false, ahead), copies)
        if !second.isFree { return dark }
        let bright = Pair(first, second.result(true, ahead), copies)
        return bright.cost < dark.cost ? bright : dark
    }

    /// The squared error that is worth a bit, in samples. Larger values make a smaller PNG and a larger low-pass error;
    /// `Benchmarks/dither.py` shows both.
    private static let errorPerBit: Float = 60
    /// The values that are summed up, for each sample: an exponent of 1 would sum samples, and one of about 2.2 light.
    private static let tones: [Float] = (0...255).map { Float(pow(Double($0) / 255, 1.2)) }
    /// The largest error that is passed on, in steps between two levels.
    private static let limit: Float = 1.2
    /// The error that a fixed pixel does not pass on, so that plain areas have none.
    private static let negligible: Float = 1 / 1024
}
