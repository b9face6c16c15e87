import PageModel
import Testing

@testable import Trim

/// Marks that only their own look shows to be print.
@Suite struct OverlookedPrintTests {
    private func layout(_ page: SyntheticPage) async throws -> PageLayout? {
        try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout
    }

    @Test("The box includes a blurred figure far out, and the page is uncertain")
    func blurredFigureFarOutIsKept() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 100, width: 432, height: 620))
        // Its edges are as soft as those of a smudge.
        for step in 0..<6 {
            page.fill(
                PixelRect(x: 544 + step, y: 100 + step, width: 24 - 2 * step, height: 24 - 2 * step), 210 - 32 * step)
        }
        let found = try await layout(page)
        #expect(found?.content.map { $0.x + $0.width >= 564 } == true)
        #expect(found.map { $0.confidence <= 0.8 && $0.doubt == .possiblePrint } == true)
    }

    @Test("The box includes a title whose letters touch")
    func titleOfTouchingLettersIsKept() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 120, y: 100, width: 380, height: 278))
        page.text(PixelRect(x: 120, y: 460, width: 380, height: 254))
        for left in stride(from: 92, to: 490, by: 26) {
            page.fill(PixelRect(x: left, y: 410, width: 16, height: 20), 50)
            page.fill(PixelRect(x: left + 3, y: 413, width: 10, height: 14), 236)
        }
        page.fill(PixelRect(x: 92, y: 428, width: 408, height: 2), 50)
        let found = try await layout(page)
        #expect(found?.content.map { $0.x <= 92 } == true)
    }

    @Test("A row of bars on a clean page is a barcode, not a ruler")
    func barcodeOfACleanPageIsKept() async throws {
        var page = SyntheticPage.clean()
        page.text(PixelRect(x: 80, y: 100, width: 460, height: 620))
        for bar in 0..<36 { page.fill(PixelRect(x: 200 + 9 * bar, y: 24, width: 5, height: 36), 0) }
        let found = try await layout(page)
        #expect(found?.content?.y == 24)
    }

    @Test("An image that runs off a clean page of text is kept")
    func imageAtTheEdgeOfACleanPageIsKept() async throws {
        var page = SyntheticPage.clean()
        page.text(PixelRect(x: 80, y: 100, width: 460, height: 500))
        page.fill(PixelRect(x: 120, y: 740, width: 380, height: 12), 0)
        for left in stride(from: 120, through: 480, by: 24) {
            page.fill(PixelRect(x: left, y: 740, width: 12, height: 140), 0)
        }
        let found = try await layout(page)
        #expect(found?.content.map { $0.y + $0.height == 880 } == true)
    }

    @Test("The border of a scan in a blank frame is not an image")
    func borderInABlankFrameIsLeftOut() async throws {
        var page = SyntheticPage.clean()
        page.text(PixelRect(x: 120, y: 100, width: 420, height: 620))
        page.fill(PixelRect(x: 70, y: 5, width: 26, height: 870), 0)
        let found = try await layout(page)
        #expect(found?.content == PixelRect(x: 120, y: 100, width: 420, height: 620))
    }

    @Test("A box whose edge passes through a mark at the end of a line is uncertain", arguments: [true, false])
    func cutMarkIsDoubtful(isMerged: Bool) async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 100, width: 504, height: 620))
        // It reaches the edge of the image, so it is not print.
        if isMerged { page.fill(PixelRect(x: 580, y: 296, width: 40, height: 8), 50) }
        let found = try await layout(page)
        #expect(found?.content == PixelRect(x: 80, y: 100, width: 504, height: 620))
        #expect(found?.doubt == (isMerged ? .possiblePrint : nil))
    }
}
