internal import Glibc

/// One edge of a page made ready to be compared with others.
struct SeamSide: Sendable {
    /// For every gap, what would be seen in its middle; empty where nothing is drawn.
    let signals: [EdgeSignals]
    /// How much the page's own columns agree over every gap, at every scale.
    let likeness: [[Float]]
    let frames: [Bool]
    let doubt: EdgeDoubt

    /// - Parameter isMirrored: whether it is a left edge, whose strokes run towards the edge the other way round.
    init(_ profile: EdgeProfile, isMirrored: Bool) {
        signals = zip(profile.levels, profile.slants).map { levels, slants in
            EdgeSignals(levels.map { Float($0) }, slants: slants.map { Float(isMirrored ? -$0 : $0) / 127 })
        }
        likeness = profile.likeness
        frames = profile.frames
        doubt = profile.doubt
    }
}

/// What speaks for a drawing that runs on from one edge to another: numbers that grow with it.
struct SeamEvidence {
    /// By how many deviations strokes agree better here than when the edges are shifted far: −2 to 8.
    let strokes: Float
    /// The log odds that what is as high as an eye agrees as it does within the pages: −4 to 8.
    let middle: Float
    /// The same for what is as high as a head.
    let large: Float
    /// The same for how strokes slant.
    let slants: Float
    /// By how many deviations slants agree better here than when shifted far: −2 to 8.
    let slantPeak: Float
    /// By how many deviations levels are nearer to each other than when shifted far: −3 to 8.
    let closeness: Float
    /// How much is drawn: the logarithm of independent places that what is as high as a head takes.
    let places: Float
    /// The deviations at all scales together.
    let sum: Float

    /// How far two pages may be out of line, in rows: 1.2 % of their height.
    private static let reach = 8
    /// Shifts, in rows, at which nothing can run on: 4 to 26 % of the height.
    private static let strange: [Int] = stride(from: -168, through: 168, by: 6).filter { abs($0) >= 24 }
    /// What rows count at which both pages have a frame or a gutter.
    private static let frameWeight: Float = 0.1

    /// What is added to deviations, so that where little is drawn a trifle is not many of them.
    private static let leastDeviation: (correlation: Float, level: Float) = (0.03, 0.5)
    /// Levels that lie this far apart are of different things; black and white are no more so.
    private static let mostApart: Float = 60

    /// The log odds that these measures mean.
    ///
    /// Found by logistic regression over made comics and real pages that were cut; then made less by 1.3, since
    /// books have fewer such pairs than these sets.
    var odds: Float {
        var odds: Float = -9.5
        odds += 1.25 * strokes
        odds += 0.34 * middle
        odds += 1.3 * large
        odds += 0.58 * slants
        odds += 0.99 * slantPeak
        odds += 1.9 * closeness
        odds += 0.83 * places
        odds += 0.13 * sum
        return odds
    }

    init(_ left: SeamSide, _ right: SeamSide) {
        let weights = zip(left.frames, right.frames).map { $0 && $1 ? SeamEvidence.frameWeight : 1 }
        func agreements(_ gap: Int, _ shift: Int) -> [Agreement] {
            EdgeSignals.scales.indices.map {
                left.signals[gap].agreement(right.signals[gap], $0, shift: shift, weights)
            }
        }
        var best: (sum: Float, gap: Int, shift: Int, found: [Agreement]) = (-.infinity, 0, 0, [])
        for gap in EdgeProfile.gaps.indices {
            for shift in -SeamEvidence.reach...SeamEvidence.reach {
                let found = agreements(gap, shift)
                let sum = found.reduce(0) { $0 + $1.deviation }
                if sum > best.sum { best = (sum, gap, shift, found) }
            }
        }
        let (gap, found) = (best.gap, best.found)
        let strangers = SeamEvidence.strange.map { agreements(gap, $0) }
        func peak(_ scale: Int) -> Float {
            let chance = Dispersion(strangers.map { $0[scale].correlation })
            let above = found[scale].correlation - chance.mean
            return max(-2, min(8, above / (chance.deviation + SeamEvidence.leastDeviation.correlation)))
        }
        func together(_ scale: Int) -> Float {
            let likeness = max(0, left.likeness[gap][scale]) * max(0, right.likeness[gap][scale])
            return found[scale].odds(expected: likeness.squareRoot())
        }
        strokes = peak(EdgeSignals.strokes)
        middle = together(EdgeSignals.middle)
        large = together(EdgeSignals.large)
        slants = together(EdgeSignals.slants)
        slantPeak = peak(EdgeSignals.slants)
        let levels = (left.signals[gap].level, right.signals[gap].level)
        func distance(_ shift: Int) -> Float { SeamEvidence.distance(levels.0, levels.1, shift, weights) }
        let apart = Dispersion(SeamEvidence.strange.map(distance))
        let nearer = apart.mean - distance(best.shift)
        closeness = max(-3, min(8, nearer / (apart.deviation + SeamEvidence.leastDeviation.level)))
        // More than 8 independent places say no more; 0.3 keeps none from being worth minus infinity.
        places = log(min(8, found[EdgeSignals.large].places) + 0.3)
        sum = best.sum
    }

    /// How far levels lie apart, on the average.
    private static func distance(_ one: [Float], _ two: [Float], _ shift: Int, _ weights: [Float]) -> Float {
        let rows = max(0, -shift)..<min(one.count, two.count - shift)
        var (sum, total) = (Float(0), Float(0))
        for row in rows {
            sum += weights[row] * min(mostApart, abs(one[row] - two[row + shift]))
            total += weights[row]
        }
        return sum / total
    }
}

/// How well two edges agree, and how much that says.
struct Agreement: Sendable {
    /// −1 to 1.
    var correlation: Float
    /// How many independent places along the edge say so.
    var places: Float

    /// What would be 1 by chance more or less, were the edges strangers.
    var deviation: Float { correlation * places.squareRoot() }

    /// The log odds that edges belong together which would correlate by `expected` if they did.
    ///
    /// Fisher's transforms of correlations are spread evenly: by 1 ∕ √places, and by how pages vary besides.
    func odds(expected: Float) -> Float {
        let target = Agreement.fisher(min(0.95, Agreement.loss * expected))
        // More than expected is no less than expected.
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

    /// Two sheets never lie as straight to each other as two halves of one.
    private static let loss: Float = 0.85
}
