import PageModel
import Testing

@testable import Trim

/// Photographs of a page on a table, with a ruler, cards and a book rest.
@Suite struct TablePhotographTests {
    private static let size = PixelSize(width: 960, height: 720)
    private static let sheet = PixelRect(x: 150, y: 70, width: 660, height: 510)
    private static let text = PixelRect(x: 210, y: 130, width: 540, height: 374)

    private func layout(_ page: SyntheticPage) async throws -> PageLayout {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout)
    }

    /// A table with a book rest behind the page, a ruler below it and a card.
    private func photograph(sheet level: Int?) -> SyntheticPage {
        var page = SyntheticPage.paper(165, size: Self.size)
        page.fill(PixelRect(x: 470, y: 0, width: 24, height: 720), 30)
        page.fill(PixelRect(x: 0, y: 640, width: 960, height: 24), 225)
        for x in stride(from: 4, to: 956, by: 8) { page.fill(PixelRect(x: x, y: 642, width: 2, height: 10), 40) }
        page.fill(PixelRect(x: 180, y: 670, width: 160, height: 20), 230)
        page.words([6, 4], x: 190, y: 673)
        guard let level else { return page }
        page.fill(Self.sheet, level)
        page.text(Self.text)
        return page
    }

    @Test func onlyPrintOnThePaperIsContent() async throws {
        let found = try await layout(photograph(sheet: 215))
        #expect(Self.text.isNear(found.content), "\(found)")
        #expect(found.remark.english.hasSuffix("the scan shows more than the page"))
        #expect(found.confidence <= ConfidenceLimits.edge)
    }

    /// What is as light as the table is not known to be paper.
    @Test func withoutASheetNothingIsLeftOut() async throws {
        let content = try await layout(photograph(sheet: nil)).content
        #expect(content.map { $0.height > 600 } ?? true)
    }

    /// A light panel on the gray paper of a comic, with print around it.
    @Test func aSmallPanelOnGrayPaperIsNotASheet() async throws {
        var page = SyntheticPage.paper(165, size: Self.size)
        page.fill(PixelRect(x: 300, y: 200, width: 300, height: 250), 230)
        for y in stride(from: 60, to: 660, by: 40) { page.words([5, 5, 5, 5, 5, 5, 5, 5], x: 120, y: y) }
        let content = try await layout(page).content
        #expect(content.map { $0.width > 600 && $0.height > 550 } ?? true)
    }
}
