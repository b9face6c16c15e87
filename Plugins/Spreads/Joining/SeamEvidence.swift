internal import func Glibc.log

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
            EdgeSignals(
                levels.map { Float($0) }, slants: slants.map { Float(isMirrored ? -$0 : $0) / EdgeProfile.slantUnit })
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

    /// The log odds that a drawing continues.
    var odds: Float {
        agreesOnlyInLevels ? min(weightedSum, SeamLimits.OnlyLevels.maximumOdds) : weightedSum
    }

    /// Whether the strokes agree hardly more than by chance, and have other slants. Panels of neighboring pages often have the
    /// same heights, and levels of light and dark in the same order.
    private var agreesOnlyInLevels: Bool {
        strokes < SeamLimits.OnlyLevels.strokes && slants < SeamLimits.OnlyLevels.slants
    }

    /// The features are added one after the other, because the order of additions decides about the last bits.
    private var weightedSum: Float {
        var odds = SeamWeights.base
        odds += SeamWeights.strokes * strokes
        odds += SeamWeights.middle * middle
        odds += SeamWeights.large * large
        odds += SeamWeights.slants * slants
        odds += SeamWeights.slantPeak * slantPeak
        odds += SeamWeights.closeness * closeness
        odds += SeamWeights.places * places
        odds += SeamWeights.sum * sum
        return odds
    }
}

extension SeamEvidence {
    init(_ left: SeamSide, _ right: SeamSide) {
        let weights = zip(left.frames, right.frames).map { $0 && $1 ? SeamLimits.Evidence.frameWeight : 1 }
        func agreements(_ gap: Int, _ shift: Int) -> [Agreement] {
            SeamLimits.Signals.scales.indices.map {
                left.signals[gap].agreement(right.signals[gap], $0, shift: shift, weights)
            }
        }
        var best: (sum: Float, gap: Int, shift: Int, found: [Agreement]) = (-.infinity, 0, 0, [])
        for gap in SeamLimits.Strokes.gaps.indices {
            for shift in -SeamLimits.Evidence.reach...SeamLimits.Evidence.reach {
                let found = agreements(gap, shift)
                let sum = found.reduce(0) { $0 + $1.deviation }
                if sum > best.sum { best = (sum, gap, shift, found) }
            }
        }
        let (gap, found) = (best.gap, best.found)
        let unrelated = SeamLimits.Evidence.unrelatedShifts.map { agreements(gap, $0) }
        func peak(_ scale: Int) -> Float {
            let chance = Dispersion(unrelated.map { $0[scale].correlation })
            let above = found[scale].correlation - chance.mean
            let range = SeamLimits.Evidence.peaks
            let deviations = above / (chance.deviation + SeamLimits.Evidence.minimumDeviation.correlation)
            return max(range.lowerBound, min(range.upperBound, deviations))
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
        let unrelatedDistance = Dispersion(SeamLimits.Evidence.unrelatedShifts.map(distance))
        let nearer = unrelatedDistance.mean - distance(best.shift)
        let range = SeamLimits.Evidence.closeness
        let deviations = nearer / (unrelatedDistance.deviation + SeamLimits.Evidence.minimumDeviation.level)
        closeness = max(range.lowerBound, min(range.upperBound, deviations))
        let counting = min(SeamLimits.Evidence.maximumPlaces, found[EdgeSignals.large].places)
        places = log(counting + SeamLimits.Evidence.addedPlaces)
        sum = best.sum
    }

    /// Returns the mean distance of the levels of two edges.
    private static func distance(_ one: [Float], _ two: [Float], _ shift: Int, _ weights: [Float]) -> Float {
        let rows = max(0, -shift)..<min(one.count, two.count - shift)
        var (sum, total) = (Float(0), Float(0))
        for row in rows {
            sum += weights[row] * min(SeamLimits.Evidence.maximumLevelDistance, abs(one[row] - two[row + shift]))
            total += weights[row]
        }
        return sum / total
    }
}
