internal import Glibc

/// What is drawn down an edge, at several scales: without the lightness of the ground, and with contrast evened out.
struct EdgeSignals: Sendable {
    /// One signal for every scale of `scales`, `EdgeBand.rows` values each.
    let signals: [[Float]]
    /// The level itself, a little smoothed.
    let level: [Float]

    /// One of the things by which edges are compared.
    struct Scale: Sendable {
        /// The reaches, in rows, of the two running means whose difference it is; nil for the slant of the strokes.
        let reach: (fine: Int, coarse: Int)?
        /// How many rows apart two values are nearly independent of each other.
        let length: Float
    }

    /// Strokes, details as high as an eye, details as high as a head, and how strokes slant.
    ///
    /// Slants do not show frames and horizons, which are level, and do not depend on light and dark.
    static let scales = [
        Scale(reach: (0, 4), length: 5), Scale(reach: (3, 10), length: 14), Scale(reach: (8, 27), length: 38),
        Scale(reach: nil, length: 7),
    ]
    static let (strokes, middle, large, slants) = (0, 1, 2, 3)

    /// The contrast that grain and JPEG noise have, in levels.
    private static let grain: Float = 6

    /// - Parameters:
    ///   - levels: the gray down the page.
    ///   - slants: how slanting strokes are, −1 to 1; the same way round for both pages that are compared.
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

    /// How well two edges agree at a scale.
    ///
    /// - Parameters:
    ///   - shift: rows that `other` lies lower.
    ///   - weights: what each of this edge's rows counts.
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
        // How many rows would carry the structure if each carried as much as the others.
        let carrying = (oneOne + twoTwo) * (oneOne + twoTwo) / fourth
        return Agreement(
            correlation: oneTwo / (oneOne * twoTwo).squareRoot(),
            places: carrying / EdgeSignals.scales[scale].length)
    }
}

/// How well two edges agree, and how much that says.
struct Agreement: Sendable {
    /// −1 to 1.
    var correlation: Float
    /// How many independent places along the edge say so.
    var places: Float

    /// The correlation in standard deviations: about ±1 for edges of unrelated pages.
    var deviation: Float { correlation * places.squareRoot() }

    /// The log odds that edges belong together which would correlate by `expected` if they did.
    ///
    /// Fisher's transforms of correlations are spread evenly: by 1 ∕ √places, and by how pages vary besides.
    func odds(expected: Float) -> Float {
        let target = Agreement.fisher(min(0.95, Agreement.loss * expected))
        // Edges that agree better than expected are not less likely to belong together.
        let found = min(target, Agreement.fisher(correlation))
        let chance = 1 / max(0.5, places)
        let (strangers, neighbours) = (chance + 0.02, chance + 0.06)
        let distance = found * found / strangers - (found - target) * (found - target) / neighbours
        // One scale alone decides nothing.
        return max(-4, min(8, (distance + log(strangers / neighbours)) / 2))
    }

    /// Fisher's transform of a correlation within ±0.99: the spread of what it gives does not depend on its size.
    private static func fisher(_ correlation: Float) -> Float {
        atanh(max(-0.99, min(0.99, correlation)))
    }

    /// How much less two pages agree than columns of one page, since sheets are never bound exactly in line.
    private static let loss: Float = 0.85
}
