import AdapterKit
import PageModel
import Testing

@testable import Spreads

/// Drawings across the fold decide which pages face each other.
@Suite struct ArtSidesTests {
    private static func pages(_ count: Int) -> [Page] {
        SyntheticSequence(widths: [Int](repeating: 20, count: count)).sequence.pages
    }

    @Test(arguments: Direction.allCases) func certainPairsShowTheSides(_ direction: Direction) {
        let pairs = [ArtPair(first: 2, confidence: 0.999), ArtPair(first: 5, confidence: 0.8)]
        let sides = ArtSides.sides(pairs, of: Self.pages(8), direction)
        #expect(sides == [2: direction.firstSide, 3: direction.firstSide.opposite])
    }

    /// The pages before the drawing move as well.
    @Test func aDrawingMovesThePairingOfEarlierPages() {
        let kinds: [Pairing.Kind] = [.first] + [Pairing.Kind](repeating: .plain, count: 9)
        let none = [Side?](repeating: nil, count: 10)
        // By the rule pages 2-3, 4-5, 6-7, 8-9 face each other. The drawing is on 7 and 8.
        let shifts = Pairing.shifts(kinds, cover: .alone, printed: none, art: [6: .left, 7: .right], .leftToRight)
        #expect(shifts == [1])
        let agreeing = Pairing.shifts(kinds, cover: .alone, printed: none, art: [5: .left, 6: .right], .leftToRight)
        #expect(agreeing.isEmpty)
    }

    /// Two drawings of different parity: a page is missing between them.
    @Test func laterDrawingsMoveOnlyThePagesAfterThem() {
        let kinds: [Pairing.Kind] = [.first] + [Pairing.Kind](repeating: .plain, count: 13)
        let none = [Side?](repeating: nil, count: 14)
        let art: [Int: Side] = [3: .left, 4: .right, 10: .left, 11: .right]
        let shifts = Pairing.shifts(kinds, cover: .alone, printed: none, art: art, .leftToRight)
        let sides = Pairing(kinds, cover: .alone, shifts: shifts).sides(.leftToRight, count: 14)
        #expect(art.allSatisfy { sides[$0.key] == $0.value }, "\(sides)")
    }

    @Test func thePageBeforeAJoinedPageIsTheSecondOfItsSpread() {
        var pages = Self.pages(5)
        pages[3].spread = SpreadFinding("joined", confidence: 0.999, isWide: true)
        pages[3].spread?.made = .joined
        #expect(ArtSides.before(joined: pages, .leftToRight) == [2: .right])
        pages[3].spread?.confidence = 0.7
        #expect(ArtSides.before(joined: pages, .leftToRight).isEmpty)
    }

    /// A book of drawings, of which two share one: pair and merge put these on one spread.
    @Test(arguments: ["pair", "merge"]) func artDecidesThePairing(_ mode: String) async throws {
        var book = SyntheticSequence([PixelSize](repeating: SyntheticArt.page, count: 9))
        for page in 1...9 { book.looks[page] = SyntheticArt.strokes(pages: 1, seed: UInt64(40 + page)).seen(at: 20) }
        let art = SyntheticArt.strokes(seed: 11)
        // Pages 5 and 6, which the rule puts on two spreads.
        (book.looks[5], book.looks[6]) = (art.seen(at: 10), art.seen(at: 10 + SyntheticArt.page.width + 3))
        let pages = try await book.made(["spreads": mode]).pages
        if mode == "merge" {
            #expect(pages.map(\.id) == [1, 2, 3, 5, 7, 9])
        } else {
            #expect(pages.map(\.side) == [.single, .right, .left, .right, .left, .right, .left, .right, .left])
            #expect(pages[4].spread?.remark.english.hasSuffix(", according to artwork across the fold") == true)
        }
        // The user's own choice is followed.
        let own = try await book.made(["spreads": "pair", "cover": "alone"]).pages
        #expect(own.map(\.side) == [.single, .left, .right, .left, .right, .left, .right, .left, .right])
    }
}
