import PageModel
import Testing

@testable import Trim

/// What a scan shows beside a page, and what only looks like it.
@Suite struct BackdropTests {
    private func layout(_ page: SyntheticPage) async throws -> PageLayout {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout)
    }

    /// A scanned page with text, and bands of so many pixels along its sides.
    private func page(
        left: Int = 0, right: Int = 0, bottom: Int = 0, level: Int = 90, slope: Double = 0
    ) -> SyntheticPage {
        var page = SyntheticPage.paper()
        page.text()
        let (width, height) = (SyntheticPage.size.width, SyntheticPage.size.height)
        for y in 0..<height {
            let shift = Int((Double(y - height / 2) * slope).rounded())
            if left > 0 { page.fill(PixelRect(x: 0, y: y, width: left + shift, height: 1), level) }
            if right > 0 { page.fill(PixelRect(x: width - right + shift, y: y, width: width, height: 1), level) }
        }
        for x in 0..<width where bottom > 0 {
            let shift = Int((Double(width / 2 - x) * slope).rounded())
            page.fill(PixelRect(x: x, y: height - bottom + shift, width: 1, height: height), level)
        }
        return page
    }

    @Test(arguments: [15, 90, 150], [0, 0.02, -0.015])
    func theLidOfTheScannerIsNotContent(_ level: Int, _ slope: Double) async throws {
        for page in [
            page(right: 50, level: level, slope: slope), page(left: 50, bottom: 100, level: level, slope: slope),
        ] {
            let found = try await layout(page)
            #expect(SyntheticPage.textBox.isNear(found.content), "\(found)")
            #expect(found.remark.english.hasSuffix("the scan shows more than the page"))
        }
    }

    /// What is dark up to the edges around a page of text is the bed it lies on.
    @Test func theBedAroundAPageOfTextIsNotContent() async throws {
        let found = try await layout(page(left: 50, right: 50, bottom: 100))
        #expect(SyntheticPage.textBox.isNear(found.content), "\(found)")
    }

    @Test("A color chart with a white frame, close to the page, is not content")
    func chartCloseToThePageIsLeftOut() async throws {
        var page = page(left: 50, right: 50, bottom: 100, level: 50)
        page.fill(PixelRect(x: 0, y: 0, width: 620, height: 50), 50)
        page.fill(PixelRect(x: 180, y: 796, width: 260, height: 84), 236)
        for step in 0..<9 {
            page.fill(PixelRect(x: 186 + step * 28, y: 802, width: 24, height: 60), 30 + 20 * step)
        }
        let found = try await layout(page)
        #expect(SyntheticPage.textBox.isNear(found.content), "\(found)")
    }

    /// As in some PDFs, which are clean.
    @Test func aBandThatWasDesignedStays() async throws {
        var page = SyntheticPage.clean()
        page.text()
        page.fill(PixelRect(x: 0, y: 0, width: 50, height: 880), 90)
        #expect(try await layout(page).content?.x == 0)
    }

    /// Panels of a comic stand on black ground, too.
    @Test func bandsAlongThreeSidesOfArtStay() async throws {
        var page = SyntheticPage.paper()
        page.fill(PixelRect(x: 150, y: 150, width: 300, height: 400), 60)
        for x in [0, 570] { page.fill(PixelRect(x: x, y: 0, width: 50, height: 880), 90) }
        page.fill(PixelRect(x: 0, y: 780, width: 620, height: 100), 90)
        #expect(try await layout(page).content?.x == 0)
    }

    /// So much of the page is no bed.
    @Test func aPictureAlongASideStays() async throws {
        var picture = page()
        picture.fill(PixelRect(x: 0, y: 0, width: 300, height: 880), 90)
        #expect(try await layout(picture).content?.x == 0)
    }
}
