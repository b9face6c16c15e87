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

    @Test("The box reaches the fold of a leaf if print is near it")
    func printOverTheFoldOfALeafIsKept() async throws {
        var page = photograph(sheet: nil)
        page.fill(Self.sheet, 215)
        page.text(PixelRect(x: 162, y: 130, width: 588, height: 374))
        for y in [220, 240, 260] { page.fill(PixelRect(x: 150, y: y, width: 5, height: 12), 50) }
        let content = try await layout(page).content
        #expect(content.map { (144...150).contains($0.x) } == true, "\(String(describing: content))")
        #expect(content.map { (742...760).contains($0.x + $0.width) } == true)
    }

    @Test("A mark at the top of the paper is not punctuation")
    func markAtTheTopOfThePaperIsNotContent() async throws {
        var page = photograph(sheet: nil)
        page.fill(Self.sheet, 215)
        let text = PixelRect(x: 210, y: 102, width: 540, height: 374)
        page.text(text)
        page.fill(PixelRect(x: 400, y: 77, width: 9, height: 9), 50)
        let content = try await layout(page).content
        #expect(text.isNear(content), "\(String(describing: content))")
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
