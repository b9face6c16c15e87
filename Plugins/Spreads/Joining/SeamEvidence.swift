internal import Glibc

/// One edge of a page, prepared for comparison with others.
struct SeamSide: Sendable {
    /// For every gap, the appearance of the edge in its middle; empty if nothing is drawn.
    let signals: [EdgeSignals]
    /// For every gap and scale, the agreement of the page's own columns over such a gap: −1 to 1.
    let similarity: [[Float]]
    let frames: [Bool]
    let uncertainty: EdgeUncertainty

    /// - Parameter isMirrored: whether it is a left edge, whose strokes run towards the edge in the opposite direction.
    init(_ profile: EdgeProfile, isMirrored: Bool) {
        signals = zip(profile.levels, profile.slants).map { levels, slants in
            EdgeSignals(levels.map { Float($0) }, slants: slants.map { Float(isMirrored ? -$0 : $0) / 127 })
        }
        similarity = profile.similarity
        frames = profile.frames
        uncertainty = profile.uncertainty
    }
}

/// The evidence that a drawing continues from one edge to another: higher numbers mean a higher probability.
struct SeamEvidence {
    /// The standard deviations by which strokes agree better than with edges that are shifted far: −2 to 8.
    let strokes: Float
    /// The log odds that details as high as an eye agree as well as they do within the pages: −4 to 8.
    let middle: Float
    /// The same for details as high as a head.
    let large: Float
    /// The same for the slants of strokes.
    let slants: Float
    /// The standard deviations by which slants agree better than with edges that are shifted far: −2 to 8.
    let slantPeak: Float
    /// The standard deviations by which levels are closer than with edges that are shifted far: −3 to 8.
    let closeness: Float
    /// The amount of drawing: the logarithm of the number of independent places along the edge, for details as high as a head.
    let places: Float
    /// The sum of the deviations of all scales.
    let sum: Float

    /// The maximum vertical misalignment of two pages, in rows: 1.2 % of their height.
    private static let reach = 8
    /// The shifts, in rows, at which nothing can match: 4 to 26 % of the height.
    private static let unrelatedShifts: [Int] = stride(from: -168, through: 168, by: 6).filter { abs($0) >= 24 }
    /// The weight of rows at which both pages have a frame or a gutter.
    private static let frameWeight: Float = 0.1

    /// The values added to deviations, so that a small difference in a sparse drawing does not count as many of them.
    private static let minimumDeviation: (correlation: Float, level: Float) = (0.03, 0.5)
    /// The maximum distance of levels that counts: levels further apart belong to different things in any case.
    private static let maximumLevelDistance: Float = 60

    /// The log odds that a drawing continues.
    ///
    /// They were found by logistic regression over synthetic comics and split real pages. They were then lowered by 1.3, because
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
        let unrelated = SeamEvidence.unrelatedShifts.map { agreements(gap, $0) }
        func peak(_ scale: Int) -> Float {
            let chance = Dispersion(unrelated.map { $0[scale].correlation })
            let above = found[scale].correlation - chance.mean
            return max(-2, min(8, above / (chance.deviation + SeamEvidence.minimumDeviation.correlation)))
        }
        func together(_ scale: Int) -> Float {
            let similarity = max(0, left.similarity[gap][scale]) * max(0, right.similarity[gap][scale])
            return found[scale].odds(expected: similarity.squareRoot())
        }
        strokes = peak(EdgeSignals.strokes)
        middle = together(EdgeSignals.middle)
        large = together(EdgeSignals.large)
        slants = together(EdgeSignals.slants)
        slantPeak = peak(EdgeSignals.slants)
        let levels = (left.signals[gap].level, right.signals[gap].level)
        func distance(_ shift: Int) -> Float { SeamEvidence.distance(levels.0, levels.1, shift, weights) }
        let unrelatedDistance = Dispersion(SeamEvidence.unrelatedShifts.map(distance))
        let nearer = unrelatedDistance.mean - distance(best.shift)
        closeness = max(-3, min(8, nearer / (unrelatedDistance.deviation + SeamEvidence.minimumDeviation.level)))
        // More than 8 independent places add nothing; 0.3 keeps zero places from counting as minus infinity.
        places = log(min(8, found[EdgeSignals.large].places) + 0.3)
        sum = best.sum
    }

    /// Returns the mean distance of the levels of two edges.
    private static func distance(_ one: [Float], _ two: [Float], _ shift: Int, _ weights: [Float]) -> Float {
        let rows = max(0, -shift)..<min(one.count, two.count - shift)
        var (sum, total) = (Float(0), Float(0))
        for row in rows {
            sum += weights[row] * min(maximumLevelDistance, abs(one[row] - two[row + shift]))
            total += weights[row]
        }
        return sum / total
    }
}
