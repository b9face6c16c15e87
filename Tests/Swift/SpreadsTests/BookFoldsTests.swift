import PageModel
import Testing

@testable import Spreads

/// Two sheets are known by their company.
@Suite struct BookFoldsTests {
    private func wide(
        _ place: Double, _ evidence: Fold.Evidence = .line, isCrossed: Bool = false, width: Int = 1400,
        height: Int = 1000
    ) -> BookFolds.WidePage {
        BookFolds.WidePage(
            size: PixelSize(width: width, height: height),
            fold: Fold(place: place, evidence: evidence, confidence: 0.9, isCrossed: isCrossed))
    }

    private func verdicts(_ pages: [BookFolds.WidePage], others: [PixelSize] = []) -> [BookFolds.Verdict] {
        let book = BookFolds(pages, others: others)
        return pages.map(book.verdict)
    }

    private let singles = [PixelSize](repeating: PixelSize(width: 700, height: 1000), count: 5)

    @Test func onePageAloneNeedsAFoldOfItsOwn() {
        #expect(verdicts([wide(0.5)]) == [.atItsFold])
        #expect(verdicts([wide(0.5, .middle)]) == [.showsNoFold])
        #expect(verdicts([wide(0.5, isCrossed: true)]) == [.showsNoFold])
    }

    /// Chance lines in a book of landscape pages are not folds.
    @Test func isolatedFoldsInALandscapeBookAreIgnored() {
        let pages = [wide(0.42), wide(0.57)] + [BookFolds.WidePage](repeating: wide(0.5, .middle), count: 8)
        #expect(verdicts(pages).allSatisfy { $0 == .showsNoFold })
    }

    @Test func aFoldThatIsNotSeenIsWhereTheOthersAre() {
        let pages = [wide(0.48), wide(0.49), wide(0.48), wide(0.5, .middle), wide(0.55, isCrossed: true)]
        #expect(verdicts(pages) == [.atItsFold, .atItsFold, .atItsFold, .atUsualPlace(0.48), .atUsualPlace(0.48)])
    }

    /// The edge of a color chart next to a cover.
    @Test func lineFarFromTheBooksFoldsIsRejected() {
        let pages = [wide(0.41)] + [BookFolds.WidePage](repeating: wide(0.5), count: 5)
        #expect(verdicts(pages).first == .elsewhere)
    }

    /// Books that wander on the glass.
    @Test func foldsMayBeAnywhereIfNearlyAllPagesHaveOne() {
        let pages = [0.42, 0.46, 0.5, 0.54, 0.58].map { wide($0) } + [wide(0.5, .middle)]
        #expect(verdicts(pages) == [BookFolds.Verdict](repeating: .atItsFold, count: 5) + [.inTheMiddle])
    }

    @Test func shapesDistinguishSpreadsFromSidewaysPages() {
        #expect(verdicts([wide(0.5, .middle)], others: singles) == [.inTheMiddle])
        #expect(verdicts([wide(0.5, width: 1000, height: 700)], others: singles) == [.onItsSide])
        #expect(verdicts([wide(0.5, width: 1000, height: 700)]) == [.atItsFold])
    }
}
