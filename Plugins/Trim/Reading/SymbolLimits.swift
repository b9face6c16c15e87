internal import LayoutAnalysis

/// The limits of the search for symbols around the text: punctuation, rules, ornaments, and isolated marks.
///
/// Lengths are in letter heights unless stated otherwise. Chosen on the 295 pages of sixteen books in
/// `Benchmarks/README.md`; no separate measurement of these values is recorded.
enum SymbolLimits {
    /// A symbol that may be a letter, from a small one to one of a title. A higher one for its width is a bar.
    static let letter = LetterShape(heights: 0.5...3, widths: 0...4, maximumHeightRatio: Ratio(5, 1))
    /// The minimum share of its box that such a symbol covers: an outline covers less.
    static let minimumLetterCover = Ratio(1, 8)
}

/// The limits of the search for punctuation, accents and rules: the smaller a mark, the closer it must be.
///
/// Lengths are in letter heights unless stated otherwise. Chosen on the 295 pages of sixteen books in
/// `Benchmarks/README.md`; no separate measurement of these values is recorded.
enum PunctuationLimits {
    /// The size below which marks are counted by their size: those that repeat next to letters are periods.
    static let countedSize = 0.5
    /// The distance from letters within which such marks are counted.
    static let countedDistance = 0.5
    /// The minimum number of marks of one size for it to be that of periods.
    static let minimumAlike = 4
    /// The distance from an image within which a mark is a part of it.
    static let pictureReach = 0.7
    /// The maximum height of such a part, as a share of the image's height: a higher one may be a shadow.
    static let maximumPartHeight = Ratio(1, 4)
    /// The ratio of width to height of a rule up to two letters high: it may be skewed or bent.
    static let highRuleRatio = 10.0
    /// The maximum mean thickness of such a rule: its area divided by its width.
    static let ruleThickness = 0.4
    /// The minimum width of a rule or a dash.
    static let minimumRuleWidth = 0.35
    /// The minimum ratio of a rule's width to its height.
    static let minimumRuleRatio = 2.5
    /// The maximum height of a rule at the side of the text; a thicker one is an edge of the paper.
    static let sideRuleHeight = 0.6
    /// The distance of such a rule from letters.
    static let sideRuleReach = 1.0
    /// The width beyond which a mark is a rule rather than a dash.
    static let dashWidth = 3.0
    /// The distances of a rule and of a dash from the letters above or below.
    static let (ruleReach, dashReach) = (6.0, 4.0)
    /// The height beyond which a mark is not punctuation, and the width beyond which a mark over two letters high is
    /// not.
    static let (maximumHeight, maximumWidth) = (4.0, 4.0)
    /// The reach of marks that cannot be print: no distance is below it.
    static let unreachable = -1.0
    /// The minimum size of a large mark, such as a part of a letter, and its distance from letters.
    static let (largeSize, largeReach) = (0.5, 1.8)
    /// The minimum sizes of a small mark: if many have its size, and if few have. Smaller ones are dust.
    ///
    /// Measured on the 432 pages of `OverlookedLimits`: with 0.33, one more page is cut, and the median area of the boxes is
    /// 0.001 smaller.
    static let (periodSize, smallSize) = (0.25, 0.3)
    /// The distances of a small mark and of dust from letters: an accent touches its letter nearly.
    static let (smallReach, dustReach) = (1.0, 0.25)
    /// The minimum size of a dark small mark, and its distance from letters, on a page without many specks.
    static let (darkSize, darkReach) = (0.4, 2.0)
}

/// The limits of the search for isolated symbols at the places of numbers.
///
/// Lengths are in letter heights unless stated otherwise. Chosen on the 295 pages of sixteen books in
/// `Benchmarks/README.md`; no separate measurement of these values is recorded.
enum IsolatedMarkLimits {
    /// The maximum distance of a symbol's middle from the top or the bottom of the text, to be level with a line there.
    static let levelDistance = 1.5
    /// The minimum height of a clear symbol on a page with many specks.
    static let clearHeight = 0.8
    /// The minimum height of a digit on other pages: it is at least as high as most letters.
    static let digitHeight = 0.85
    /// The horizontal distance from the text for symbols at a likely place of a number: it may be in the outer margin.
    ///
    /// Farther out, a symbol is a number only if other pages have one at its place. On the 432 pages of
    /// `OverlookedLimits` no number is farther out, and one speck is.
    static let farReach = 12.0
    /// The horizontal distance for pairs among specks, and for digits on other pages.
    static let middleReach = 3.0
    /// The horizontal distance for other symbols among specks, and on other pages, where lower marks are specks only
    /// far off.
    static let (nearReachAmongSpecks, nearReach) = (1.0, 1.5)
    /// The vertical distance for a pair among specks, and for all other symbols.
    static let (pairVerticalReach, verticalReach) = (6.0, 3.0)
    /// The distances beyond which an unclear symbol near the image's edge is a speck, on a page with many.
    static let (edgeHorizontalGap, edgeVerticalGap) = (1.0, 3.0)
    /// The minimum vertical distance for digits and pairs: a number at the foot may be lower than a few lines.
    static let minimumNumberReach = 8.0
    /// The same as a share of the image's height.
    static let numberReachOfHeight = 0.2
}

/// The limits of the search for ornaments of dots, and for fragments of isolated symbols.
///
/// Lengths are in letter heights unless stated otherwise. Chosen on the 295 pages of sixteen books in
/// `Benchmarks/README.md`; no separate measurement of these values is recorded.
enum DotLimits {
    /// The sizes of a dot.
    static let sizes = 0.3...1.0
    /// The maximum number of isolated dots on a page: more of them are specks.
    static let maximumDots = 20
    /// The maximum difference in size between dots of one ornament, as a share of the size.
    static let maximumDifference = Ratio(1, 4)
    /// The minimum number of dots in an ornament.
    static let minimumInRow = 3
    /// The minimum height of an isolated symbol with fragments.
    static let symbolHeight = 0.5
    /// The sizes of a fragment, and of the dot above a symbol.
    static let fragmentSizes = 0.2...1.0
    /// The maximum distance of a fragment from its symbol.
    static let fragmentDistance = 0.6
}
