internal import Glibc
internal import PageModel

/// Two consecutive pages that may share one drawing.
struct ArtPair: Hashable, Sendable {
    /// The index of the page that is read first.
    let first: Int
    /// How likely it is that they do, 0 to 1.
    let confidence: Double
}

/// Which consecutive pages of a book share a drawing that was cut at the fold.
struct ArtSeams: Sendable {
    /// In reading order; no page is in two of them.
    let pairs: [ArtPair]
    /// Pairs that are not joined: too doubtful, or one of their pages is in a better pair. In reading order.
    let nearMisses: [ArtPair]

    /// From this confidence on, pages are a pair.
    static let least = 0.62
    /// Pairs of less confidence are not reported.
    static let leastTold = 0.1

    /// - Parameters:
    ///   - pages: in reading order; nil for a page that is wide, cannot be looked at or is not to be joined.
    ///   - direction: in which the book is read: right to left, the first page of a pair is the right one.
    ///   - sides: on which side of a spread each page lies, as printed numbers tell; `.single` where they do not. Empty where
    ///     none are known.
    init(_ pages: [PageEdges?], _ direction: Direction, sides: [Side] = []) {
        var candidates: [ArtPair] = []
        for first in pages.indices.dropLast() {
            guard let one = pages[first], let two = pages[first + 1] else { continue }
            let (left, right) = direction == .leftToRight ? (one, two) : (two, one)
            var odds = ArtSeam(left: left, right: right).odds
            guard odds > ArtSeams.worthChecking else { continue }
            let isAgainstNumbers =
                sides.indices.contains(first + 1)
                && (sides[first] == direction.firstSide.opposite || sides[first + 1] == direction.firstSide)
            if isAgainstNumbers { odds -= ArtSeams.weightOfNumbers }
            let usual = ArtSeams.usual(left, right, ArtSeams.strangers(to: first, pages))
            let confidence = ArtSeam.probability(odds - max(0, usual + ArtSeams.usualMargin))
            if confidence >= ArtSeams.leastTold { candidates.append(ArtPair(first: first, confidence: confidence)) }
        }
        var isTaken = [Bool](repeating: false, count: pages.count)
        var pairs: [ArtPair] = []
        var nearMisses: [ArtPair] = []
        for pair in candidates.sorted(by: { ($1.confidence, $0.first) < ($0.confidence, $1.first) }) {
            guard pair.confidence >= ArtSeams.least, !isTaken[pair.first], !isTaken[pair.first + 1] else {
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

    /// The log odds of a probability of 0.1: only pairs that may be reported are compared with the rest of the book.
    private static let worthChecking = -2.2
    /// What printed numbers say against a pair, in log odds: only what is nearly certain is joined all the same.
    private static let weightOfNumbers = 4.0
    /// How unlikely unrelated pages are to look like a pair in most books, in log odds.
    private static let usualMargin = 2.5
    /// How many other pages each page of a pair is compared with.
    private static let strangersAsked = 8

    /// Pages near a pair, but neither in it nor beside it.
    private static func strangers(to first: Int, _ pages: [PageEdges?]) -> [PageEdges] {
        var found: [PageEdges] = []
        for distance in 2..<max(2, pages.count) where found.count < strangersAsked {
            for place in [first - distance, first + 1 + distance] where pages.indices.contains(place) {
                if let page = pages[place] { found.append(page) }
            }
        }
        return found
    }

    /// How much the two pages look like pairs with other pages of the book, in log odds.
    ///
    /// A book may have the same background, frame or shade at every fold. What unrelated pages have in common is no
    /// evidence, and neither is what the outer edges of the two pages have in common.
    private static func usual(_ left: PageEdges, _ right: PageEdges, _ strangers: [PageEdges]) -> Double {
        let leftSide = SeamSide(left.right, isMirrored: false)
        let rightSide = SeamSide(right.left, isMirrored: true)
        var odds = [ArtSeam(left: right, right: left).odds]
        for page in strangers {
            odds.append(ArtSeam(leftSide, SeamSide(page.left, isMirrored: true)).odds)
            odds.append(ArtSeam(SeamSide(page.right, isMirrored: false), rightSide).odds)
        }
        // The best is left out: it may be a page that shows the same drawing once more.
        return odds.sorted(by: >).dropFirst().first ?? ArtSeam.never
    }
}

/// Whether one drawing runs over the right edge of a page into the page to its right.
///
/// Some of the drawing is lost in the fold. So both edges are extrapolated to the middle of a gap, for several widths
/// of the gap and small shifts, and compared there at several scales. How well they agree is judged against how well
/// each page's own columns agree over such a gap, and how well the two edges agree when shifted so far that nothing can
/// match.
struct ArtSeam: Sendable {
    /// How likely it is, 0 to 1.
    ///
    /// In books made for measuring, such pairs were right a little more often; 0 where nothing is drawn at an edge.
    let confidence: Double
    /// The same as log odds.
    let odds: Double

    init(left: PageEdges, right: PageEdges) {
        self.init(SeamSide(left.right, isMirrored: false), SeamSide(right.left, isMirrored: true))
    }

    init(_ left: SeamSide, _ right: SeamSide) {
        guard min(left.doubt.contrast, right.doubt.contrast) > EdgeDoubt.plain else {
            // One edge is a margin, or plain black, and nothing can run on there.
            (odds, confidence) = (ArtSeam.never, 0)
            return
        }
        odds = Double(SeamEvidence(left, right).odds - max(left.doubt.odds, right.doubt.odds))
        confidence = ArtSeam.probability(odds)
    }

    /// The probability that log odds mean: the logistic function.
    static func probability(_ odds: Double) -> Double { 1 / (1 + exp(-odds)) }

    /// The log odds where nothing is drawn.
    static let never: Double = -20
}
