internal import LayoutAnalysis

/// The limits of the search for pencil and stamps: rows of symbols paler than the text.
///
/// Lengths are in letter heights. Chosen on the ten books on which `SharpnessLimits` were measured; no separate
/// measurement of these values is recorded.
enum FaintRowLimits {
    /// The minimum length of a row, in symbols.
    static let minimumRow = 5
    /// The minimum height of a symbol in a row.
    static let minimumHeight = 0.5
    /// The minimum share of a row's marks that are faint symbols.
    static let minimumShare = Ratio(4, 5)
    /// The maximum number of such rows on a page: more of them are show-through.
    static let maximumRows = 3
    /// The distance of words in such a row.
    static let wordDistance = 8.0
    /// The heights of the symbols of such words.
    static let heights = 0.5...3.0
}

/// The limits of the search for handwritten notes: clusters of marks.
///
/// Chosen on the same ten books. Writing at edges was added together with local contrast: print was then cut on 4 of
/// 295 pages instead of 8. No separate measurement of these values is recorded.
enum HandwritingLimits {
    /// The sizes of a mark, in letter heights: from a small letter to a word.
    static let sizes = 0.5...12.0
    /// The minimum number of marks in a cluster: fewer are specks.
    static let minimumCluster = 4
    /// The minimum number of marks in a cluster that forms rows, and the minimum length of such a row.
    static let (minimumClusterInRows, minimumRow) = (6, 4)
    /// The minimum length of a bar, in letter heights, and the minimum ratio of its length to its thickness.
    static let (barLength, barRatio) = (4.0, 6)
    /// The maximum number of cells to compare, each half a letter wide: a bound for any image.
    static let cells = 0...1 << 24
    /// The sizes of a part of an edge's shadow that may be writing, in letter heights.
    static let partSizes = 0.5...8.0
    /// The maximum distance of such a part from known print, in letter heights.
    static let partDistance = 1.5
}

/// The limits of the search for marks that other pages, or the page's confidence, decide.
///
/// Lengths are in letter heights. Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate
/// measurement of these values is recorded.
enum AmbiguousMarkLimits {
    /// The maximum number of isolated symbols on a page that other pages decide; more of them are specks, and some of
    /// them repeat by chance.
    static let maximumMarks = 12
    /// The sizes of dirt that may be pencil, a stamp or a faded line.
    static let unlikelySizes = 0.6...12.0
    /// The side of the cells, in pixels, for finding single marks: a minimum for small letters, and a bound for any
    /// image.
    static let cellPixels = 4...1_000_000
    /// The minimum size of a blob in which letters may have merged with a paler area.
    static let mixedSize = 2.5
    /// The minimum size of a blob along an edge that may contain letters.
    static let edgeSize = 8.0
}
