/// The thresholds of the search for the fold of a scan, and of the decisions about wide pages.
///
/// Measured on: the search was developed on the synthetic scans of `Benchmarks/make_spreads.py`, with the score of
/// `Benchmarks/score_folds.py`. The whole was then measured with `Benchmarks/split_accuracy.py`. Of 170 landscape
/// pages none was cut, and all of 48 pairs of real pages were. No measurement of a single number was recorded, except
/// where its comment states one.
///
/// Levels are those of a gray pixel, 0 to 255. Columns are those of `FoldBands`, about 900 over the width of a scan.
enum FoldLimits {
    /// The minimum length of a preview's shorter side, in pixels: then a fold's line is still visible. Previews are
    /// not reduced below it.
    static let minimumPixels = 600
    /// The minimum length of a raster's sides for a search, in pixels. Smaller ones show too little.
    static let minimumSide = 64
    /// The middle of a scan, as a fraction of its width.
    static let middle = 0.5
    /// The search range for folds, in fractions of the width: books are placed no further from the middle of the
    /// glass.
    static let range = 0.4...0.6
    /// The analyzed range, in fractions of the width: gaps reach further than the range of folds, and lines are
    /// slanted.
    static let surroundings = 0.33...0.67
    /// The possible places of a fold on a sheet that lies on a table, in fractions of its width. Facing pages
    /// are about equally wide. No measurement is recorded.
    static let onSheet = 0.25...0.75

    /// The limits for the place of the cut.
    enum Place {
        /// The part of the width beyond a gap's edge that belongs to it: edges are blurred.
        static let gapEdge = 0.008
        /// The minimum reach of a gap to both sides of the scan's middle, in fractions of the width, that makes the
        /// middle the fold.
        ///
        /// So pages that a program joined are split at the joint, even if their margins differ.
        static let margin = 0.015
        /// The maximum error of an edge's position, in columns of the bands, because these blur it.
        static let blurredEdge = 2.0
        /// The assumed distance of the fold from the other page's content if one page is blank, as a fraction of the
        /// width.
        static let usualMargin = 0.025
    }

    /// The limits for the gap between the printed areas of two pages.
    enum Gap {
        /// The width up to which a gap may be one between frames or columns of letters, as a fraction of the width.
        static let wide = 0.014
        /// The minimum width of a gap, as a fraction of the width: about four columns.
        static let minimum = 0.005
        /// The minimum difference in levels between print and the ground; grain, show-through and stains differ by
        /// fewer.
        static let contrast = 30
        /// The share of the bands in which dust and hairs may be in a gap.
        static let dirtShare = 0.02
        /// The number of histogram bins for the levels of the ground, 8 levels each: grain is finer than that.
        static let bins = 32
        /// The minimum share of columns without print on ground that counts as even: nearly all.
        static let evenShare = (of: 5, even: 4)
    }

    /// The limits for the line or the shadow along a fold.
    enum Line {
        /// The strength of a line that is a fold even next to a gap; 1 is almost certain.
        static let sureStrength = 2.0
        /// The minimum strength of a line that is a fold without a gap.
        static let minimumStrength = 0.8
        /// The minimum strength of a line in a gap or at its edge: even a faint line is a fold there.
        static let gapStrength = 0.5
        /// The minimum strength of a line in a gap that slants more than scanned folds do.
        static let steepStrength = 1.0
        /// The ratio to the strength of a less slanted line, or to the width of a less slanted gap, from which one is the fold.
        static let clearlyStronger = 1.25
        /// The strength up to which a line in a drawing may be a stroke.
        static let strokeStrength = 1.1
        /// The depth in levels of a valley over the whole height that is a fold; uneven paper has less than a third of
        /// that.
        static let sureValley = 1.5
        /// The difference in levels of a seam over the whole height that is a fold.
        static let sureSeam = 10.0
        /// The part of a fold's valley that black strokes may hide in some of its parts, in levels.
        static let maximumHiddenLevels = 1.5
        /// The maximum ratios of a whole valley and a whole seam to their weak parts: a fold is as long as the scan.
        static let (maximumValleyRatio, maximumSeamRatio) = (2.0, 3.0)
        /// The share of its strength that a line loses for each end that is not visible: without both, it is not a
        /// fold.
        static let lossPerMissingEnd = 0.5
        /// The index, from the weakest, of the part that stands for the weak ones: print may hide two of the eight.
        static let weakPart = 2
    }

    /// The limits of the search for such lines.
    enum Search {
        /// The maximum slope of a fold: the tangent of 2.5°, by which scanners and hands may rotate a book.
        static let maximumSlope = 0.0437
        /// The maximum slope of a fold on a photograph: the tangent of 6.5°. Such a fold must be clearer than any other.
        static let maximumSlopeOfPhotograph = 0.114
        /// The maximum number of slopes to each side. Only a guard against an unbounded loop: no page is that high.
        static let maximumSlopes = 1 << 16
        /// The reach to each side of the columns for the comparison of seams, as a fraction of the width.
        static let neighborhood = 0.03
        /// The same in columns, at least: a median needs some neighbors.
        static let minimumNeighborhood = 8
        /// The minimum distance of columns that do not see the same edge, in columns.
        static let nearest = 5
        /// The columns with whose median a part's seam is compared: beyond the same edge, on both sides.
        static let around = [-12, -8, -5, 5, 8, 12]
        /// The index of the median among these.
        static let median = 2
        /// The number of lines of each kind that are examined closely, which takes time.
        static let maximumPeaks = 6
        /// The minimum distance of two lines: columns over the whole scan, divided by this. Closer ones are the same
        /// line.
        static let linesPerWidth = 150.0
        /// The difference in levels below which scores are equal.
        static let same: Float = 0.02
        /// The boundaries of a line's parts, in fractions of the height: the ends, where pages have margins, and six
        /// between.
        static let parts = [0, 0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.97, 1]
        /// The contribution of the paper's grain to valleys and, four times that, to seams, in levels.
        static let grain = 0.5
        static let seamGrain = 4 * grain
        /// The minimum valley of a visible end, as a share of the whole line's.
        static let endValley = 0.2
        /// The minimum seam of a visible end, as a share of the whole line's, beyond the grain.
        static let endSeam = 0.1
        /// The depth in levels with which a band shows the line.
        static let seenValley = 1.5
        /// The strongest vote for a valley, in levels, so that a few bands of black strokes do not outvote the others.
        static let maximumValley: Int16 = 10
        /// The strongest vote for a seam, in levels: the edge between an image and paper is stronger than edges within
        /// the image.
        static let maximumSeam: Int16 = 40
        /// The possible half widths of a valley, in fractions of the scan's width: from a line to a wide shadow.
        static let reaches = [1 / 300.0, 1 / 150.0, 1 / 75.0, 1 / 37.5]
        /// The width over which the scanner may blur a seam, as a fraction of the width.
        static let blur = 1 / 450.0
    }

    /// The sizes of the bands to which a scan is reduced, and the limits for the rows that show the book.
    enum Bands {
        /// The number of columns over the whole scan after reduction; a fold's line is still visible then.
        static let columns = 900
        /// The number of bands; with it, the gap between two frames, a hundredth of the height, has its own band.
        static let count = 100
        /// The part at the top and bottom edges that scanners darken, as a fraction of the height.
        static let edge = 0.02
        /// The part of a row's lightest pixels that determines its level, a twentieth: nearly every page has a margin
        /// that light.
        static let lightest = 20
        /// The maximum level of the scanner background, as a fraction of the paper's level.
        static let darker = 0.88
        /// The minimum fraction of rows that show the book; if fewer seem to, the dark ones are pages as well.
        static let minimumShare = 0.65
        /// The approximate number of rows and columns that are examined: enough for a level, and fast.
        static let samples = 200
    }

    /// The thresholds for the evidence of a book's other pages.
    ///
    /// Measured on: 170 landscape pages and 48 pairs of real pages, made by `Benchmarks/split_accuracy.py`, and the
    /// synthetic scans of `Benchmarks/make_spreads.py`. No measurement of a single number was recorded.
    enum Book {
        /// The maximum distance of folds at the same place, as a fraction of the width: books move on the glass.
        static let samePlace = 0.03
        /// The distance from the other folds above which a fold is an edge on a single page, such as that of a chart.
        static let otherPlace = 0.06
        /// The minimum share of wide pages with a fold at the same place, in scans of two pages.
        static let minimumShareAtOnePlace = 1 / 3.0
        /// The minimum share of wide pages with any clear fold, in scans of two pages.
        static let minimumClearShare = 2 / 3.0
        /// The minimum number of folds that agree, or are clear: a single one may be a stroke.
        static let minimumFolds = 2
        /// The minimum share and count of folds at the same place for steady folds.
        static let (steadyShare, steadyCount) = (0.8, 4)
        /// The minimum number of wide pages for a conclusion about the book.
        static let minimumWidePages = 4
        /// The minimum number of other pages for their usual size.
        static let minimumSinglePages = 4
        /// The tolerances for the size of two pages, as fractions: margins are trimmed unevenly.
        static let (sameHeight, sameWidth) = (0.12, 0.15)
    }

    /// The confidence of decisions, 0 to 1. They were chosen; how often such decisions are right was not measured.
    enum Confidence {
        /// A line's confidence begins with this and grows with its strength, up to the last.
        static let line = (minimum: 0.7, perStrength: 0.1, maximum: 0.98)
        static let wideGap = 0.85
        static let narrowGap = 0.5
        /// No line and no gap: the fold is assumed to be in the middle.
        static let assumed = 0.3
        /// The page is cut where the book's other folds are.
        static let usualPlace = 0.6
        /// The page is cut in the middle, because of its size or the book's other pages.
        static let inTheMiddle = 0.5
        /// The page is as large as one page on its side.
        static let onItsSide = 0.8
        /// The page is kept whole because its fold is not visible, or at another place than the book's other folds.
        static let keptWhole = 0.5
    }

    /// The limits for cuts in files.
    enum Cut {
        /// The parts of a unit to which slopes are rounded. Over 10,000 rows that moves a cut by at most a tenth of a pixel.
        static let slopeParts = 100_000.0
    }
}
