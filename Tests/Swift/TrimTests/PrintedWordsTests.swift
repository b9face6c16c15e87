import AdapterKit
import PageModel
import Testing

@testable import Trim

/// Words of pages rendered from a PDF, outside the print that pixels show.
@Suite struct PrintedWordsTests {
    /// A mark that looks like dirt, and the word that it is.
    private static let mark = PixelRect(x: 590, y: 20, width: 3, height: 3)
    private static let word = PixelRect(x: 584, y: 14, width: 14, height: 14)
    private static let both = PixelRect(x: 80, y: 14, width: 518, height: 706)

    private func page(seed: Int = 1, hasMark: Bool = true) -> SyntheticPage {
        var page = SyntheticPage.paper(seed: UInt64(seed))
        page.text()
        if hasMark { page.fill(PrintedWordsTests.mark, 90) }
        return page
    }

    private func trimmed(
        _ page: SyntheticPage, _ rendered: RenderedPage, _ given: [String: String] = ["trim": "page"]
    ) async throws -> Page {
        var book = SyntheticBook([page])
        book.rendered = [1: rendered]
        return try await book.trimmed(given)[0]
    }

    private func content(_ page: SyntheticPage, _ rendered: RenderedPage) async throws -> PixelRect? {
        try await trimmed(page, rendered).layout?.content
    }

    @Test func aWordThatLooksLikeDirtStays() async throws {
        let found = try #require(
            try await trimmed(page(), RenderedPage(words: [PrintedWordsTests.word])).layout)
        #expect(PrintedWordsTests.both.isNear(found.content), "\(String(describing: found.content))")
        #expect(found.confidence <= PrintedWordsLimits.confidence)
    }

    /// Text takes time to read, and hardly any page has print outside of its box.
    @Test func textOfAPageWithBlankMarginsIsNotRead() async throws {
        try await confirmation(expectedCount: 0) { isRead in
            var rendered = RenderedPage(words: [])
            rendered.text = {
                isRead()
                return []
            }
            let found = try await content(page(hasMark: false), rendered)
            #expect(SyntheticPage.textBox.isNear(found))
        }
    }

    /// Recognized text of a scan may be anywhere, and so may white text.
    @Test func wordsThatThePageDoesNotShowDoNotCount() async throws {
        let hidden = PixelRect(x: 20, y: 780, width: 60, height: 14)
        #expect(SyntheticPage.textBox.isNear(try await content(page(), RenderedPage(words: [hidden]))))
    }

    @Test func textOfAnExtractedScanDoesNotCount() async throws {
        var scan = RenderedPage(words: [PrintedWordsTests.word])
        scan.isScan = true
        #expect(SyntheticPage.textBox.isNear(try await content(page(), scan)))
    }

    /// The text may describe more than the visible part of a page.
    @Test func wordsOutsideThePageDoNotCount() async throws {
        let outside = [
            PixelRect(x: 600, y: 10, width: 60, height: 30), PixelRect(x: 580, y: -40, width: 30, height: 70),
        ]
        #expect(SyntheticPage.textBox.isNear(try await content(page(), RenderedPage(words: outside))))
    }

    /// The boxes of words contain the blank space above letters without ascenders.
    @Test func blankPartsOfWordsDoNotCount() async throws {
        let first = PixelRect(x: 80, y: 86, width: 60, height: 32)
        #expect(SyntheticPage.textBox.isNear(try await content(page(), RenderedPage(words: [first]))))
    }

    @Test func unreadableTextChangesNothing() async throws {
        var rendered = RenderedPage(words: [])
        rendered.text = { throw AdapterError(.damaged, "the text is damaged") }
        let found = try #require(try await trimmed(page(), rendered).layout)
        #expect(SyntheticPage.textBox.isNear(found.content) && found.damage == nil)
    }

    @Test func wordsOfARotatedPageAreFound() async throws {
        // A quarter turn clockwise brings the upper left corner to the upper right.
        let size = PixelSize(width: 880, height: 620)
        let word = PixelRect(x: 14, y: 22, width: 14, height: 14)
        let rendered = RenderedPage(words: [word], size: size, edits: [.move(.turn(quarters: 1))])
        #expect(PrintedWordsTests.both.isNear(try await content(page(), rendered)))
    }

    @Test func wordsOfADeskewedPageAreFound() async throws {
        var page = SyntheticPage.paper()
        page.text(slope: 1.3 * .pi / 180)
        page.fill(PrintedWordsTests.mark, 90)
        let found = try #require(
            try await trimmed(
                page, RenderedPage(words: [PrintedWordsTests.word]), ["trim": "page", "deskew": "true"]
            ).layout)
        let skew = try #require(found.isDeskewed ? found.skew : nil)
        let middle = Deskew(degrees: skew).place(
            of: PagePoint(across: 591 / 620, down: 21 / 880), on: SyntheticPage.size)
        let content = try #require(found.content)
        #expect(Double(content.x + content.width) >= middle.across * 620)
        #expect(Double(content.y) <= middle.down * 880)
    }

    /// The words of parts that are left out do not bring them back.
    @Test func headsAndNumbersStayOut() async throws {
        let text = PixelRect(x: 80, y: 124, width: 460, height: 596)
        var book = SyntheticBook(
            (0..<8).map { index in
                var page = SyntheticPage.paper(seed: UInt64(index))
                page.text(text)
                page.words([4, 5], y: 92)
                page.fill(PixelRect(x: index % 2 == 0 ? 82 : 528, y: 103, width: 9, height: 14), 50)
                page.fill(PixelRect(x: index % 2 == 0 ? 85 : 531, y: 106, width: 3, height: 8), 236)
                return page
            })
        for index in 0..<8 {
            let number = PixelRect(x: index % 2 == 0 ? 80 : 526, y: 99, width: 13, height: 22)
            book.rendered[index + 1] = RenderedPage(words: [
                PixelRect(x: 240, y: 88, width: 56, height: 22), PixelRect(x: 310, y: 88, width: 71, height: 22),
                number,
            ])
        }
        let left = try await book.trimmed(["trim": "page", "trim-numbers": "true", "trim-heads": "true"])
        for page in left { #expect(page.layout?.content == text) }
        for page in try await book.trimmed(["trim": "page"]) { #expect(page.layout?.content?.y == 92) }
    }

    /// It is too small or too near to the edge for a number, by its pixels alone.
    @Test(arguments: ["12", "- xi -", "word", "12 13"]) func aNumberThatLooksLikeDirtIsLeftOut(_ text: String)
        async throws
    {
        var rendered = RenderedPage(words: [])
        let area = PageArea(left: 584 / 620, top: 14 / 880, right: 598 / 620, bottom: 28 / 880)
        rendered.text = { [TextLine(text.split(separator: " ").map { TextWord(String($0), area) })] }
        let given = ["trim": "page", "trim-numbers": "true"]
        let content = try await trimmed(page(), rendered, given).layout?.content
        let isNumber = text == "12" || text == "- xi -"
        #expect((isNumber ? SyntheticPage.textBox : PrintedWordsTests.both).isNear(content), "\(text)")
        #expect(PrintedWordsTests.both.isNear(try await self.content(page(), rendered)))
    }

    /// A page that looks blank gets the box of the book, unless that cuts a word.
    @Test(arguments: [true, false]) func aBlankPageKeepsItsWords(_ hasWord: Bool) async throws {
        var blank = SyntheticPage.paper()
        blank.fill(PrintedWordsTests.mark, 90)
        var book = SyntheticBook((0..<5).map { page(seed: $0, hasMark: false) } + [blank])
        book.rendered = [6: RenderedPage(words: hasWord ? [PrintedWordsTests.word] : [])]
        let pages = try await book.trimmed(["trim": "book"])
        #expect((pages[5].kept == nil) == hasWord && pages[0].kept != nil)
        #expect((try await book.trimmed(["trim": "uniform"])[5].kept == nil) == hasWord)
        #expect(try await book.trimmed(["trim": "page"])[5].kept == nil)
    }

    /// Words of a book hardly overlap: a page of others takes limited time.
    @Test func aPageOfOverlappingWordsIsNotReadToItsEnd() async throws {
        let blank = PixelRect(x: 0, y: 740, width: 620, height: 140)
        let words = [PixelRect](repeating: blank, count: 100) + [PrintedWordsTests.word]
        #expect(SyntheticPage.textBox.isNear(try await content(page(), RenderedPage(words: words))))
    }
}
