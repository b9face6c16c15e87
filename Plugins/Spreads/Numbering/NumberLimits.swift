/// The thresholds of the search for printed page numbers, and of pairing pages by them.
///
/// Measured on: no measurement was recorded, except where a comment states one.
enum NumberLimits {
    /// The minimum length of a preview's shorter side in pixels: digits are 6 pixels high and more. Previews are not
    /// reduced below it.
    static let minimumPixels = 600

    /// The limits for the marks that may be a number.
    enum Mark {
        /// The part of a page's height that is examined, above and below.
        static let band = 0.16
        /// The maximum distance from a side for a number that shows the page's side, as a fraction of the width: a
        /// centered one does not.
        static let outer = 0.4
        /// The unit of the sizes of digits: a page's shorter side divided by this.
        static let unitsPerSide = 620.0
        /// The height of digits, in these units.
        static let heights = 5.0...26.0
        /// The minimum width of a digit in these units: thinner marks are rules.
        static let minimumWidth = 1.2
        /// The maximum ratio of a digit's width to its height. Wider marks are rules or joined letters. The reason for this value
        /// was not recorded.
        static let maximumRatio = (width: 3, height: 2)
        /// The minimum distance of a number from other marks, in heights of a digit.
        static let gap = 1.2
        /// The maximum width of a number, in heights of a digit.
        static let maximumWidth = 4.5
        /// The maximum number of digits: books have fewer than 10,000 pages.
        static let maximumDigits = 4
        /// The maximum ratio of the heights of two digits: digits of one number are nearly as high as each other.
        static let maximumHeights = (higher: 8, lower: 5)
    }

    /// The limits for numbers that show the sides of a book's pages.
    enum Sides {
        /// The minimum number of pairs of consecutive pages with numbers at opposite sides.
        ///
        /// Measured on: a book of four pages, which had such marks by chance.
        static let minimumPairs = 8
        /// The minimum ratio of these pairs to pairs with the same side.
        static let minimumRatio = 9
        /// The number of pages in the middle of a long book that are analyzed first, because analyzing all takes time.
        /// The others follow only if these contain that many pairs.
        static let (sample, minimumPairsInSample) = (24, 3)
        /// The size of a cell in which numbers are counted together, as a fraction of the page. Pages are trimmed and
        /// placed on the glass with such differences.
        static let (cellWidth, cellHeight) = (0.04, 0.025)
        /// The maximum number of a cell. Only a guard: places on a page are fractions.
        static let maximumCell = 1000
    }

    /// The limits for pairing pages by such sides.
    enum Pairing {
        /// The minimum excess of contradicting over agreeing numbers for shifting the pairing at its beginning, and in
        /// the middle. A few numbers may be misread, which shall not move the pages after them.
        static let (costAtStart, cost) = (1.5, 3.5)
        /// The number of further pages for which a number still determines the side, before drawings are joined.
        static let reach = 6
    }
}
