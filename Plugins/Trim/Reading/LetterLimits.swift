internal import LayoutAnalysis

/// The limits of the classification of blobs as letters and images.
///
/// Lengths are in letter heights unless stated otherwise. Chosen on the 295 pages of sixteen books in
/// `Benchmarks/README.md`; no separate measurement of these values is recorded.
enum LetterLimits {
    /// The minimum length of a row of dark letters, in letters: a short word.
    static let shortRow = 3
    /// The length of a row, in letters, that is print even if its edges are soft, as in the shadow of the binding.
    static let surestRow = 30
    /// The minimum height of a letter. A letter without ascender is about half as high as a capital.
    static let minimumHeight = 0.45
    /// The minimum longer side of an image, so that letters of a large size are not images.
    static let minimumPictureSize = 2.5
    /// The minimum area of an image, in squares of the letter height.
    static let minimumPictureArea = 2.0
    /// The minimum ratio of an image's shorter side to its longer one: a longer mark is a rule, a crease or a shadow.
    static let minimumPictureBreadth = Ratio(1, 5)
    /// The minimum length of a row, in blobs, that may be dropped because most of its marks are not letters.
    static let ambiguousRow = 5
    /// The minimum height of an ornament above or below text. A crease or the shadow of an edge is lower.
    static let minimumHeadpieceHeight = 1.5
    /// The minimum share of its box that such an ornament covers.
    static let minimumHeadpieceCover = Ratio(1, 4)
    /// The minimum height of the letters of a short row far from the text, such as a title or a number; specks are
    /// lower.
    static let minimumTitleHeight = 0.5
    /// The same on a page with many specks.
    static let minimumTitleHeightAmongSpecks = 0.8
    /// The distance of a short row from the long ones beyond which it has to be clear.
    static let farFromText = 4.0
}

/// The limits of the search for letters of the facing page at the left or right edge.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement of these values is
/// recorded.
enum SliverLimits {
    /// The minimum height of a blob that may be a letter, in letter heights.
    static let minimumHeight = 0.4
    /// The heights of blobs that the edge may have cut, in letter heights.
    static let cutHeights = 0.4...3.0
    /// The minimum number of blobs that the edge cuts: fewer are dirt.
    static let minimumCut = 4
    /// The maximum width of the facing page's part, as a share of the image's width.
    static let maximumWidth = Ratio(15, 100)
    /// The minimum width of the gap between both pages, in letter heights: more than a space between words.
    static let minimumGap = 1.5
}
