/// The limits of the comparison of possible page numbers and running heads with those of other pages.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`: of 138 running heads 106 were found, and of 128
/// numbers next to them 100. No separate measurement of these values is recorded.
enum PageFurnitureLimits {
    /// The number of pages before and after that are compared: layouts change in the middle of a book.
    static let reach = 24
    /// The minimum number of pages on which a candidate must repeat; on one fewer if that is a good share of those
    /// nearby.
    static let minimumPages = 3
    /// The minimum share of the pages nearby.
    static let minimumShare = 0.3
    /// The share of pages with a number and a head in their first line above which similar lines count as such.
    static let clearShare = 0.7
    /// The minimum number of other pages with the words of a head.
    static let minimumSimilar = 2
    /// The maximum ratio of heights: of numbers in a first line, because a roman x is half as high as xviij, and of
    /// others.
    static let (numberHeights, heights) = (2.5, 1.7)
    /// The maximum difference of the vertical places of similar first lines, in heights of the page. Text begins at
    /// various ones.
    static let firstLineTolerance = 0.04
    /// The maximum difference of the vertical places of one item, in heights of the page.
    static let verticalTolerance = 0.015
    /// The maximum difference of both ends of items as long as each other, in heights of the page.
    static let endTolerance = 0.015
    /// The maximum difference of the horizontal places of one item, in heights of the page.
    static let horizontalTolerance = 0.02
    /// The heights of letters of a usual page, as ratios to the median nearby: on a title page they are higher.
    static let letterHeights = 0.75...1.33
    /// The limits for the words of a title: the maximum share of the usual number of letters on its page, and the minimum
    /// height. The height is a ratio to that of the numbers nearby.
    ///
    /// Measured on 432 pages of 22 books: on one title page a word looked like the number. 0 of the 228 numbers are
    /// affected.
    static let (titleLetters, titleHeight) = (0.4, 1.2)
    /// The height that the title of a chapter has more than, as a ratio to that of most possible heads nearby.
    ///
    /// None of the 295 heads found on 859 pages of 49 books is affected. On 488 pages of five further books, one title has 1.5.
    static let titleLineHeight = 1.35
    /// The minimum share of the usual number of letters on a page of text in a larger type, such as a dedication.
    ///
    /// One of 149 pages with heads is such a page.
    static let textLetters = 0.8
}
