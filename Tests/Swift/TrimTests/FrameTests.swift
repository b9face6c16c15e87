import PageModel
import Testing
import Trim

/// Art that reaches three of the page's edges: does it end at the fourth?
@Suite struct FrameTests {
    /// A page of a comic that is drawn up to its left, top and right edges. Below are `blank` rows of paper.
    private func comic(blank: Int, framed: Bool) -> SyntheticPage {
        var page = SyntheticPage.clean()
        page.screentone(PixelRect(x: 0, y: 0, width: 620, height: 880 - blank), 90)
        if framed {
            page.fill(PixelRect(x: 0, y: 877 - blank, width: 300, height: 3), 0)
            page.fill(PixelRect(x: 320, y: 877 - blank, width: 300, height: 3), 0)
        }
        return page
    }

    @Test func borderNextToPanelsIsCropped() async throws {
        let book = try await SyntheticBook([comic(blank: 60, framed: true)]).trimmed([
            "trim": "page", "trim-margin": "0px",
        ])
        #expect(book[0].kept == PixelRect(x: 0, y: 0, width: 620, height: 820))
    }

    /// It may be a sky.
    @Test func pageWithoutPanelEdgesStaysWhole() async throws {
        let book = try await SyntheticBook([comic(blank: 60, framed: false)]).trimmed(["trim": "page"])
        #expect(book[0].kept == nil)
        #expect(book[0].layout?.remark == "kept whole: it is printed up to three of its edges")
    }
}
