/// The limits of the search for the reading direction: the amount of analysis, and the required agreement.
///
/// Measured on 12 books of 5 to 46 pages, four of them read from right to left. With these limits, jisui inferred no wrong
/// direction.
package struct DirectionLimits: Sendable {
    /// The number of pages, spread over the book. A page of 2 megapixels takes about 30 ms of one core.
    package var pages = 16
    /// The minimum length in pixels of a preview's shorter side. A character of a dense page is then 8 pixels high.
    var pixels = 600
    /// The minimum number of pages that agree. A single page with a table or a caption proves nothing about a book.
    var agreeing = 3
    /// The minimum share of agreeing pages among those with evidence.
    var share = 0.75
    /// The minimum number of pages with agreeing numbers, because corners contain other numbers too.
    var numbers = 5
    /// The minimum number of characters for a page's text to count.
    var characters = 20
    /// The minimum share of a page's characters that run in one direction.
    var shareOfCharacters = 0.8
    /// The maximum distance of a page number from the top or the bottom, as a share of the height.
    var band = 0.16
    /// The maximum distance of a page number from its side, as a share of the width. It excludes centered numbers.
    var outer = 0.4

    package init() {}
}
