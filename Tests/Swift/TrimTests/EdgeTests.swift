import PageModel
import Testing
import Trim

/// The sharpness of the edges of a mark, and the conclusions from it.
@Suite struct EdgeTests {
    private func content(_ page: SyntheticPage) async throws -> PixelRect? {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout).content
    }

    private func text() -> SyntheticPage {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 120, y: 120, width: 380, height: 500))
        return page
    }

    /// As dark as letters in its middle, but it fades out over ten pixels.
    @Test func aSoftStainIsNotContent() async throws {
        var page = text()
        for ring in 0..<24 {
            let side = 2 * (24 - ring) + 6
            page.fill(PixelRect(x: 290 - side / 2, y: 740 - side / 2, width: side, height: side), 228 - ring * 7)
        }
        #expect(PixelRect(x: 120, y: 120, width: 380, height: 500).isNear(try await content(page)))
    }

    /// As large and as dark, with the edges of print.
    @Test func anOrnamentStays() async throws {
        var page = text()
        page.fill(PixelRect(x: 263, y: 713, width: 70, height: 70), 60)
        #expect(try await content(page)?.height == 783 - 120)
    }

    /// A crease through a number makes them one blob, most of it pale.
    @Test func aNumberInAPaleCreaseStays() async throws {
        var page = text()
        page.fill(PixelRect(x: 306, y: 640, width: 3, height: 130), 170)
        page.fill(PixelRect(x: 300, y: 690, width: 14, height: 16), 50)
        page.fill(PixelRect(x: 304, y: 694, width: 6, height: 3), 230)
        let found = try #require(try await content(page))
        #expect((706...722).contains(found.y + found.height))
    }

    /// Half as dark as the text: a shelf mark in pencil.
    @Test func aRowOfPencilStays() async throws {
        var page = text()
        for place in 0..<7 {
            page.fill(PixelRect(x: 200 + 18 * place, y: 720, width: 10, height: 16), 160)
            page.fill(PixelRect(x: 203 + 18 * place, y: 724, width: 4, height: 8), 232)
        }
        let found = try #require(try await content(page))
        #expect((735...752).contains(found.y + found.height))
    }

    /// Many such rows are the print of the other side, which shows through the paper.
    @Test func printShowingThroughIsNotContent() async throws {
        var page = text()
        page.text(PixelRect(x: 40, y: 640, width: 540, height: 200), level: 190)
        #expect(PixelRect(x: 120, y: 120, width: 380, height: 500).isNear(try await content(page)))
    }

    @Test func threeDotsAreAnOrnament() async throws {
        var page = text()
        for x in [200, 300, 400] { page.fill(PixelRect(x: x, y: 720, width: 7, height: 7), 50) }
        #expect(try await content(page)?.height == 727 - 120)
    }

    /// A digit lower than the letters, far below them, on pages enough: by itself it would be a speck.
    @Test func aSmallNumberStaysWhereOtherPagesHaveOne() async throws {
        func page(_ hasNumber: Bool, seed: UInt64) -> SyntheticPage {
            var page = SyntheticPage.paper(seed: seed)
            page.text(PixelRect(x: 120, y: 120, width: 380, height: 500))
            if hasNumber { page.number(1, x: 130, y: 760) }
            return page
        }
        let book = (0..<6).map { page(true, seed: $0) }
        for page in try await SyntheticBook(book).trimmed(["trim": "page"]) {
            #expect(page.layout?.content?.height == 770 - 120)
            #expect(page.layout?.pageNumber != nil)
        }
        let sole = (0..<6).map { page($0 == 2, seed: $0) }
        #expect(try await SyntheticBook(sole).trimmed(["trim": "page"])[2].layout?.content?.height == 500)
    }

    /// Marks of one breadth along the picture's edge, longer ones among them, and figures at these.
    @Test func aRulerIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text()
        for step in 0..<60 {
            page.fill(PixelRect(x: 120 + step * 6, y: 840, width: 2, height: step % 10 == 0 ? 16 : 11), 40)
            if step % 10 == 0 { page.number(1, x: 116 + step * 6, y: 822) }
        }
        #expect(SyntheticPage.textBox.isNear(try await content(page)))
    }

    /// Patches of different colors in a row, all of them full.
    @Test func aColorChartIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text()
        for step in 0..<10 {
            page.fill(PixelRect(x: 120 + step * 34, y: 835, width: 26, height: 26), 30 + 15 * step)
        }
        #expect(SyntheticPage.textBox.isNear(try await content(page)))
    }
}
