internal import Glibc

/// The drawing down an edge, at several scales, without the level of the ground and with normalized contrast.
struct EdgeSignals: Sendable {
    /// One signal for every scale of `scales`, `EdgeBand.rows` values each.
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

    /// Strokes, details as high as an eye, details as high as a head, and the slants of strokes.
    ///
    /// Slants do not show frames and horizons, which are level, and do not depend on light and dark.
    static let scales = [
        Scale(reach: (0, 4), length: 5), Scale(reach: (3, 10), length: 14), Scale(reach: (8, 27), length: 38),
        Scale(reach: nil, length: 7),
    ]
    static let (strokes, middle, large, slants) = (0, 1, 2, 3)

    /// The contrast of grain and JPEG noise, in levels.
    private static let grain: Float = 6

    /// - Parameters:
    ///   - levels: the gray levels down the page.
    ///   - slants: the slants of strokes, −1 to 1. Both pages that are compared have the same sign convention.
    init(_ levels: [Float], slants: [Float]) {
        var means: [Int: [Float]] = [0: levels]
        for reach in [3, 4, 8, 10, 27] { means[reach] = Smoothing.bell(levels, reach: reach) }
        level = means[3] ?? levels
        signals = EdgeSignals.scales.map { scale in
            guard let reach = scale.reach else { return slants }
            let (fine, coarse) = (means[reach.fine] ?? levels, means[reach.coarse] ?? levels)
            var signal = zip(fine, coarse).map { $0 - $1 }
            // A black hairline and a black gutter shall count alike.
            let power = Smoothing.mean(signal.map { $0 * $0 }, reach: 3 * reach.coarse)
            for row in signal.indices {
                signal[row] /= EdgeSignals.grain + max(0, power[row]).squareRoot()
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
        guard oneOne > 1e-3, twoTwo > 1e-3, fourth > 0 else { return Agreement(correlation: 0, places: 0) }
        // The number of rows that would carry the structure if each carried as much as the others.
        let carrying = (oneOne + twoTwo) * (oneOne + twoTwo) / fourth
        return Agreement(
            correlation: oneTwo / (oneOne * twoTwo).squareRoot(),
            places: carrying / EdgeSignals.scales[scale].length)
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
        let target = Agreement.fisher(min(0.95, Agreement.loss * expected))
        // Edges that agree better than expected are not less likely to belong together.
        let found = min(target, Agreement.fisher(correlation))
        let chance = 1 / max(0.5, places)
        let (unrelated, neighbors) = (chance + 0.02, chance + 0.06)
        let distance = found * found / unrelated - (found - target) * (found - target) / neighbors
        // One scale alone decides nothing.
        return max(-4, min(8, (distance + log(unrelated / neighbors)) / 2))
    }

    /// Returns Fisher's transform of a correlation within ±0.99: the spread of the result does not depend on its size.
    private static func fisher(_ correlation: Float) -> Float {
        atanh(max(-0.99, min(0.99, correlation)))
    }

    /// The loss of agreement between two pages compared with columns of one page, because sheets are never bound exactly in line.
    private static let loss: Float = 0.85
}
