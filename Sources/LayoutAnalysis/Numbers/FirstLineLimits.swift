/// The limits of the analysis of the first line of a page of text, as a number and a head.
///
/// Lengths are in letter heights unless stated otherwise. Chosen on the 295 pages of sixteen books in
/// `Benchmarks/README.md`: of 138 running heads 106 were found, and of 128 numbers next to them 100. No separate
/// measurement of these values is recorded.
enum FirstLineLimits {
    /// The minimum number of letters outside the line; a page with fewer is a title, or the end of a chapter.
    static let minimumOtherLetters = 20
    /// A mark in a line: rules and specks are lower, images are higher, and letters may touch.
    static let mark = LetterShape(heights: 0.5...3, widths: 0...10)
    /// The maximum distance between a low line of accents or specks and the letters below it.
    static let accentGap = 0.4
    /// The height that a line of letters has at least; a lower one is accents or show-through.
    static let lineHeight = 0.8
    /// The height, the width and the distance above the line that an image next to it has more than.
    static let (pictureHeight, pictureWidth, pictureRise) = (3.0, 1.5, 0.25)
    /// The size and the height that an ornament below a number has more than.
    static let (ornamentSize, ornamentHeight) = (3.0, 1.8)
    /// The distance between an ornament and the number above it.
    static let ornamentGap = 1.5
    /// The part of a letter's height around its middle that does not reach into neighboring lines, either way.
    static let core = 0.25
    /// The maximum height of a line.
    static let lineDepth = 6.0
    /// The same in pixels: a minimum for small letters, and a bound for any image.
    static let depthPixels = 8...100_000
    /// The bound in pixels for the level of a mark.
    static let levels = 0...1_000_000
    /// The minimum height of a line before a gap may end it.
    static let minimumDepth = 0.5
    /// The maximum ink in a gap between lines, as a share of that in the line.
    static let gapInk = Ratio(1, 16)
    /// The part of a letter's height around its middle that counts as ink, either way, to find lines that are read down.
    static let columnCore = 0.2
    /// The distances in pixels, as a bound for any image.
    static let reachPixels = 0...1000
    /// The minimum width of a gap that separates pieces of a line: more than a space between words.
    static let pieceGap = 1.5

    /// The maximum distance of a line of text from the text's left edge: an indented paragraph.
    static let indent = 4.0
    /// The minimum width of a line of text that is further away, as a share of the text's width.
    static let fullWidth = Ratio(7, 10)
    /// The minimum width of the text's column next to marginal notes, as a share of the text's width.
    static let columnWidth = Ratio(4, 10)
    /// The number of lines to examine for the column, and for a table.
    static let (columnLines, tableLines) = (4, 6)
    /// The share of the text's width that a line has more than if it fills it.
    static let wideLine = Ratio(4, 5)
    /// The maximum height of a speck next to a number.
    static let speckHeight = 1.8
    /// The minimum distance of a head from both ends of the text's lines.
    static let inset = 1.2
    /// The maximum difference of these distances for a centered head, as a share of the column's width.
    static let centered = Ratio(2, 10)
    /// The maximum width of a centered head, as a share of the column's width.
    static let centeredWidth = Ratio(3, 4)
    /// The maximum number of blobs in a number that is not at an end of the line.
    static let digits = 4
    /// The maximum ratio of a bracket's width to its height. Chosen by the shape of brackets: no book of the
    /// measurement has numbers in brackets.
    static let bracketWidth = Ratio(1, 2)
    /// The minimum width of the blanks between brackets and digits that show a number without other pages.
    ///
    /// One book of 22 has such a number, with blanks of 0.9; letters of a word are closer than 0.2.
    static let bracketBlank = 0.3
    /// The width that a rule next to a head has more than.
    static let ruleWidth = 10.0

    /// The minimum height of a number.
    static let numberHeight = 0.6
    /// The maximum distance of a number from the edge of the text or its column: marks in the margin may be further
    /// out.
    static let numberToEdge = 4.0
    /// The minimum width of a column next to marginal notes that has a number at its end, as a share of the text's width.
    ///
    /// The first is for a number by itself, and the second for one next to other pieces. A table's column is narrower.
    /// Measured on 432 pages of 22 books: one number more is found, and no word of a table is cut.
    static let (notedColumn, notedColumnOfHead) = (Ratio(1, 2), Ratio(2, 3))
    /// The minimum distance of a number from the next piece if it is further from the edge.
    static let numberToNext = 4.0
    /// The maximum distance of a number from the right end.
    static let rightEnd = 4.0
    /// The numbers of blobs in a number that is set close to the head, and the minimum number of blobs in that head.
    static let (tightDigits, tightHead) = (1...6, 6)
    /// The minimum width of the gap between them.
    static let tightGap = 0.7
    /// The width of the marks next to a found line that shows that it is incomplete.
    static let missingWidth = 2.5
    /// The maximum distance of a number below the bottom of a head.
    static let numberDrop = 0.5
    /// The distances of fragments from a number, to its sides and above it.
    static let (fragmentAcross, fragmentAbove) = (0.3, 0.6)
}
