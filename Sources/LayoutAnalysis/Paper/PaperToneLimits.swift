/// The limits of the level of the paper and of ink, in levels of 256 gray levels unless stated otherwise.
///
/// Chosen on synthetic scans and on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement
/// of these values is recorded.
enum PaperToneLimits {
    /// The number of gray levels.
    static let levelCount = 256
    /// The number of levels in a bin of a block's histogram.
    static let binWidth = 4
    /// The levels of paper. Darker paper is not distinguished from a dark page.
    static let levels = 130...255
    /// The level of paper if `levels` were empty, which it is not.
    static let white = 255
    /// The level from which paper is nearly white, so that little of it is enough.
    static let nearlyWhite = 240
    /// The level from which a program made the paper white: no scanner produces it.
    static let blownOut = 253
    /// The maximum level of nearly black pixels.
    static let black = 90
    /// The maximum difference of the grain of paper from its level.
    static let grain = 12
    /// The minimum share of pixels within one level, among those within the grain, on a clean page.
    static let evenShare = Ratio(9, 10)
    /// The share of nearly black pixels in the band along the edges from which a page is dark, 0 to 1.
    static let maximumDarkShare = 0.6
    /// The share of that band that paper has more than, 0 to 1: nearly white paper, and other paper.
    static let (nearlyWhiteShare, paperShare) = (0.1, 0.45)
    /// The maximum difference between show-through or the shadow of a binding and the paper around.
    static let scanContrast = 46
    /// The maximum darkness of screentone that was reduced to a light gray, on even paper.
    static let cleanContrast = 24
    /// The number of levels by which paper may darken towards a binding before it counts as print.
    static let maximumShading = 70
    /// The maximum level of ink, in percent of the level of the paper around it, and the percent of the paper.
    static let maximumInkPercent = 81
    static let wholePercent = 100
    /// The side of a block with its own threshold, in pixels of the preview: it contains paper between the strokes.
    static let block = 32
    /// The share of a block's pixels, the lightest ones, that is skipped: the rest is darker than the paper between
    /// strokes.
    static let lightest = Ratio(1, 5)
    /// The beginning and end of the band along the edges, as shares of the shorter side. It is within the part that
    /// scanners darken, and before the end of most margins.
    static let (bandBegins, bandEnds) = (Ratio(4, 100), Ratio(7, 100))
}
