import PageModel
import Testing

@testable import Spreads

/// The pages of a book that are joined.
@Suite struct ArtSeamsTests {
    private func stranger(_ seed: UInt64) -> PageEdges { SyntheticArt.strokes(pages: 1, seed: seed).page(at: 20) }

    /// A book in which the drawings begin at two indices of different parity.
    private func book(_ direction: Direction) -> [PageEdges?] {
        func pair(_ seed: UInt64) -> [PageEdges] {
            let (left, right) = SyntheticArt.strokes(seed: seed).cut(lost: 3)
            return direction == .leftToRight ? [left, right] : [right, left]
        }
        let pages = [stranger(50), stranger(51)] + pair(11) + [stranger(52)] + pair(12) + [stranger(53), stranger(54)]
        return pages.map { $0 }
    }

    @Test(arguments: Direction.allCases) func pairsAreFoundAtBothParities(_ direction: Direction) {
        let seams = ArtSeams(book(direction), direction)
        #expect(seams.pairs.map(\.first) == [2, 5])
        #expect(seams.pairs.allSatisfy { $0.confidence >= SeamLimits.Pairs.minimumConfidence })
    }

    @Test func wrongDirectionFindsNoPairs() {
        #expect(ArtSeams(book(.leftToRight), .rightToLeft).pairs.isEmpty)
    }

    @Test func aPageThatIsNotToBeJoinedIsNot() {
        var pages = book(.leftToRight)
        pages[3] = nil
        #expect(ArtSeams(pages, .leftToRight).pairs.map(\.first) == [5])
    }

    /// One drawing over three pages: each page is in one pair at most, and the other is reported.
    @Test(arguments: Direction.allCases) func noPageIsInTwoPairs(_ direction: Direction) {
        let art = SyntheticArt.strokes(pages: 3, seed: 14)
        let places = direction == .leftToRight ? [10, 310, 610] : [610, 310, 10]
        let pages = places.map { art.page(at: $0) }
        let seams = ArtSeams([stranger(50), stranger(51)] + pages + [stranger(52)], direction)
        #expect(seams.pairs.count == 1)
        #expect((seams.pairs + seams.nearMisses).map(\.first).sorted() == [2, 3])
    }

    /// The same picture at every fold, as from a scanner's bed: art that all pages share joins none.
    @Test func artSharedByAllPagesIsNotJoined() {
        let (left, right) = SyntheticArt.strokes(seed: 11).cut()
        let alone = [left, right]
        #expect(ArtSeams(alone, .leftToRight).pairs.count == 1)
        let pages = (0..<8).map { $0.isMultiple(of: 2) ? left : right }
        #expect(ArtSeams(pages, .leftToRight).pairs.isEmpty)
    }

    @Test func aBookOfOnePageOrNoneHasNoPairs() {
        #expect(ArtSeams([], .leftToRight).pairs.isEmpty)
        #expect(ArtSeams([stranger(50)], .rightToLeft).pairs.isEmpty)
    }
}
