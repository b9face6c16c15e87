internal import PageModel

internal import func Glibc.hypot

/// The lattice of a screentone's dots in a block of pixels, as two frequencies across each other.
struct ToneLattice {
    /// A frequency in periods per block.
    struct Frequency {
        var across: Float
        var down: Float

        var length: Double { hypot(Double(across), Double(down)) }
    }

    let first: Frequency
    let second: Frequency
    /// The squared amplitude of the dots, in levels.
    let strength: Float

    /// The pixels from one dot to the next.
    var pitch: Double { Double(BlockSpectrum.side) / max(first.length, 1) }

    /// The fewest periods in a block: fewer also occur in letters by chance.
    private static let minimumPeriods = 5.0
    /// The most periods in a block: finer dots are gray already.
    private static let maximumPeriods = 26.0
    /// The least power of the weaker frequency in that of the stronger.
    private static let minimumBalance: Float = 0.25
    /// The least share of the power at frequencies of this size that a lattice explains.
    private static let minimumShare: Float = 0.5
    /// The least share of the power around a frequency that its nearest neighbors have. The window spreads a pattern of the
    /// whole block no further, and letters wider: `Benchmarks/tone_scaling.py text` shows which of them pass.
    private static let minimumSharpness: Float = 0.82
    /// The least squared amplitude of dots, in levels: fainter ones are grain.
    private static let minimumStrength: Float = 30

    /// Finds the lattice in the power spectrum of a block; nil if it has none.
    init?(_ powers: UnsafePointer<Float>) {
        let spectrum = Spectrum(powers)
        guard let strongest = spectrum.peak(within: ToneLattice.minimumPeriods...ToneLattice.maximumPeriods),
            // The dots of screens form squares.
            let next = spectrum.peak(near: (-strongest.down, strongest.across))
        else { return nil }
        var (peak, other) = (strongest, next)
        // Of small dots, the diagonal of the lattice can be stronger than its sides.
        let side = ((strongest.across + next.across) / 2, (strongest.down + next.down) / 2)
        let length = hypot(Double(side.0), Double(side.1))
        if length >= ToneLattice.minimumPeriods, let lower = spectrum.peak(near: side),
            let across = spectrum.peak(near: (-lower.down, lower.across)),
            spectrum.energy(at: lower, reach: 1) > spectrum.energy(at: strongest, reach: 1)
        {
            (peak, other) = (lower, across)
        }
        let (one, two) = (spectrum.energy(at: peak, reach: 1), spectrum.energy(at: other, reach: 1))
        let wide = spectrum.energy(at: peak, reach: 2) + spectrum.energy(at: other, reach: 2)
        first = spectrum.centroid(of: peak)
        second = spectrum.centroid(of: other)
        strength = (one + two) / ToneLattice.powerOfUnit
        let around = spectrum.energy(from: 0.6 * first.length, to: 1.3 * first.length)
        guard two >= ToneLattice.minimumBalance * one, strength >= ToneLattice.minimumStrength,
            one + two >= ToneLattice.minimumSharpness * wide, one + two >= ToneLattice.minimumShare * around
        else { return nil }
    }

    /// The power of a wave with an amplitude of 1: a quarter of the window's squared sum, times 2.25 in all neighbors.
    private static var powerOfUnit: Float {
        let half = Float(BlockSpectrum.side * BlockSpectrum.side) / 8
        return 2.25 * half * half
    }
}

/// One half of the power spectrum of a block; the other half is its mirror image.
private struct Spectrum {
    let powers: UnsafePointer<Float>
    private let side = BlockSpectrum.side

    init(_ powers: UnsafePointer<Float>) { self.powers = powers }

    /// The power at a frequency; negative ones are at the end.
    @inline(__always) func power(_ across: Int, _ down: Int) -> Float {
        let sign = across < 0 ? -1 : 1
        return powers[across &* sign &* side &+ (down &* sign) & (side &- 1)]
    }

    /// Whether no neighbor is stronger. The flank of a stronger, lower frequency has no peak.
    private func isPeak(_ across: Int, _ down: Int) -> Bool {
        let own = power(across, down)
        for y in down - 1...down + 1 {
            for x in across - 1...across + 1 where power(x, y) > own { return false }
        }
        return true
    }

    /// Returns the strongest frequency whose size is within the range.
    func peak(within range: ClosedRange<Double>) -> (across: Int, down: Int)? {
        var (best, place): (Float, (Int, Int)?) = (0, nil)
        let limit = Int(clamping: range.upperBound, to: 0...side / 2 - 1)
        let squares = range.lowerBound * range.lowerBound...range.upperBound * range.upperBound
        for down in 0...limit {
            for across in (down == 0 ? 1 : -limit)...limit {
                let power = power(across, down)
                if power > best, squares.contains(Double(across * across + down * down)), isPeak(across, down) {
                    (best, place) = (power, (across, down))
                }
            }
        }
        return place
    }

    /// Returns the strongest frequency near another one.
    func peak(near place: (Int, Int)) -> (across: Int, down: Int)? {
        var (best, found): (Float, (Int, Int)?) = (0, nil)
        for down in place.1 - 2...place.1 + 2 {
            for across in place.0 - 2...place.0 + 2 where power(across, down) > best && isPeak(across, down) {
                (best, found) = (power(across, down), (across, down))
            }
        }
        return found
    }

    /// Returns the power of a frequency and its neighbors, over which the window spreads it.
    func energy(at place: (across: Int, down: Int), reach: Int) -> Float {
        var sum: Float = 0
        for down in place.down - reach...place.down + reach {
            for across in place.across - reach...place.across + reach { sum += power(across, down) }
        }
        return sum
    }

    func centroid(of place: (across: Int, down: Int)) -> ToneLattice.Frequency {
        var (sum, right, below): (Float, Float, Float) = (0, 0, 0)
        for down in -1...1 {
            for across in -1...1 {
                let power = power(place.across + across, place.down + down)
                sum += power
                right += power * Float(across)
                below += power * Float(down)
            }
        }
        return ToneLattice.Frequency(
            across: Float(place.across) + right / sum, down: Float(place.down) + below / sum)
    }

    /// Returns the power of one half of the frequencies in a ring.
    func energy(from inner: Double, to outer: Double) -> Float {
        var sum: Float = 0
        let squares = inner * inner...outer * outer
        let limit = Int(clamping: outer.rounded(.up), to: 1...side / 2 - 1)
        for down in 0...limit {
            for across in (down == 0 ? 1 : -limit)...limit
            where squares.contains(Double(across * across + down * down)) {
                sum += power(across, down)
            }
        }
        return sum
    }
}
