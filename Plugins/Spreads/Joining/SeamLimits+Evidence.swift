extension SeamLimits {
    /// The scales at which edges are compared, and the limits for their agreement.
    ///
    /// Measured on: as for the other limits of seams. No measurement of a single number was recorded.
    enum Signals {
        static let scales = [strokes, eyes, heads, slants]
        static let strokes = EdgeSignals.Scale(reach: (0, 4), length: 5)
        /// Details as high as an eye.
        static let eyes = EdgeSignals.Scale(reach: (3, 10), length: 14)
        /// Details as high as a head.
        static let heads = EdgeSignals.Scale(reach: (8, 27), length: 38)
        /// The slants of strokes. They do not show frames and horizons, which are level, and do not depend on light and dark.
        static let slants = EdgeSignals.Scale(reach: nil, length: 7)
        /// The reach of the smoothing of levels that are compared as they are, in rows: it removes grain.
        static let levelReach = 3
        /// The reach over which contrast is normalized, in coarse reaches of the scale: some details of that scale.
        static let powerReach = 3
        /// The contrast of grain and JPEG noise, in levels.
        static let grain: Float = 6
        /// The power of a signal below which nothing is drawn at its scale.
        static let minimumPower: Float = 1e-3
    }

    /// The limits for the odds of an agreement.
    enum Agreements {
        /// The loss of agreement between two pages compared with columns of one page, as a factor. Sheets are never
        /// bound exactly in line.
        static let loss: Float = 0.85
        /// The maximum expected correlation: two pages never agree completely.
        static let maximumExpected: Float = 0.95
        /// The maximum correlation that is transformed: the transform of 1 is infinite.
        static let maximumTransformed: Float = 0.99
        /// The minimum number of independent places: with fewer, the spread of chance would not be finite.
        static let minimumPlaces: Float = 0.5
        /// The variances that the variation of pages adds to chance: for unrelated pages, and for pages of one
        /// drawing.
        static let pageVariance: (unrelated: Float, neighbors: Float) = (0.02, 0.06)
        /// The log odds of a single scale, which alone decides nothing.
        static let odds: ClosedRange<Float> = -4...8
    }

    /// The limits for edges that agree only in their levels, in the units of `SeamEvidence`.
    ///
    /// Measured on: an open comic in which two pages of alike panels had 1.0 and −2.3, and a confidence of 0.984. Of 528
    /// drawings found among the pairs in `Benchmarks/seams`, two are below both limits.
    enum OnlyLevels {
        /// The agreement of strokes below which they agree hardly more than by chance.
        static let strokes: Float = 1.2
        /// The log odds of the slants below which the strokes have other slants.
        static let slants: Float = -1.5
        /// The maximum log odds of such edges: a confidence of 0.3, which is reported but not enough for a join.
        static let maximumOdds: Float = -0.85
    }

    /// The limits for the evidence of two edges.
    enum Evidence {
        /// The maximum vertical misalignment of two pages, in rows: 1.2 % of their height.
        static let reach = 8
        /// The shifts, in rows, at which nothing can match: 4 to 26 % of the height.
        static let unrelatedShifts: [Int] = stride(from: -168, through: 168, by: 6).filter { abs($0) >= 24 }
        /// The weight of rows at which both pages have a frame or a gutter: such frames meet in unrelated pages, too.
        static let frameWeight: Float = 0.1
        /// The values added to deviations, so that a small difference in a sparse drawing does not count as many of
        /// them.
        static let minimumDeviation: (correlation: Float, level: Float) = (0.03, 0.5)
        /// The maximum distance of levels that counts: levels further apart belong to different things in any case.
        static let maximumLevelDistance: Float = 60
        /// The standard deviations that count for correlations and for levels. A single feature alone decides nothing.
        static let peaks: ClosedRange<Float> = -2...8
        static let closeness: ClosedRange<Float> = -3...8
        /// The maximum number of independent places that counts: more add nothing.
        static let maximumPlaces: Float = 8
        /// The number of places that is added, so that zero places do not count as minus infinity.
        static let addedPlaces: Float = 0.3
    }
}
