/// Whether one drawing runs on from a page over its right edge into the page at its right.
///
/// Both edges are carried on to the middle of what the fold swallowed, for several such gaps and small shifts. What is
/// seen there is compared at several scales: with what the pages' own columns agree over the same gap, and with what the
/// two edges agree when they are shifted so far that nothing can run on.
struct ArtSeam: Sendable {
    /// How likely it is, 0 to 1, given that one in ten neighbours in doubt belongs together.
    let confidence: Double
    /// The same as log odds.
    let odds: Double

    init(left: PageEdges, right: PageEdges) {
        self.init(SeamSide(left.right, isMirrored: false), SeamSide(right.left, isMirrored: true))
    }

    init(_ left: SeamSide, _ right: SeamSide) {
        let contrast = min(left.contrast, right.contrast)
        guard contrast > EdgeProfile.plain else {
            // A margin, or plain black: nothing is there that could run on.
            (odds, confidence) = (ArtSeam.never, 0)
            return
        }
        // An edge hardly told from a plain one says hardly anything.
        let faint = max(0, 1 - (contrast - EdgeProfile.plain) / (ArtSeam.clear - EdgeProfile.plain))
        odds = Double(SeamEvidence(left, right).odds) - Double(faint) * 4
        confidence = Numbers.logistic(odds)
    }

    /// From this contrast on, something is certainly drawn there.
    private static let clear: Float = 12
    /// The log odds where nothing is drawn.
    static let never: Double = -20
}
