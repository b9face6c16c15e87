import PageModel
import Testing

@testable import Trim

/// The straight edges of the paper beside the text, and what only looks like them.
@Suite struct PaperEdgeTests {
    private static let text = PixelRect(x: 80, y: 100, width: 400, height: 620)

    private func content(_ page: SyntheticPage) async throws -> PixelRect? {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout).content
    }

    /// A scanned page of text, with a slanted edge of broken fragments at its right.
    private func page(slope: Double) -> SyntheticPage {
        var page = SyntheticPage.paper()
        page.text(Self.text)
        for top in stride(from: 10, to: 860, by: 36) {
            for y in top..<top + 24 { page.fill(PixelRect(x: edge(y, slope), y: y, width: 3, height: 1), 60) }
        }
        return page
    }

    private func edge(_ y: Int, _ slope: Double) -> Int { 565 + Int((Double(y - 440) * slope).rounded()) }

    @Test(arguments: [0, 0.03, -0.05])
    func theEdgeOfThePaperIsNotContent(_ slope: Double) async throws {
        var page = page(slope: slope)
        for y in [150, 400, 640] { page.fill(PixelRect(x: edge(y, slope) - 4, y: y, width: 10, height: 13), 50) }
        let found = try await content(page)
        #expect(Self.text.isNear(found), "\(String(describing: found))")
    }

    /// A folio number beyond a ruled line is above the text.
    @Test func aPageNumberAboveTheTextStays() async throws {
        var page = page(slope: 0)
        page.number(3, x: 520, y: 60)
        let found = try #require(try await content(page))
        #expect(found.y <= 60)
        #expect(found.x + found.width >= 547)
    }

    @Test func aColumnOfSymbolsOnALineStays() async throws {
        var page = page(slope: 0)
        for y in stride(from: 110, to: 700, by: 48) {
            page.fill(PixelRect(x: 556, y: y, width: 12, height: 14), 50)
            page.fill(PixelRect(x: 559, y: y + 3, width: 6, height: 4), 230)
        }
        let found = try #require(try await content(page))
        #expect(found.x + found.width >= 568)
    }

    @Test func aRuleAsWideAsTheTextStays() async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.fill(PixelRect(x: 75, y: 60, width: 470, height: 3), 50)
        let found = try #require(try await content(page))
        #expect(found.y <= 60)
    }
}
