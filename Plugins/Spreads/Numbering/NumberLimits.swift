/// The thresholds of the sides of pages by their printed numbers, and of pairing pages by them.
///
/// Measured on: no measurement was recorded, except where a comment states one.
enum NumberLimits {
    /// The minimum length of a preview's shorter side in pixels: digits are 6 pixels high and more. Previews are not
    /// reduced below it.
    static let minimumPixels = 600

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
        /// The weight of a page whose side a drawing shows, in numbers: a single pair of pages may move the pairing even in the
        /// middle.
        static let weightOfArt = 4.0
        /// The number of further pages for which a number still determines the side, before drawings are joined.
        static let reach = 6
    }
}
