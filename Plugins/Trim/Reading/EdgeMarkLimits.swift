internal import LayoutAnalysis

/// The limits of the detection of marks along the edge of the paper among the images.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`. Streaks and bent bars were added together with a
/// few other rules. Pages with cut print went from 4 to 2, and boxes over 1.25 times the print from 20 to 15.
enum EdgeMarkLimits {
    /// The maximum mean thickness of an outline, in letter heights: its area divided by its width and height together.
    static let outlineThickness = 0.5
    /// The maximum share of its box that a thin mark covers.
    static let thinCover = Ratio(1, 4)
    /// The minimum length of such a mark, as a share of the image's height.
    static let thinLength = Ratio(1, 4)
    /// The length above which a thin mark next to the text, and not at the image's edge, is a frame. It is a share of the
    /// image's height.
    static let frameLength = Ratio(2, 5)
    /// The distance from the text beyond which a mark is isolated, in letter heights.
    static let isolation = 2.0
    /// The size below which an isolated mark is a stain or a dog-ear, in letter heights.
    static let maximumIsolatedSize = 4.0
    /// The minimum distance between the centroid and the middle of a bent bar, as a share of its width or height. A
    /// frame's is near 0, because all its sides are alike.
    static let bentLopsidedness = 0.15
    /// The minimum length of a bent bar, as a share of the text's longer side.
    static let bentLength = Ratio(1, 5)
    /// The maximum mean thickness of a bent bar with its shadow, in letter heights.
    static let bentThickness = 1.2
}

/// The limits of the detection of blobs in line with streaks at the side of the text. See `EdgeMarkLimits` for the
/// measurement.
enum StreakLimits {
    /// The minimum height of a bar, in letter heights: higher than any letter.
    static let minimumBarHeight = 2.5
    /// The minimum ratio of a bar's height to its width.
    static let minimumBarRatio = 4
    /// The maximum width of a bar, in letter heights.
    static let maximumBarWidth = 0.7
    /// The maximum width of a blob between bars, in letter heights.
    static let maximumWidth = 1.2
    /// The minimum length of the bars in a line, as a share of the text's height.
    static let minimumLength = Ratio(1, 6)
    /// The maximum number of places to compare, each half a letter wide: a bound for any image.
    static let places = 0...1 << 20
    /// The number of further places, so that the first and the last one have neighbors.
    static let borderPlaces = 3
}

/// The limits of the detection of fragments along the outline of the paper.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement of these values is
/// recorded.
enum OutlineLimits {
    /// The minimum distance of the outline from the text, in letter heights.
    static let distance = 1.5
    /// The minimum height of an edge of the paper, as a share of the text's height.
    static let edgeHeight = Ratio(1, 3)
    /// The maximum mean thickness of an edge with its shadow, in letter heights.
    static let edgeThickness = 1.2
    /// The minimum height of the whole outline, as a share of the text's height.
    static let outlineHeight = Ratio(4, 5)
    /// The maximum deviation of a fragment from the outline, in letter heights.
    static let reach = 0.7
    /// The maximum thickness of a fragment, in letter heights.
    static let thickness = 0.4
    /// The maximum length of a fragment, as a share of the text's width or height: a longer one is a rule.
    static let length = Ratio(1, 5)
}
