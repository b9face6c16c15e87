/// The limits of the search for a page on a table. Levels are those of 256 gray levels of brightness, unless stated
/// otherwise.
///
/// Chosen on photographs of four books of the National Diet Library of Japan, with rulers, color charts, cards and a
/// book rest. On the 295 pages of sixteen other books and on the pages of comics nothing is found.
enum TableLimits {
    /// The number of cells along the shorter side.
    static let cellsAcross = 120
    /// The maximum ratio of the image's sides. A longer one is a strip.
    static let maximumAspect = Ratio(3, 1)
    /// The number of parts of a cell along a side. The lightest part counts as the paper between strokes.
    static let parts = 2
    /// The beginning and end of the band along the edges that shows the table, as shares of the shorter side.
    static let (bandBegins, bandEnds) = (Ratio(15, 1000), Ratio(6, 100))
    /// The levels of a table. `PaperSheet` finds darker ones, which may be the ground of a comic, and lighter ones may be
    /// paper.
    static let levels = 120...200
    /// The maximum differences within the table, in levels of brightness and of ink.
    static let (grain, inkGrain) = (10, 12)
    /// The minimum share of the table in the band: the rest is a ruler, a chart, or a book rest.
    static let minimumShare = Ratio(9, 20)
    /// The minimum share of it along each of a minimum number of sides.
    static let (sideShare, minimumSides) = (Ratio(2, 5), 3)
    /// The difference to the table from which a cell is lighter.
    static let lighter = 12
    /// The difference between the brightness and the ink from which a cell is tinted, and how much darker it may be.
    static let (tinted, tintedDarker) = (10, 25)
    /// The difference to the table from which a cell is darker. Shadows are less dark.
    static let darker = 25
    /// The breadth below which things are not a page, as a share of the shorter side: a ruler, a card, a book rest.
    static let breadth = Ratio(45, 1000)
    /// The breadth of the page's edge that does not count, in cells: it shows some of the table, or its shadow.
    static let rim = 1
    /// The minimum area of a part of the page, as a share of the largest one: the facing page differs by less.
    static let minimumIsland = Ratio(1, 5)
    /// The minimum area of the page, as a share of the image.
    static let minimumArea = Ratio(1, 4)
    /// The minimum share of the box around the page that it covers if its sides are straight.
    static let straightness = Ratio(88, 100)
    /// The minimum number of sides with the table beyond: the fourth may be the binding.
    static let minimumFreeSides = 3
    /// The share of the cells of a page up to which its contrast with the table is measured.
    static let quartile = Ratio(3, 4)
    /// The minimum difference at that share: of lighter paper, and of a dark cover.
    static let (paperContrast, coverContrast) = (22, 40)
    /// The maximum difference between the brightness and the ink of a table under a dark cover. Paper around a
    /// photograph is usually more yellow.
    static let maximumTint = 8
    /// The difference between the brightness and the ink from which a cell is a patch of a color chart.
    static let saturation = 40
    /// The minimum area of such patches outside a dark cover, as a share of the image.
    static let minimumChart = Ratio(2, 1000)
}
