import PageModel
import Testing
import Trim

/// Pages whose ground is not the paper of their book, and pages that do not fit the book's box.
@Suite struct BookPaperColorTests {
    /// Pages of text, the first of which has another ground.
    private static func book(_ paper: (UInt64) -> SyntheticPage, cover: SyntheticPage) -> SyntheticBook {
        var cover = cover
        cover.text(PixelRect(x: 200, y: 300, width: 220, height: 110))
        return SyntheticBook(
            [cover]
                + (1..<8).map { seed in
                    var page = paper(UInt64(seed))
                    page.text()
                    return page
                })
    }

    @Test(arguments: [130, 150, 180, 200], ["page", "book", "auto"])
    func grayCoverOfDigitalBookStaysWhole(level: Int, mode: String) async throws {
        let book = Self.book({ _ in .clean() }, cover: SyntheticPage(level, SyntheticPage.size))
        let pages = try await book.trimmed(["trim": mode])
        #expect(pages[0].kept == nil)
        #expect(pages.dropFirst().allSatisfy { $0.kept != nil })
    }

    @Test func grayImageAloneStaysWhole() async throws {
        var cover = SyntheticPage(160, SyntheticPage.size)
        cover.text(PixelRect(x: 200, y: 300, width: 220, height: 110))
        #expect(try await SyntheticBook([cover]).trimmed(["trim": "page"])[0].kept == nil)
    }

    /// The raster shows the ink relative to the ground, whose color is strong.
    @Test(arguments: [RGB(red: 180, green: 220, blue: 255), RGB(red: 250, green: 240, blue: 120)])
    func coloredCoverOfScannedBookStaysWhole(color: RGB) async throws {
        var book = Self.book({ .paper(seed: $0) }, cover: .paper(max(color.red, color.blue) == 255 ? 245 : 240))
        book.papers[1] = color
        let pages = try await book.trimmed(["trim": "page"])
        #expect(pages[0].kept == nil)
        #expect(pages.dropFirst().allSatisfy { $0.kept != nil })
    }

    /// All pages are as yellow, or one scan is darker than the others: that is paper.
    @Test func agedAndDarkerPaperIsPaper() async throws {
        var book = Self.book({ .paper(seed: $0) }, cover: .paper(170))
        for page in 1...8 { book.papers[page] = RGB(red: 230, green: 210, blue: 160) }
        #expect(try await book.trimmed(["trim": "page"]).allSatisfy { $0.kept != nil })
    }

    /// A page with one small mark far from the text of all others.
    @Test(arguments: ["book", "sides", "auto"])
    func outlierKeepsTheBooksBox(mode: String) async throws {
        var pages = (0..<12).map { seed in
            var page = SyntheticPage.paper(seed: UInt64(seed))
            page.text()
            return page
        }
        pages[5] = .paper(seed: 99)
        pages[5].text(PixelRect(x: 560, y: 820, width: 40, height: 38))
        let trimmed = try await SyntheticBook(pages).trimmed(["trim": mode])
        let outlier = try #require(trimmed[5].kept)
        for page in trimmed {
            let box = try #require(page.kept)
            #expect(outlier.x <= box.x && outlier.y <= box.y)
            #expect(outlier.x + outlier.width >= box.x + box.width)
            #expect(outlier.y + outlier.height >= box.y + box.height)
        }
    }

    /// A page of a rare size has the usual box at its own scale.
    @Test func pageOfRareSizeKeepsTheUsualBox() async throws {
        var pages = (0..<12).map { seed in
            var page = SyntheticPage.paper(seed: UInt64(seed))
            page.text()
            return page
        }
        pages[5] = .paper(seed: 99, size: PixelSize(width: 682, height: 968))
        pages[5].text(PixelRect(x: 300, y: 400, width: 40, height: 38))
        let trimmed = try await SyntheticBook(pages).trimmed(["trim": "book"])
        let (rare, usual) = (try #require(trimmed[5].kept), try #require(trimmed[0].kept))
        #expect(abs(rare.width - usual.width * 11 / 10) <= 4 && abs(rare.height - usual.height * 11 / 10) <= 4)
    }
}
