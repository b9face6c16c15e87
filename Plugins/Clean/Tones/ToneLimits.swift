/// The limits of the search for images and tones. Lengths are in cells of 8 pixels of a scan of 300 dpi: 0.68 mm.
///
/// Chosen by eye on 55 pages of books and manga. No measurement is recorded.
enum ToneLimits {
    /// The side of a cell in inches.
    static let cell = 8.0 / 300
    /// The levels, relative to white paper, below which a pixel is ink, and between ink and paper.
    static let (ink, middle): (UInt8, UInt8) = (110, 170)
    /// The difference between two channels, relative to the paper, from which a pixel has its own color.
    static let colored: Int32 = 80
    /// The share of a window that has such pixels from which it is a part of an image in color.
    static let coloredShare = 0.1
    /// The half of the side of the window in which print shows paper.
    static let reach = 2
    /// The level, relative to white paper, that the lightest pixel of a window of tones does not reach.
    static let paper: UInt8 = 196
    /// The share of a window that is ink from which it is solid ink, such as a large letter.
    static let solid = 0.85
    /// The share of pixels of a window after which ink and paper change, in both directions, from which it is a screen.
    static let changes = 0.2
    /// The reach over which tones are joined, the minimum number of their cells, and the margin around them.
    static let (joint, minimumCells, margin) = (6, 60, 2)
    /// The share of its rectangle that an area fills if it is a rectangle.
    static let rectangle = 0.75
    /// The maximum share of the page, across or down, that its scanned edge takes.
    static let edge = 0.12
    /// The share of the page from which all of it is art.
    static let plate = 0.6
}
