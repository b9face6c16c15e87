/// The thresholds of the search for curved lines of text, and of the mesh that makes them straight.
///
/// Measured on: eleven photographs and scans near a binding, the examples of page-dewarp and Leptonica, with
/// `Benchmarks/flatten_accuracy.py`. All are straightened; then 91 % of the lines are within 2 pixels of straight, and
/// 17 % were before. Of 1,567 scanned pages and pictures, 82 are changed. No measurement of a single number was
/// recorded, except where one is named.
///
/// Pixels are those of the preview, except where the page is named. Heights of letters are its unit where print may be
/// large or small.
enum FlattenLimits {
    /// The minimum length of a preview's shorter side, in pixels: letters are then high enough to be followed.
    /// Previews are not reduced below it.
    static let minimumPixels = 1000

    /// The limits for lines of text. `LetterPieceLimits` and `TextLineLimits` have those of the search for them.
    enum Lines {
        /// The number of steps between the places at which the course of a line is measured: a cubic has few bends.
        static let places = 16
        /// A cost of size so small that it only makes the solution unique.
        static let penalty = 1e-6
        /// The deviation at which letters stop counting for a line or a surface, in heights of letters: ascenders do
        /// not count.
        static let scale = 0.3
    }

    /// The limits for fits that ignore outliers.
    enum Fit {
        /// The number of rounds with absolute differences, and then with Tukey's biweight. How many are needed was not
        /// recorded.
        static let (absoluteRounds, biweightRounds) = (8, 6)
        /// The number of parts of the scale: below one of them, an absolute difference counts like a square, because
        /// its weight would be infinite.
        static let partsOfScale = 5.0
        /// The minimum pivot of a decomposition: below it the solution is not unique.
        static let minimumPivot = 1e-12
    }

    /// The limits for the surface on which lines are straight.
    enum Surface {
        /// The number of the spline's functions across the page: more could follow single letters.
        static let knots = 12
        /// The number of powers of the height down the page: a quadratic.
        static let powers = 3
        /// The distance beyond the text over which the surface continues straight, as a fraction of the text's width.
        static let furthest = 0.15
        /// The cost of bending for each power's spline, and the cost of size. Few lines determine the higher powers.
        static let (bending, size) = ([3e-5, 1e-4, 1e-3], 1e-6)
        /// The factor of the cost of bending of a stiff surface, which follows less of a few letters.
        static let stiff = 20.0
        /// The number of rounds in which a place of the flat page is found on the original page. Nearby places move
        /// alike, so that each round is nearer.
        static let rounds = 12
    }

    /// The limits for the decision whether a page is curved.
    enum Curve {
        /// The minimum number of long lines for a result.
        static let minimumLines = 5
        /// The minimum bow of a curved line, in heights of letters: less is the unevenness of letters.
        static let minimumBow = 0.15
        /// The minimum divergence of lines, in heights of letters: then a page is straightened even if its lines are not
        /// bowed. Of 1,567 scans, one such page has more. Where open books or waves in paper were photographed, lines
        /// diverge by up to 0.8.
        static let minimumDivergence = 0.9
        /// The maximum remaining share of the divergence. On the two pages where it decides, it is 0.19 and 0.22. Lines are
        /// straighter there after dewarping. On the others it is 0.14 and less.
        static let maximumRemainingDivergence = 0.25
        /// The limits for a page with few long lines: a list, or a table.
        ///
        /// Measured on: an example of page-dewarp with ten lines. Three of them are long.
        enum Few {
            /// The minimum number of long lines, and of all.
            static let (minimumLong, minimumLines) = (3, 10)
        }
        /// The bows that reports state, in pixels of the page: a bound for any image.
        static let reportedBows = 1...1_000_000
        /// The maximum remaining share of the bow of one half of the lines, when the other half has straightened them.
        static let maximumRemainingShare = 0.5
        /// The same, in heights of letters.
        static let maximumRemainingBow = 0.3
        /// The ratio of the remaining bows below which the stiff surface is preferred: it follows less of a sharp
        /// bend.
        static let clearlyBetter = 0.7
        /// The maximum distances between letters of a line, in heights of letters: those between words, or between
        /// entries of a table.
        static let (wordGap, columnGap) = (2.0, 12.0)
        /// The minimum share of the text's width for a long line: shorter ones show no curve.
        static let minimumShare = 0.3
        /// The number of times that lines are followed, each time with the latest knowledge of the flat page.
        static let rounds = 3
        /// The part of the lines that a usual value stands for: three of four, because headings and notes may be
        /// different.
        static let usual = (lines: 3, of: 4)
    }

    /// The limits for several pieces of paper on one sheet.
    ///
    /// Measured on: the sheet of nine tickets among the examples of Leptonica, and the pages above.
    enum Items {
        /// The minimum width of a gap between two pieces, in heights of letters.
        static let gap = 2.0
        /// The minimum height of a piece, in heights of letters: a row of a table is lower.
        static let minimumHeight = 6.0
        /// The minimum share of all letters in a row or column of pieces: fewer are dirt.
        static let minimumShare = 0.05
        /// The minimum number of rows and of columns, and of neighbors that are rotated differently.
        static let minimumBlocks = 2
        /// The minimum number of lines of a piece that show its slope.
        static let minimumLines = 3
        /// The minimum difference of the slopes of two pieces: about 0.6°. Lines of one column of a page slope alike.
        static let minimumDifference = 0.01
    }

    /// The limits for the lean of upright lines.
    enum Uprights {
        /// The maximum lean of an edge, in pixels across for each pixel down: about 11°.
        static let maximumLean = 0.2
        /// The minimum number of lines that begin or end at an edge, and their minimum share of all lines.
        static let (minimumLines, minimumShare) = (6, 0.4)
        /// The maximum distance from the edge, in heights of letters: letters begin at slightly different places.
        static let ragged = 0.4
        /// The minimum distance of two lines for computing the lean, in fractions of the text's height: near ones are
        /// not exact.
        static let minimumDistance = 0.3
        /// The maximum number of lines that are used; more do not improve the result.
        static let maximumLines = 150
    }

    /// The limits for the mesh by which pixels are moved.
    enum Mesh {
        /// The number of points of the mesh, across and down the page: lines bend across the page more than their
        /// course changes down it.
        static let (columns, rows) = (33, 13)
        /// The allowed number of points in each direction. A file may have another mesh.
        static let points = 2...64
        /// The maximum shift of a point, as a share of the page.
        static let maximumShift = 0.25
        /// The number of iterations that find a place. Neighboring points have similar shifts, so each of them reduces the
        /// distance several times.
        static let iterations = 24
        /// The limits for the relative distance of neighboring points of the mesh: beyond them, letters would be torn.
        static let stretch = 0.4...2.5
        /// The rounding of fractions of the page: a twentieth of a pixel of a page of 5000.
        static let parts = 100_000.0
        /// The number of rounds in which the original column of a place is found.
        static let rounds = 8
    }
}
