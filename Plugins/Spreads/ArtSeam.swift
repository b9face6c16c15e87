/// Whether one drawing runs on from a page over its right edge into the page at its right.
///
/// Both edges are carried on to the middle of what the fold swallowed, for several such gaps and small shifts. What is
/// seen there is compared at several scales: with what the pages' own columns agree over the same gap, and with what the
/// two edges agree when they are shifted so far that nothing can run on.
struct ArtSeam: Sendable {
    /// How likely it is, 0 to 1, given that one in ten neighbours in doubt belongs together.
    let confidence: Double
    /// The same as log odds.
    let odds: Double

    /// How far two pages may be out of line, in rows: 1.2 % of their height.
    private static let reach = 8
    /// Shifts, in rows, at which nothing can run on: 4 to 26 % of the height.
    private static let strange: [Int] = stride(from: -168, through: 168, by: 6).filter { abs($0) >= 24 }
    /// What rows count at which both pages have a frame.
    private static let frameWeight: Float = 0.1

    init(left: PageEdges, right: PageEdges) {
        self.init(SeamSide(left.right, isMirrored: false), SeamSide(right.left, isMirrored: true))
    }

    init(_ left: SeamSide, _ right: SeamSide) {
        let contrast = min(left.contrast, right.contrast)
        guard contrast > ArtSeam.plain else {
            // A margin, or plain black: nothing is there that could run on.
            (odds, confidence) = (ArtSeam.never, 0)
            return
        }
        let evidence = Evidence(left, right)
        // An edge hardly told from a plain one says hardly anything.
        let faint = max(0, 1 - (contrast - ArtSeam.plain) / (ArtSeam.clear - ArtSeam.plain))
        odds = Double(evidence.odds) - Double(faint) * 4
        confidence = Numbers.logistic(odds)
    }

    /// Down a margin the level varies by less than this (standard deviation), with grain, shade and show-through.
    private static let plain: Float = 5
    /// From this on, something is drawn there.
    private static let clear: Float = 12
    /// The log odds where nothing is drawn.
    static let never: Double = -20

    /// What speaks for a drawing that runs on.
    private struct Evidence {
        let odds: Float

        init(_ left: SeamSide, _ right: SeamSide) {
            let weights = zip(left.frames, right.frames).map { $0 && $1 ? ArtSeam.frameWeight : 1 }
            func agreements(_ gap: Int, _ shift: Int) -> [Agreement] {
                EdgeSignals.scales.indices.map {
                    left.signals[gap].agreement(right.signals[gap], $0, shift: shift, weights)
                }
            }
            var best: (sum: Float, gap: Int, shift: Int, found: [Agreement]) = (-.infinity, 0, 0, [])
            for gap in EdgeProfile.gaps.indices {
                for shift in -ArtSeam.reach...ArtSeam.reach {
                    let found = agreements(gap, shift)
                    let sum = found.reduce(0) { $0 + $1.deviation }
                    if sum > best.sum { best = (sum, gap, shift, found) }
                }
            }
            let (gap, found) = (best.gap, best.found)
            let strangers = ArtSeam.strange.map { agreements(gap, $0) }
            /// By how many deviations the edges agree better than when shifted far.
            func peak(_ scale: Int) -> Float {
                let chance = Spread(strangers.map { $0[scale].correlation })
                return max(-2, min(8, (found[scale].correlation - chance.mean) / (chance.deviation + 0.03)))
            }
            func together(_ scale: Int) -> Float {
                let likeness = max(0, left.likeness[gap][scale]) * max(0, right.likeness[gap][scale])
                return found[scale].odds(expected: likeness.squareRoot())
            }
            let levels = (left.signals[gap].level, right.signals[gap].level)
            let apart = Spread(ArtSeam.strange.map { ArtSeam.distance(levels.0, levels.1, shift: $0) })
            let near = ArtSeam.distance(levels.0, levels.1, shift: best.shift)
            let closeness = max(-3, min(8, (apart.mean - near) / (apart.deviation + 0.5)))
            // Logistic regression over made comics and cut pages of real ones: Benchmarks/make_joins.py.
            var odds: Float = -11.29
            odds += 1.19 * peak(EdgeSignals.strokes)
            odds += 0.22 * together(EdgeSignals.middle)
            odds += 1.04 * together(EdgeSignals.large)
            odds += 0.52 * together(EdgeSignals.slants)
            odds += 0.85 * peak(EdgeSignals.slants)
            odds += 1.84 * closeness
            odds += 1.14 * Numbers.log(min(8, found[EdgeSignals.large].places) + 0.3)
            odds += 0.38 * best.sum
            self.odds = odds
        }
    }

    /// How far levels lie apart, on the average; what is far apart is not made worse by being black on white.
    private static func distance(_ one: [Float], _ two: [Float], shift: Int) -> Float {
        let rows = max(0, -shift)..<min(one.count, two.count - shift)
        var sum: Float = 0
        for row in rows { sum += min(60, abs(one[row] - two[row + shift])) }
        return sum / Float(rows.count)
    }
}
