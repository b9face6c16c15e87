internal import PageModel

/// The wide pages of a book, judged together: those that are two pages, and the places where they are split.
///
/// A fold in one image may be a stroke, the edge of a chart or the gap between two columns. Other pages are the evidence for a
/// spread. Other wide pages may have a fold at about the same place. The wide pages may be as high as the book's other pages and
/// twice as wide.
struct BookFolds {
    /// A wide page and the findings for it, in fractions of the page's width.
    struct WidePage {
        var size: PixelSize
        var fold: Fold
    }

    enum Verdict: Equatable {
        /// Split at the fold that is visible on it.
        case atItsFold
        /// Split at the place of the book's other folds; a fraction of the width.
        case atUsualPlace(Double)
        /// Split in the middle: it is two pages because of its aspect ratio or the other pages, or on request.
        case inTheMiddle
        /// A single page on its side, because of its aspect ratio.
        case onItsSide
        /// A single page, because it shows no fold, or because few of the others do.
        case showsNoFold
        /// A single page: the apparent fold is far from the place of all the others.
        case elsewhere
    }

    /// Whether nearly all folds are there.
    private let isSteady: Bool

    /// The kind of the wide pages.
    private enum Kind {
        /// Scans of two pages.
        case spreads
        /// Single pages that are wide.
        case landscape
        /// Too few pages for a decision.
        case unknown
    }

    private let kind: Kind
    /// The common place of the wide pages' folds, a fraction of the width; nil if they have none.
    private let usualPlace: Double?
    /// The median size of the pages that are not wide; nil if there are too few.
    private let single: PixelSize?

    /// - Parameter others: the sizes of the book's pages that are not wide.
    init(_ wide: [WidePage], others: [PixelSize]) {
        let places = wide.map(\.fold).filter(\.isClear).map(\.place).sorted()
        let middle = places.isEmpty ? FoldLimits.middle : places[places.count / 2]
        let together = places.filter { abs($0 - middle) <= FoldLimits.Book.samePlace }
        let isTogether =
            together.count >= FoldLimits.Book.minimumFolds
            && Double(together.count) >= FoldLimits.Book.minimumShareAtOnePlace * Double(wide.count)
        usualPlace = isTogether ? middle : nil
        isSteady =
            together.count >= FoldLimits.Book.steadyCount
            && Double(together.count) >= FoldLimits.Book.steadyShare * Double(places.count)
        let isClear =
            places.count >= FoldLimits.Book.minimumFolds
            && Double(places.count) >= FoldLimits.Book.minimumClearShare * Double(wide.count)
        kind = isTogether || isClear ? .spreads : wide.count >= FoldLimits.Book.minimumWidePages ? .landscape : .unknown
        if others.count >= FoldLimits.Book.minimumSinglePages {
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
            if fold.isClear { return isSteady && distance > FoldLimits.Book.otherPlace ? .elsewhere : .atItsFold }
            return fold.evidence != .middle && distance <= FoldLimits.Book.samePlace
                ? .atItsFold : .atUsualPlace(usualPlace)
        }
    }
}

extension BookFolds.WidePage {
    /// Whether it has the size of two adjacent pages of the book.
    fileprivate func isTwo(of single: PixelSize?) -> Bool {
        guard let single else { return false }
        return BookFolds.isNear(size.height, single.height, FoldLimits.Book.sameHeight)
            && BookFolds.isNear(size.width, 2 * single.width, FoldLimits.Book.sameWidth)
    }

    /// Whether it has the size of one of the book's pages, rotated by a quarter turn.
    fileprivate func isTurned(_ single: PixelSize?) -> Bool {
        guard let single else { return false }
        return BookFolds.isNear(size.width, single.height, FoldLimits.Book.sameHeight)
            && BookFolds.isNear(size.height, single.width, FoldLimits.Book.sameHeight)
    }
}

extension BookFolds {
    fileprivate static func isNear(_ one: Int, _ other: Int, _ share: Double) -> Bool {
        abs(Double(one) - Double(other)) <= share * Double(other)
    }
}
