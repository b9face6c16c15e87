/// The limits of the search for the paper of a page.
///
/// Chosen on about 70 pages of the books in `Benchmarks/README.md` and on made-up leaves (`Benchmarks/clean_accuracy.py`).
/// Levels are those of 256 gray levels, light is linear from 0 to 1.
enum PaperLimits {
    /// The minimum length of a preview's shorter side, in pixels, as for the search for show-through. Dots of
    /// screentone may merge into gray, which keeps its distance from paper.
    static let minimumPixels = 800
    /// The number of tiles along the shorter side, and the minimum side of a tile in pixels.
    static let (tilesAcross, minimumTile) = (48, 8)
    /// The factor and the addend between the usual difference of neighboring pixels and the maximum one on paper, and the
    /// range of that maximum.
    static let (grainFactor, grainAddend, grain) = (3, 2, 3...48)
    /// The percentile of a tile's flat pixels that is paper if any is: between the strokes, the paper is the lightest.
    static let percentile = 70
    /// The minimum half width of the band of levels that is the tile's paper.
    static let minimumBand = 6
    /// The minimum share of a tile that is in that band.
    static let minimumTileShare = 0.2
    /// The maximum change of light between neighboring tiles of one sheet: steeper ones are edges of images.
    static let maximumStep: Float = 0.05
    /// The minimum light of paper, as a share of that of the lightest tiles, and as such.
    static let (minimumRelativeLight, minimumLight): (Float, Float) = (0.55, 0.15)
    /// The percentile of the lightest tiles, which scanners' reflections do not reach.
    static let lightest = 95
    /// The radii of the smoothing in tiles, from coarse to fine, and the weight of the coarser surface.
    static let (radii, coarseWeight): ([Float], Float) = ([12, 4, 1.2], 0.02)
    /// The range of the paper's light, as a share of the median: the bounds of the correction in shadows and elsewhere.
    static let range: ClosedRange<Float> = 0.5...1.25
    /// The minimum share of a page that is paper: less is art.
    static let minimumShare = 0.2
    /// The difference between the levels of two channels, relative to the paper, from which a pixel has its own color. The
    /// share of such pixels from which a page is art in color.
    static let (coloredDifference, maximumColored) = (40, 0.05)
    /// The levels, relative to white paper, of the middle tones of images, and the maximum share of a page that they have.
    static let (middleTones, maximumMiddle) = (140...217, 0.35)
    /// The maximum level of print, relative to white paper, and the minimum share of a page that has print.
    static let (printLevel, minimumPrint) = (140, 0.0005)
    /// The level from which paper is white: a program made it so, and grays next to it are art, not shadows.
    static let white: UInt8 = 250
}

/// The limits of the comparison of a page's paper with that of the pages around it. No separate measurement is recorded.
enum BookPaperLightLimits {
    /// The number of pages before and after a page whose paper is compared.
    static let reach = 12
    /// The minimum number of pages that show a book's paper.
    static let minimumPages = 3
    /// The maximum ratio of the lights of two pages' paper, and of their hues.
    static let (maximumRatio, maximumHue): (Float, Float) = (1.35, 1.12)
}

/// The limits of the change of pixels.
enum WhiteningLimits {
    /// The range of the light relative to the surface in which pixels show how far the surface is off, and the size of a step.
    static let (range, steps): (ClosedRange<Float>, Int) = (0.8...1.2, 400)
    /// The steps in pixels between those that are measured.
    static let (columnStep, rowStep) = (5, 7)
    /// The number of standard deviations between the paper and its darkest pixel, and of the mean of 25 of its pixels.
    static let (darkest, mean): (Float, Float) = (4, 1.2)
    /// The maximum standard deviation of paper in levels: beyond it, grain is not distinguished from tones.
    static let deviation: ClosedRange<Float> = 0.5...9
    /// The ratio of the standard deviation of a normal distribution and the median of the deviations.
    static let normal: Float = 1.4826
    /// The slope of levels over light at white: 255 × 1.055 / 2.4.
    static let slope: Float = 112
}
