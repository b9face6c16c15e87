internal import LayoutAnalysis

/// The limits of the classification of a text page by its rows of letters.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`, whose print people had marked. Trimming as a
/// whole was measured there by `trim_peers.py`; no separate measurement of these values is recorded.
enum TextContextLimits {
    /// The minimum number of letters in rows. With fewer, their median height and darkness may be those of specks.
    static let minimumLetters = 20
    /// The minimum length of a row, in letters, for its letters to count for the medians: a short word.
    static let countedRow = 4
    /// The length of a row of letters that cannot be chance.
    static let longRow = 6
    /// The minimum number of letters in long rows for them to show by themselves where the text is: two rows.
    static let minimumInLongRows = 12
    /// The maximum distance of the paper's edge from the image's edge, in percent of the image's side.
    static let edgeMargin = 5.0
    /// The width of the border without print, in percent of the image's side.
    static let noPrintMargin = 1.2
    /// The distance from the image's edge within which charts and rulers are found, in percent of the image's side.
    static let chartMargin = 8.0
    /// The distance from the text beyond which a symbol is isolated, in letter heights: more than a space between
    /// words.
    static let isolation = 1.5
    /// The maximum number of isolated symbols of the size of letters on a page: numbers, and some of a table.
    static let maximumIsolatedMarks = 8
    /// The number up to which isolated symbols may be a number at any place.
    static let fewIsolatedMarks = 3
    /// The number of a distance map's cells in a letter's height. Finer cells cost more time, and the limits are
    /// coarse.
    static let cellsPerLetter = 5.0
    /// The minimum side of a distance map's cell, in units of 1/620 of the shorter side. It bounds the time for small
    /// letters.
    static let minimumCell = 3.0
    /// The same in pixels, and a bound for any image.
    static let cellPixels = 3...1_000_000
    /// The minimum darkness of a part of a mixed blob that is analyzed separately, as a share of the letters' contrast.
    static let partContrast = Ratio(3, 5)
}

/// The minimum sharpness of the edges of print, relative to that of most letters.
///
/// The values are between those of print and those of stains, shadows and show-through. They were measured on 188 pages
/// of ten scanned books whose print people had marked. No other property distinguishes these as well. Where a value has
/// another source, its comment has it.
enum SharpnessLimits {
    /// The limit for the letters of a row of about four.
    static let shortRow = 0.55
    /// The limit for the letters of a row of 30, which is less uncertain.
    static let longRow = 0.2
    /// The limit for an image: a shadow or a stain of its size is softer.
    static let picture = 0.5
    /// The limit for a blob without neighbors.
    static let symbol = 0.62
    /// The limit for a blob close to letters.
    static let punctuation = 0.38
    /// The limit for pencil and pale stamps.
    static let faint = 0.25
    /// The average limit for the marks of handwriting if some of them form rows.
    static let wordsInRows = 0.35
    /// The average limit for the marks of handwriting if they do not.
    static let isolatedWords = 0.45
    /// The limit for an ornament above or below text, which has no neighbors either.
    static let headpiece = 0.62
    /// The limit for the dots of an ornament. Chosen without a separate measurement: dots are as sharp as most letters.
    static let dot = 0.8
    /// The limit for a mark that other pages decide. Chosen without a separate measurement, stricter than for a symbol.
    static let ambiguous = 0.7
    /// The limit for dirt that an uncertain page keeps. Chosen without a separate measurement, laxer than for pencil.
    static let unlikely = 0.2
}

/// The minimum darkness of marks, relative to the letters: the contrast with the paper divided by the letters' median
/// contrast.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement of these values is
/// recorded.
enum DarknessLimits {
    /// The limit for the letters of a long row, which may be faded.
    static let longRow = 0.35
    /// The limit for the letters of a short row, which may be stains or show-through.
    static let shortRow = 0.6
    /// The limit for an image, which may be gray where it is light.
    static let picture = 0.5
    /// The limit for marks that are as dark as text: without neighbors, darkness is the evidence for print.
    static let clear = 0.8
    /// The limit for a single symbol, for a part of an image, and for fragments of digits.
    static let symbol = 0.6
    /// The limit for punctuation, because small marks are paler at low resolution.
    static let punctuation = 0.4
    /// The limit for a mark that other pages decide.
    static let ambiguous = 0.7
    /// The limit for pencil and pale stamps; show-through is often paler.
    static let faint = 0.2
}
