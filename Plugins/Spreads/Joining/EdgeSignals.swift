internal import func Glibc.atanh
internal import func Glibc.log

/// The drawing down an edge, at several scales, without the level of the ground and with normalized contrast.
struct EdgeSignals: Sendable {
    /// One signal for every scale of `SeamLimits.Signals.scales`, `SeamLimits.Band.rows` values each.
    let signals: [[Float]]
    /// The level itself, slightly smoothed.
    let level: [Float]

    /// A scale at which edges are compared.
    struct Scale: Sendable {
        /// The reaches, in rows, of the two running means whose difference it is; nil for the slant of the strokes.
        let reach: (fine: Int, coarse: Int)?
        /// The distance in rows at which two values are nearly independent of each other.
        let length: Float
    }

    static let (strokes, middle, large, slants) = (0, 1, 2, 3)

    /// - Parameters:
    ///   - levels: the gray levels down the page.
    ///   - slants: the slants of strokes, −1 to 1. Both pages that are compared have the same sign convention.
    init(_ levels: [Float], slants: [Float]) {
        var means: [Int: [Float]] = [0: levels]
        let scales = SeamLimits.Signals.scales
        for reach in scales.compactMap(\.reach).flatMap({ [$0.fine, $0.coarse] }) where means[reach] == nil {
            means[reach] = Smoothing.bell(levels, reach: reach)
        }
        level = means[SeamLimits.Signals.levelReach] ?? Smoothing.bell(levels, reach: SeamLimits.Signals.levelReach)
        signals = scales.map { scale in
            guard let reach = scale.reach else { return slants }
            let (fine, coarse) = (means[reach.fine] ?? levels, means[reach.coarse] ?? levels)
            var signal = zip(fine, coarse).map { $0 - $1 }
            // A black hairline and a black gutter shall count alike.
            let power = Smoothing.mean(signal.map { $0 * $0 }, reach: SeamLimits.Signals.powerReach * reach.coarse)
            for row in signal.indices {
                signal[row] /= SeamLimits.Signals.grain + max(0, power[row]).squareRoot()
            }
            return signal
        }
    }

    /// Returns the agreement of two edges at a scale. `other` is lower by `shift` rows.
    ///
    /// - Parameter weights: the weight of each of this edge's rows.
    func agreement(_ other: EdgeSignals, _ scale: Int, shift: Int, _ weights: [Float]) -> Agreement {
        let (one, two) = (signals[scale], other.signals[scale])
        var (oneOne, oneTwo, twoTwo, fourth) = (Float(0), Float(0), Float(0), Float(0))
        one.withUnsafeBufferPointer { one in
            two.withUnsafeBufferPointer { two in
                weights.withUnsafeBufferPointer { weights in
                    for row in max(0, -shift)..<min(one.count, two.count - shift) {
                        let (a, b, weight) = (one[row], two[row + shift], weights[row])
                        let (aa, bb) = (weight * a * a, weight * b * b)
                        oneOne += aa
                        oneTwo += weight * a * b
                        twoTwo += bb
                        fourth += (aa + bb) * (aa + bb)
                    }
                }
            }
        }
        let minimum = SeamLimits.Signals.minimumPower
        guard oneOne > minimum, twoTwo > minimum, fourth > 0 else { return Agreement(correlation: 0, places: 0) }
        // The number of rows that would carry the structure if each carried as much as the others.
        let carrying = (oneOne + twoTwo) * (oneOne + twoTwo) / fourth
        return Agreement(
            correlation: oneTwo / (oneOne * twoTwo).squareRoot(),
            places: carrying / SeamLimits.Signals.scales[scale].length)
    }
}

/// The agreement of two edges, and its significance.
struct Agreement: Sendable {
    /// The correlation, −1 to 1.
    var correlation: Float
    /// The number of independent places along the edge that support it.
    var places: Float

    /// The correlation in standard deviations: about ±1 for edges of unrelated pages.
    var deviation: Float { correlation * places.squareRoot() }

    /// Returns the log odds that edges belong together which would correlate by `expected` if they did.
    ///
    /// Fisher's transforms of correlations are spread evenly: by 1 ∕ √places, and by the variation of pages.
    func odds(expected: Float) -> Float {
        let target = Agreement.fisher(min(SeamLimits.Agreements.maximumExpected, SeamLimits.Agreements.loss * expected))
        // Edges that agree better than expected are not less likely to belong together.
        let found = min(target, Agreement.fisher(correlation))
        let chance = 1 / max(SeamLimits.Agreements.minimumPlaces, places)
        let variance = SeamLimits.Agreements.pageVariance
        let (unrelated, neighbors) = (chance + variance.unrelated, chance + variance.neighbors)
        let distance = found * found / unrelated - (found - target) * (found - target) / neighbors
        // One scale alone decides nothing.
        let range = SeamLimits.Agreements.odds
        return max(range.lowerBound, min(range.upperBound, (distance + log(unrelated / neighbors)) / 2))
    }

    /// Returns Fisher's transform of a correlation within ±0.99: the spread of the result does not depend on its size.
    private static func fisher(_ correlation: Float) -> Float {
        let maximum = SeamLimits.Agreements.maximumTransformed
        return atanh(max(-maximum, min(maximum, correlation)))
    }
}
