/// The thresholds of the search for drawings that continue on the next page.
///
/// Measured on: they were chosen on synthetic comics of `Benchmarks/make_joins.py`, with the score of
/// `Benchmarks/score_joins.py`, and on real pages that were cut in two. The real pages are not in the repository, and
/// no measurement of a single number was recorded. `SeamWeights` has the weights that were fitted instead of chosen.
///
/// A row is a 640th of a page's height, and a column is as wide as a row is high. Levels are those of a gray pixel, 0
/// to 255. Log odds are natural logarithms.
enum SeamLimits {
    /// The minimum length of a preview's shorter side in the comparison of edges, in pixels: strokes of a scanned
    /// comic are then visible. Previews are not reduced below it.
    static let minimumPixels = 600

    /// The limits for the pairs of a book.
    enum Pairs {
        /// The minimum confidence for a pair, 0 to 1. The reason that it is above a half was not recorded.
        static let minimumConfidence = 0.62
        /// The minimum confidence for a pair that determines the sides of the pages around it, 0 to 1.
        ///
        /// Measured on three open comics: a shared drawing has above 0.9999, and two pages of alike panels 0.984.
        static let certain = 0.995
        /// The minimum shorter side of each of these pages, in pixels: the edges of smaller ones are alike by chance. The pages
        /// of the three comics have 828 and more.
        static let minimumSide = 300
        /// The minimum confidence for a report, 0 to 1.
        static let minimumReportedConfidence = 0.1
        /// The log odds of a confidence of 0.1: only pairs that may be reported are compared with the rest of the
        /// book.
        static let worthChecking = -2.2
        /// The weight of printed numbers against a pair, in log odds: only nearly certain pairs are joined all the
        /// same.
        static let weightOfNumbers = 4.0
        /// The usual log odds against unrelated pages' looking like a pair, in most books.
        static let usualMargin = 2.5
        /// The number of other pages with which each page of a pair is compared, which takes time.
        static let unrelatedPages = 8
        /// The log odds if nothing is drawn: a confidence of 0.
        static let never: Double = -20
    }

    /// The grid of an edge, and the limits for the paper outside of the image.
    enum Band {
        /// The number of rows of a page of any size, so that pages of different size compare.
        ///
        /// A stroke of a scanned comic is about a row thick.
        static let rows = 640
        /// The number of columns, as wide as a row is high: 7 % of a comic page's width.
        ///
        /// This is twice the part that a fold hides, plus the part that shows the direction of strokes beyond that.
        static let columns = 32
        /// The distances from the edge at which the page's contrast is measured, in fractions of its height: beyond
        /// most margins.
        static let depths = [0.04, 0.06, 0.08, 0.1, 0.12, 0.14]
        /// The maximum width of the paper's edge in columns, 1 % of a page's width; a wider area is a margin.
        static let maximumSkippedColumns = 5
        /// The correlation with its neighbor below which a column shows nothing.
        static let minimumSimilarity: Float = 0.3
        /// The minimum similarity of a column with its neighbor relative to that of other columns in the drawing; an
        /// edge's is far lower.
        static let likeEnough: Float = 0.75
        /// The variance that grain and JPEG noise add to a column: a standard deviation of 3 levels.
        static let grain: Float = 9
        /// The minimum width of a span, in pixels, so that it is never empty.
        static let minimumSpan = 0.001
    }

    /// The limits for the doubt whether the levels down an edge are a drawing.
    enum Uncertainty {
        /// The maximum variation of the level down a margin, with grain and shade, or down plain black. It is a
        /// standard deviation.
        static let plain: Float = 5
        /// The standard deviations of features only a few rows high: shade and grain have up to 6, a single stroke
        /// more than 10.
        static let softToDrawn: ClosedRange<Float> = 6...10
        /// The contrasts in fractions of those inside: shades have up to a third, art that bleeds hardly ever less
        /// than 0.4.
        static let paleToPrinted: ClosedRange<Float> = 0.3...0.4
        /// The distances of the mean from that inside, in standard deviations inside: margins have mostly 0.5 to 2.
        static let centerToMargin: ClosedRange<Float> = 0.25...0.5
        /// The contrast from which strokes are certain, in levels; soft features need this much more.
        static let clear: Float = 12
        static let soft: Float = 10
        /// The log odds by which an edge that is hardly distinguishable from a plain one counts less.
        static let faint: Float = 4
        /// The log odds by which a margin does: more than all evidence can outweigh.
        static let margin: Float = 25
        /// The reach of the smoothing that removes grain before the variation is measured, in rows.
        static let grainReach = 3
        /// The reach of the smoothing that removes strokes, but leaves shade, in rows.
        static let strokeReach = 10
    }

    /// The limits for the directions of strokes and their extrapolation.
    enum Strokes {
        /// The gaps to try, in columns, between the columns that are extrapolated on either side.
        ///
        /// If no part of a drawing is lost, they are 2 apart; if 3 % of a page's width is lost, 15.
        static let gaps = [4, 7, 10, 14]
        /// The number of columns that are examined: enough to see a direction, few enough for curves to be straight.
        static let breadth = 6
        /// The maximum slope in rows for each column: steeper strokes run along the edge rather than over it.
        static let steepest: Float = 4
        /// The minimum lean, in squared levels: below it a stroke runs along the edge, or nothing is drawn.
        static let minimumLean: Float = 1e-3
        /// The number of rows over which an extrapolated row is spread: at first, and more for every column.
        ///
        /// Its direction is known less exactly than its place.
        static let spread: Float = 0.6
        static let spreading: Float = 0.15
        /// The distance at which that spread is cut off, in such spreads: a row counts little beyond.
        static let cutoff: Float = 2.5
        /// A weight that a row without any other has, so that no mean divides by zero.
        static let minimumWeight: Float = 1e-6
        /// The factor for trusting a direction: from a coherence of two thirds on, the direction of a row is used in
        /// full.
        static let trust: Float = 1.5
        /// The squared gradients of a scan's grain and of JPEG noise, summed over a row.
        static let noise: Float = 60
        /// The gradients of a clear stroke, summed over a row.
        static let strong: Float = 60
        /// The weight of plain paper, in relation to a clear stroke.
        static let paper: Float = 0.08
    }

    /// The limits for the frames of panels.
    enum Frames {
        /// The maximum number of level lines for frames; more are part of a drawing, like the streaks of a moving
        /// object.
        static let maximumLines = 12
        /// The maximum height of a gutter between panels in rows (7 % of the page); a higher blank stretch is not a
        /// gutter.
        static let highest = 45
        /// The reach of a reduced page's blur and a frame's own thickness, in rows.
        static let margin = 3
        /// The maximum variation of a gutter by grain and JPEG noise, in levels.
        static let grain: Float = 14
        /// The minimum level of a white gutter, and the maximum of a black one; a gutter is nearly white or nearly
        /// black.
        static let white: Float = 190
        static let black: Float = 50
        /// The minimum difference in levels over two rows between a frame and its lighter surroundings.
        static let step: Float = 24
        /// The share of columns that grow lighter, or darker, at a frame; on a slightly skewed page, not quite all do.
        static let unity: Float = 0.93
    }
}
