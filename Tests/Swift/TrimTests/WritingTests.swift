import PageModel
import Testing

@testable import Trim

/// What is written beside the text, or printed around it, and easily taken for dirt.
@Suite struct WritingTests {
    private func content(_ page: SyntheticPage) async throws -> PixelRect? {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout).content
    }

    /// Letters whose edges fade, as those of pencil do.
    private func word(_ count: Int, x: Int, y: Int, level: Int, on page: inout SyntheticPage) {
        for place in 0..<count {
            let left = x + place * 17
            page.fill(PixelRect(x: left, y: y, width: 12, height: 16), (level + 236) / 2)
            page.fill(PixelRect(x: left + 1, y: y + 1, width: 10, height: 14), level)
            page.fill(PixelRect(x: left + 4, y: y + 4, width: 4, height: 8), 236)
        }
    }

    /// The last of the words runs into the line that the sheet's edge leaves.
    @Test func writingThatRunsIntoTheSheetsEdgeStays() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 100, width: 380, height: 620))
        page.fill(PixelRect(x: 600, y: 8, width: 3, height: 860), 70)
        for left in stride(from: 470, to: 570, by: 18) {
            page.fill(PixelRect(x: left, y: 300, width: 13, height: 16), 60)
        }
        page.fill(PixelRect(x: 570, y: 300, width: 13, height: 16), 60)
        page.fill(PixelRect(x: 583, y: 306, width: 17, height: 3), 170)
        let found = try #require(try await content(page))
        #expect(found.x + found.width >= 583 && found.y == 100 && found.height == 620)
    }

    /// A long line ends in the shadow of the fold, which is almost as dark as paler marks of the page.
    @Test func lettersInTheShadowOfTheFoldStay() async throws {
        var page = SyntheticPage.paper()
        for column in 0..<36 {
            let level = 236 - 86 * min(column, 10) / 10
            page.fill(PixelRect(x: 572 + column, y: 0, width: 1, height: 880), level)
        }
        page.text(PixelRect(x: 80, y: 100, width: 460, height: 614), level: 10)
        for (left, inside) in [(544, 236), (560, 236), (576, 150)] {
            page.fill(PixelRect(x: left, y: 292, width: 12, height: 14), 10)
            page.fill(PixelRect(x: left + 3, y: 295, width: 6, height: 4), inside)
        }
        let found = try #require(try await content(page))
        #expect(found.x == 80 && found.width == 588 - 80)
    }

    /// A note in pencil, of more lines than a shelfmark has.
    @Test func aNoteInPencilStays() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 100, width: 350, height: 620))
        for top in stride(from: 200, to: 400, by: 28) { word(6, x: 470, y: top, level: 150, on: &page) }
        let found = try #require(try await content(page))
        // All but the rim of the last letter.
        #expect(found.x + found.width >= 470 + 5 * 17 + 10)
    }

    /// A band of ornament above the text, as wide as it and less than three letters high.
    @Test func aHeadpieceStays() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 200, width: 460, height: 500))
        page.fill(PixelRect(x: 80, y: 140, width: 460, height: 32), 50)
        for left in stride(from: 90, to: 530, by: 14) {
            page.fill(PixelRect(x: left, y: 146, width: 6, height: 18), 230)
        }
        #expect(try await content(page)?.y == 140)
    }
}
