internal import PageModel

internal import func Glibc.exp

/// Two consecutive pages that may share one drawing.
struct ArtPair: Hashable, Sendable {
    /// The index of the page that is read first.
    let first: Int
    /// The probability that they do, 0 to 1.
    let confidence: Double
}

/// The consecutive pages of a book that share a drawing split at the fold.
struct ArtSeams: Sendable {
    /// The pairs in reading order; no page is in two of them.
    let pairs: [ArtPair]
    /// The pairs that are not joined, in reading order: too uncertain, or one of their pages is in a better pair.
    let nearMisses: [ArtPair]

    /// - Parameters:
    ///   - pages: the pages in reading order. Nil for a page that is wide, cannot be analyzed or is not to be joined.
    ///   - sides: each page's side according to printed numbers. `.single` if unknown. Empty if none are known.
    init(_ pages: [PageEdges?], _ direction: Direction, sides: [Side] = []) {
        var candidates: [ArtPair] = []
        for first in pages.indices.dropLast() {
            guard let one = pages[first], let two = pages[first + 1] else { continue }
            let (left, right) = direction == .leftToRight ? (one, two) : (two, one)
            var odds = ArtSeam(left: left, right: right).odds
            guard odds > SeamLimits.Pairs.worthChecking else { continue }
            let isAgainstNumbers =
                sides.indices.contains(first + 1)
                && (sides[first] == direction.firstSide.opposite || sides[first + 1] == direction.firstSide)
            if isAgainstNumbers { odds -= SeamLimits.Pairs.weightOfNumbers }
            let usual = ArtSeams.usual(left, right, ArtSeams.unrelatedPages(to: first, pages))
            let confidence = ArtSeam.probability(odds - max(0, usual + SeamLimits.Pairs.usualMargin))
            if confidence >= SeamLimits.Pairs.minimumReportedConfidence {
                candidates.append(ArtPair(first: first, confidence: confidence))
            }
        }
        var isTaken = [Bool](repeating: false, count: pages.count)
        var pairs: [ArtPair] = []
        var nearMisses: [ArtPair] = []
        for pair in candidates.sorted(by: { ($1.confidence, $0.first) < ($0.confidence, $1.first) }) {
            guard pair.confidence >= SeamLimits.Pairs.minimumConfidence, !isTaken[pair.first], !isTaken[pair.first + 1]
            else {
                nearMisses.append(pair)
                continue
            }
            isTaken[pair.first] = true
            isTaken[pair.first + 1] = true
            pairs.append(pair)
        }
        self.pairs = pairs.sorted { $0.first < $1.first }
        self.nearMisses = nearMisses.sorted { $0.first < $1.first }
    }

    /// Returns pages near a pair, except those in it or next to it.
    private static func unrelatedPages(to first: Int, _ pages: [PageEdges?]) -> [PageEdges] {
        var found: [PageEdges] = []
        for distance in 2..<max(2, pages.count) where found.count < SeamLimits.Pairs.unrelatedPages {
            for place in [first - distance, first + 1 + distance] where pages.indices.contains(place) {
                if let page = pages[place] { found.append(page) }
            }
        }
        return found
    }

    /// Returns the similarity of the two pages to pairs with other pages of the book, in log odds.
    ///
    /// A book may have the same background, frame or shadow at every fold. Features that unrelated pages have in common are not
    /// evidence, and neither are features that the outer edges of the two pages have in common.
    private static func usual(_ left: PageEdges, _ right: PageEdges, _ unrelatedPages: [PageEdges]) -> Double {
        let leftSide = SeamSide(left.right, isMirrored: false)
        let rightSide = SeamSide(right.left, isMirrored: true)
        var odds = [ArtSeam(left: right, right: left).odds]
        for page in unrelatedPages {
            odds.append(ArtSeam(leftSide, SeamSide(page.left, isMirrored: true)).odds)
            odds.append(ArtSeam(SeamSide(page.right, isMirrored: false), rightSide).odds)
        }
        // The best is excluded: it may be a page that shows the same drawing once more.
        return odds.sorted(by: >).dropFirst().first ?? SeamLimits.Pairs.never
    }
}

/// A comparison whether one drawing continues over the right edge of a page into the page to its right.
///
/// Some of the drawing is lost in the fold. So both edges are extrapolated to the middle of a gap, for several widths and small
/// shifts. There they are compared at several scales. Their agreement is judged against two references. One is the agreement of
/// each page's own columns over such a gap. The other is the agreement of the two edges when shifted so far that nothing can
/// match.
struct ArtSeam: Sendable {
    /// The log odds of it. In synthetic test books, such pairs were right a little more often.
    let odds: Double

    init(left: PageEdges, right: PageEdges) {
        self.init(SeamSide(left.right, isMirrored: false), SeamSide(right.left, isMirrored: true))
    }

    init(_ left: SeamSide, _ right: SeamSide) {
        guard min(left.uncertainty.contrast, right.uncertainty.contrast) > SeamLimits.Uncertainty.plain else {
            // One edge is a margin, or plain black, so nothing can continue there.
            odds = SeamLimits.Pairs.never
            return
        }
        odds = Double(SeamEvidence(left, right).odds - max(left.uncertainty.odds, right.uncertainty.odds))
    }

    /// Returns the probability for log odds: the logistic function.
    static func probability(_ odds: Double) -> Double { 1 / (1 + exp(-odds)) }
}
