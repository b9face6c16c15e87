internal import PageModel

/// The wide pages of a book judged together: which of them are two pages, and where they are parted.
///
/// A fold in one picture may be a stroke, the edge of a chart or the gap between two columns. Two sheets are known by their
/// company: other wide pages show a fold at about the same place, or they are as high as the book's other pages and
/// twice as wide.
struct BookFolds {
    /// A wide page and what was found on it, in shares of the page's width.
    struct WidePage {
        var size: PixelSize
        var fold: Fold
    }

    enum Verdict: Equatable {
        /// Parted at the fold that is seen on it.
        case atItsFold
        /// Parted where the book's other folds are; a share of the width.
        case atUsualPlace(Double)
        /// Parted in the middle: it is two pages by its shape or its company, or was asked for.
        case inTheMiddle
        /// One page lying on its side, by its shape.
        case onItsSide
        /// One page, since it shows no fold, or since few of the others do.
        case showsNoFold
        /// One page: what looks like a fold is far from where all the others are.
        case elsewhere
    }

    /// Whether nearly all folds are there.
    private let isSteady: Bool

    /// What the wide pages are.
    private enum Kind {
        /// Scans of two pages.
        case spreads
        /// Pages that are wide.
        case landscape
        /// Too few to tell.
        case unknown
    }

    private let kind: Kind
    /// Where the folds of the wide pages are, a share of the width; nil where they are not together.
    private let usualPlace: Double?
    /// The middle size of the pages that are not wide; nil where there are too few.
    private let single: PixelSize?

    /// Folds this far apart, as a share of the width, are at the same place: books wander on the glass.
    private static let samePlace = 0.03
    /// A fold further than this from where the others are is an edge on a single sheet, such as that of a chart.
    private static let otherPlace = 0.06
    /// Wide pages are scans of two pages if one in three shows a fold at the same place, or two in three show one.
    private static let (leastTogether, leastClear) = (1 / 3.0, 2 / 3.0)
    /// Folds are steady if so many of them, of no fewer than so many, are at the same place.
    private static let (steadyShare, steadyCount) = (0.8, 4)
    /// So many wide pages, and so many others, tell something about the book.
    private static let (leastWide, leastSingles) = (4, 4)
    /// How far the shape of two pages may be off, as a share: margins are cut off unevenly.
    private static let (sameHeight, sameWidth) = (0.12, 0.15)

    /// - Parameter others: the sizes of the book's pages that are not wide.
    init(_ wide: [WidePage], others: [PixelSize]) {
        let places = wide.map(\.fold).filter(\.isClear).map(\.place).sorted()
        let middle = places.isEmpty ? 0.5 : places[places.count / 2]
        let together = places.filter { abs($0 - middle) <= BookFolds.samePlace }
        let isTogether = together.count >= 2 && Double(together.count) >= BookFolds.leastTogether * Double(wide.count)
        usualPlace = isTogether ? middle : nil
        isSteady =
            together.count >= BookFolds.steadyCount
            && Double(together.count) >= BookFolds.steadyShare * Double(places.count)
        let isClear = places.count >= 2 && Double(places.count) >= BookFolds.leastClear * Double(wide.count)
        kind = isTogether || isClear ? .spreads : wide.count >= BookFolds.leastWide ? .landscape : .unknown
        if others.count >= BookFolds.leastSingles {
            let widths = others.map(\.width).sorted(), heights = others.map(\.height).sorted()
            single = PixelSize(width: widths[widths.count / 2], height: heights[heights.count / 2])
        } else {
            single = nil
        }
    }

    func verdict(on page: WidePage) -> Verdict {
        let fold = page.fold
        if page.isTwo(of: single) || !page.size.isWide() { return fold.evidence == .middle ? .inTheMiddle : .atItsFold }
        if page.isTurned(single) { return .onItsSide }
        switch kind {
        case .unknown: return fold.isClear ? .atItsFold : .showsNoFold
        case .landscape: return .showsNoFold
        case .spreads:
            guard let usualPlace else { return fold.evidence == .middle ? .inTheMiddle : .atItsFold }
            let distance = abs(fold.place - usualPlace)
            if fold.isClear { return isSteady && distance > BookFolds.otherPlace ? .elsewhere : .atItsFold }
            return fold.evidence != .middle && distance <= BookFolds.samePlace ? .atItsFold : .atUsualPlace(usualPlace)
        }
    }
}

extension BookFolds.WidePage {
    /// Whether it has the size of two of the book's pages side by side.
    fileprivate func isTwo(of single: PixelSize?) -> Bool {
        guard let single else { return false }
        return BookFolds.isNear(size.height, single.height, BookFolds.sameHeight)
            && BookFolds.isNear(size.width, 2 * single.width, BookFolds.sameWidth)
    }

    /// Whether it has the size of one of the book's pages, turned by a quarter.
    fileprivate func isTurned(_ single: PixelSize?) -> Bool {
        guard let single else { return false }
        return BookFolds.isNear(size.width, single.height, BookFolds.sameHeight)
            && BookFolds.isNear(size.height, single.width, BookFolds.sameHeight)
    }
}

extension BookFolds {
    fileprivate static func isNear(_ one: Int, _ other: Int, _ share: Double) -> Bool {
        abs(Double(one) - Double(other)) <= share * Double(other)
    }
}
