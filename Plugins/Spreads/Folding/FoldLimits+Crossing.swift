extension FoldLimits {
    /// The thresholds for a drawing that continues across a fold.
    ///
    /// Measured on: the synthetic scans of `Benchmarks/make_spreads.py`. Every fifth of them is one drawing over both pages.
    /// The score was `Benchmarks/score_folds.py` with `--keep-art`. No measurement of a single number was recorded.
    ///
    /// A piece is a short stretch of the line's height, whose levels to the left and to the right are compared.
    enum Crossing {
        /// The minimum excess of matching pieces: two pages drawn in one style match in one or two pieces; a
        /// continuous drawing matches in more.
        static let minimumExcess = 2.3
        /// The minimum number of parts of the height with matching pieces, for that excess.
        static let minimumParts = 3
        /// The same for a greater excess, or without a divider.
        static let minimumPartsOtherwise = 2
        /// The number of these parts: tenths of the height.
        static let parts = 10
        /// The minimum excess if all matches are in a part of the height.
        static let minimumExcessInPart = 4.5
        /// The minimum excess if neither a line nor an even column divides the scan: content crosses the place anyway.
        static let minimumExcessWithoutDivider = 1.5

        /// The reference width in pixels for lengths here; wider scans are read in coarser steps.
        static let width = 900.0
        /// The slopes at which strokes may cross, in pixels down for each pixel across. Steeper strokes run along the
        /// fold.
        static let angles = [-2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2]
        /// The distance from a line at which reading begins, in pixels of the reference width: beyond its own shadow.
        static let clearanceAtLine = 3
        /// The same for a place without a line.
        static let clearanceWithoutLine = 1
        /// The number of pixels read along an angle: fewer are lost in grain, and strokes bend over more.
        static let reading = 6
        /// The number of pixels across the fold that the binding may hide.
        static let swallowed = 4.0
        /// The maximum of the pixels down that a stroke moves there. Only a guard: angles and the hidden part are
        /// small.
        static let maximumLost = 1000
        /// The maximum vertical shift between the halves of a bound book, as a fraction of the height.
        static let misfit = 0.004
        /// The length of a piece, as a fraction of the height: a stroke with the white above and below it.
        static let piece = 0.04
        /// The same in rows, at least: short pieces match more often by chance.
        static let minimumPiece = 6
        /// The part at the top and bottom that is not examined, as a fraction of the height: scanners' edges.
        static let edge = 0.06
        /// The variance of levels below which a piece shows only grain: a standard deviation of 6 levels.
        static let minimumVariance = 36.0
        /// The variance of levels from which a piece counts in full: soft shades match more easily than strokes.
        static let fullVariance = 400.0
        /// The minimum ratio of the two variances of a piece's sides.
        static let minimumBalance = 0.4
        /// The maximum difference of matching pieces, as a fraction of their variance.
        static let maximumDifference = 0.5
        /// The weight of an expected chance match against those found.
        static let chanceWeight = 1.3
        /// The shifts of pieces for measuring chance matches, in fractions of the height: further than any stroke
        /// moves.
        static let moves = [-0.31, -0.23, -0.17, -0.11, 0.11, 0.17, 0.23, 0.31]
    }
}
