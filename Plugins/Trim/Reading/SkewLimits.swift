/// The limits of the search for the skew of a page.
///
/// A unit is a 620th of the page's shorter side. A gain is the ratio of a measure at its peak to its median over all
/// angles. Chosen on 100 real pages, each rotated by four known angles. Of 345 angles found one was off by more than
/// 0.3 degrees, and the median error was 0.02 degrees. `Benchmarks/deskew_accuracy.py` repeats this on other pages.
enum SkewLimits {
    /// The sizes of letters, in units: 0.5 to 8 mm on a page of a paperback.
    static let letterSizes = 3.0...45.0
    /// The minimum length of a row of letters, in letters, if letters alone do not show a skew.
    static let minimumRow = 3
    /// The share of its box that a thin mark covers less than, such as a staff line or a table's rule.
    static let thinCover = 0.4
    /// The size in units below which a mark counts even if it is not thin: a letter of a title.
    static let maximumThickSize = 150.0

    /// The maximum skew of pages, in degrees. Pages are scanned with less, and larger angles are found by chance.
    static let maximum = 15.0
    /// The deviation that the fine search may add to that, in degrees.
    static let slack = 0.1
    /// The distance of the angles to try, in degrees.
    static let step = 0.5
    /// The range around a peak, either way, for the fine search, and the distance of its angles, in degrees.
    static let (fineRange, fineStep) = (0.6, 0.05)
    /// The number of steps in a degree of the result: more are below the error.
    static let stepsPerDegree = 100.0
    /// The height from which a peak's values give its middle, as a share of its height above the lowest value.
    static let upperPart = 0.5

    /// The maximum length of a piece, in units; longer runs are split, so that a rule is a line at every angle.
    static let piece = 12.0
    /// The same in pixels, as a bound for any image.
    static let piecePixels = 1...1000
    /// The minimum number of pieces for a result.
    static let minimumPieces = 300
    /// The minimum number of pieces in a cell.
    static let minimumPiecesInCell = 100
    /// The number of pieces beyond which more do not improve the result.
    static let sufficientPieces = 6000

    /// The gains of the differences at which lines of text are the likely reason, or the only one.
    static let (clearGain, surestGain) = (5.0, 10.0)
    /// The minimum gain of the squares at which upright lines need not be examined.
    static let surestSquares = 1.3
    /// The minimum numbers of halves of the page, out of four, that share the skew: if the gain is clear, and if not.
    static let (sharingIfClear, sharing) = (3, 4)
    /// The maximum deviation of the skew of a half or a cell, in degrees.
    static let sharedWithin = 1.0
    /// The maximum difference between the two measures if only most of a page's cells share the skew, in degrees.
    static let toleranceOfCells = 0.3
    /// The minimum number of cells of a page for a result, out of twelve.
    static let minimumCells = 4

    /// The evidence for marks of the size of letters.
    static let letters = SkewFinder.Evidence(
        tolerance: 0.75, minimumSquares: 1.1, minimumDifferences: 1.8, sharing: .halvesOrCells,
        minimumDifferencesOfCells: 4)
    /// The evidence for letters in rows, which are less often dirt.
    static let rows = SkewFinder.Evidence(
        tolerance: 0.75, minimumSquares: 1.1, minimumDifferences: 1.8, sharing: .halvesOrCells,
        minimumDifferencesOfCells: 3)
    /// The evidence for all thin marks, which drawings have too.
    static let lines = SkewFinder.Evidence(
        tolerance: 0.3, minimumSquares: 1.3, minimumDifferences: 3, sharing: .halves, minimumDifferencesOfCells: 4)
    /// The evidence on a page that cannot be read.
    static let uncertain = SkewFinder.Evidence(
        tolerance: 0.3, minimumSquares: 1.1, minimumDifferences: 2.5, sharing: .halvesAndCells,
        minimumDifferencesOfCells: 4)
}
