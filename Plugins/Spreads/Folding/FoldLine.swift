/// A nearly upright line down a scan, and what speaks for a fold along it.
struct FoldLine: Equatable, Sendable {
    /// Column of the bands at mid-height.
    var column: Int
    /// How far it goes right for each pixel down.
    var slope: Double
    /// How much darker it is than what is beside it, in levels.
    var valley = 0.0
    /// The same for the third weakest of the line's parts.
    var leastValley = 0.0
    /// How much both sides of it differ, beyond how much any two columns nearby do, in levels.
    var seam = 0.0
    /// How much they differ in the third weakest of its parts.
    var leastSeam = 0.0
    /// In which share of the bands it is darker than what is beside it.
    var extent = 0.0
    /// At how many of its two ends nothing of it is seen.
    var missingEnds = 0

    /// A valley of so many levels all the way is a fold; paper's own unevenness makes none of a third of that.
    private static let sureValley = 1.5
    /// Both sides of a seam differ by so many levels all the way.
    private static let sureSeam = 10.0
    /// Black strokes along a fold may hide so many levels of its valley in some of its parts.
    private static let mostMissing = 1.5

    /// How sure it is that a fold runs there: 1 is fairly sure.
    ///
    /// Frames, columns of letters and strokes end before the page does, and then some parts of the line show nothing;
    /// a fold is as long as the scan. A single part may be missing, where what is printed is black.
    var strength: Double {
        openStrength * (1 - 0.5 * Double(missingEnds))
    }

    /// The same where nothing is printed to its left and right.
    var openStrength: Double {
        max(0, min(valley, 2 * leastValley + FoldLine.mostMissing)) * extent * extent / FoldLine.sureValley
            + max(0, min(seam, 3 * leastSeam)) / FoldLine.sureSeam
    }
}
