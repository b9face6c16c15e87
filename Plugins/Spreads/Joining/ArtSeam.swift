/// Whether one drawing runs on from a page over its right edge into the page at its right.
///
/// Both edges are carried on to the middle of what the fold swallowed, for several such gaps and small shifts. What is
/// seen there is compared at several scales: with what the pages' own columns agree over the same gap, and with what the
/// two edges agree when they are shifted so far that nothing can run on.
struct ArtSeam: Sendable {
    /// How likely it is, 0 to 1.
    ///
    /// In made books it is a little less than how often it is right; 0 where nothing is drawn at an edge.
    let confidence: Double
    /// The same as log odds.
    let odds: Double

    init(left: PageEdges, right: PageEdges) {
        self.init(SeamSide(left.right, isMirrored: false), SeamSide(right.left, isMirrored: true))
    }

    init(_ left: SeamSide, _ right: SeamSide) {
        guard min(left.doubt.contrast, right.doubt.contrast) > EdgeDoubt.plain else {
            // A margin, or plain black: nothing is there that could run on.
            (odds, confidence) = (ArtSeam.never, 0)
            return
        }
        odds = Double(SeamEvidence(left, right).odds - max(left.doubt.odds, right.doubt.odds))
        confidence = Numbers.logistic(odds)
    }

    /// The log odds where nothing is drawn.
    static let never: Double = -20
}
