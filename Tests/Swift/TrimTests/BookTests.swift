import AdapterKit
import PageModel
import Synchronization
import Testing
import Trim

/// The common properties of pages, and pages without them.
@Suite struct BookTests {
    /// Pages of text whose numbers stand at the outer edge, left and right by turns.
    private func numbered(_ count: Int) -> [SyntheticPage] {
        (0..<count).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text()
            page.number(index < 9 ? 1 : 2, x: index.isMultiple(of: 2) ? 90 : index < 9 ? 523 : 513, y: 780)
            return page
        }
    }

    /// Left pages have their text 20 pixels further left; each page is off by a little.
    private func facing(_ count: Int) -> [SyntheticPage] {
        (0..<count).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            let x = (index.isMultiple(of: 2) ? 90 : 70) + index % 5
            page.text(PixelRect(x: x, y: 100 + index % 3, width: 460, height: 620))
            return page
        }
    }

    /// The margin that jisui chooses is stated once, whichever mode is used and however many pages there are.
    @Test(arguments: ["auto", "page", "book", "sides", "uniform"], [1, 12])
    func chosenMarginIsStatedOnce(_ mode: String, _ count: Int) async throws {
        func margins(_ given: [String: String]) async throws -> Int {
            let warnings = Mutex<[Warning]>([])
            let pages = try await SyntheticBook(numbered(count)).trimmed(given) { warning in
                warnings.withLock { $0.append(warning) }
            }
            #expect(pages.contains { $0.kept != nil })
            let messages = warnings.withLock { $0 }.filter(\.isNote).map(\.message.english)
            return messages.count {
                $0.contains(", leaving 1% around it") || $0 == "left a margin of 1% around the content"
            }
        }
        #expect(try await margins(["trim": mode]) == 1)
        #expect(try await margins(["trim": mode, "trim-margin": "2%"]) == 0)
    }

    @Test func numbersAreFoundAndKept() async throws {
        for page in try await SyntheticBook(numbered(12)).trimmed(["trim": "page"]) {
            let layout = try #require(page.layout)
            #expect(layout.pageNumber?.y == 780 && layout.pageNumber?.height == 10)
            #expect(layout.content == PixelRect(x: 80, y: 100, width: 460, height: 690))
        }
    }

    @Test func numbersAreLeftOutWhenAsked() async throws {
        for page in try await SyntheticBook(numbered(12)).trimmed(["trim": "page", "trim-numbers": "true"]) {
            #expect(page.layout?.pageNumber != nil)
            #expect(page.layout?.content == SyntheticPage.textBox)
        }
    }

    /// A mark at the foot of one page only is not a page number.
    @Test func aSoleNoteStays() async throws {
        var pages = numbered(12).map { _ in SyntheticPage.paper() }
        for index in pages.indices { pages[index].text() }
        pages[4].number(2, x: 300, y: 800)
        let book = try await SyntheticBook(pages).trimmed([
            "trim": "page", "trim-numbers": "true", "trim-heads": "true",
        ])
        #expect(book[4].layout?.pageNumber == nil)
        #expect(book[4].layout?.content == PixelRect(x: 80, y: 100, width: 460, height: 710))
    }

    /// Set as far above the text as its lines are apart, with the number at the end of the line.
    @Test func headsAsNearAsALineAreFoundOnOtherPages() async throws {
        let pages = (0..<6).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text(PixelRect(x: 80, y: 124, width: 460, height: 596))
            var x = 200
            for width in [12, 8, 16, 6, 12, 18, 7, 11, 15, 6] {
                page.fill(PixelRect(x: x, y: 100, width: width, height: 14), 50)
                page.fill(PixelRect(x: x + 2, y: 104, width: width - 4, height: 3), 230)
                x += width + 5
            }
            page.number(2, x: 520, y: 102)
            return page
        }
        let text = PixelRect(x: 80, y: 124, width: 460, height: 596)
        for page in try await SyntheticBook(pages).trimmed(["trim": "page"]) {
            #expect(page.layout?.content == PixelRect(x: 80, y: 100, width: 460, height: 620))
            #expect(page.layout?.head?.y == 100 && page.layout?.pageNumber?.x == 520)
        }
        let asked = ["trim": "page", "trim-numbers": "true", "trim-heads": "true"]
        for page in try await SyntheticBook(pages).trimmed(asked) { #expect(page.layout?.content == text) }
        // Only the number: it stays, because the head next to it does.
        for page in try await SyntheticBook(pages).trimmed(["trim": "page", "trim-numbers": "true"]) {
            #expect(page.layout?.content == PixelRect(x: 80, y: 100, width: 460, height: 620))
        }
        // On one page it may be the title of what follows.
        var sole = (0..<6).map { _ in SyntheticPage.paper() }
        for index in sole.indices { sole[index].text() }
        sole[3] = pages[3]
        #expect(try await SyntheticBook(sole).trimmed(asked)[3].layout?.content?.y == 100)
    }

    @Test func headsAreFoundAndLeftOutWhenAsked() async throws {
        var pages = (0..<6).map { SyntheticPage.paper(seed: UInt64($0)) }
        for index in pages.indices {
            pages[index].text()
            pages[index].number(9, x: 90, y: 60)
        }
        let whole = try await SyntheticBook(pages).trimmed(["trim": "page"])
        #expect(whole[0].layout?.head == PixelRect(x: 90, y: 60, width: 87, height: 10))
        #expect(whole[0].layout?.content?.y == 60)
        let book = try await SyntheticBook(pages).trimmed(["trim": "page", "trim-heads": "true"])
        #expect(book[0].layout?.content == SyntheticPage.textBox)
    }

    /// They are set off by no more than lines are from each other, but are smaller.
    @Test func smallHeadsOfWidelySetTextAreFound() async throws {
        let pages = (0..<6).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            for top in stride(from: 100, through: 700, by: 40) {
                page.text(PixelRect(x: 80, y: top, width: 460, height: 14))
            }
            page.number(9, x: 90, y: 60)
            return page
        }
        for page in try await SyntheticBook(pages).trimmed(["trim": "page", "trim-heads": "true"]) {
            #expect(page.layout?.head?.y == 60 && page.layout?.content?.y == 100)
        }
    }

    @Test func aBookHasOneBox() async throws {
        var pages = facing(12)
        pages.append(SyntheticPage.paper())
        pages.append(SyntheticPage(6, SyntheticPage.size))
        let book = try await SyntheticBook(pages).trimmed(["trim": "book", "trim-margin": "0px"])
        let box = PixelRect(x: 70, y: 100, width: 484, height: 622)
        for page in book[..<12] { #expect(box.isNear(page.kept)) }
        #expect(Set(book[..<13].map(\.kept)).count == 1)
        #expect(book[13].kept == nil && book[13].layout?.isOutlier == true)
    }

    @Test func sidesHaveBoxesOfOneSize() async throws {
        let book = try await SyntheticBook(facing(20)).trimmed(["trim": "sides", "trim-margin": "0px"])
        #expect(Set(book.map(\.kept)).count == 2)
        let (first, second) = (try #require(book[0].kept), try #require(book[1].kept))
        #expect(first.size == second.size && first.y == second.y && first.x - second.x == 20)
        #expect(book.allSatisfy { $0.layout?.remark == "trimmed to the box of its side" })
    }

    /// Pages that can be cut at every 16th pixel still get boxes of one size.
    @Test func sidesHaveBoxesOfOneSizeOnAGrid() async throws {
        var made = SyntheticBook(facing(20))
        made.grid = CutGrid(step: PixelSize(width: 16, height: 16), first: (3, -4))
        for margin in ["0px", "1%", "20px"] {
            let book = try await made.trimmed(["trim": "sides", "trim-margin": margin])
            let (first, second) = (try #require(book[0].kept), try #require(book[1].kept))
            #expect(first.size == second.size && first.y == second.y && first.y % 16 == 12)
            #expect(first.x % 16 == 3 && second.x % 16 == 3)
            for page in book {
                let (content, kept) = (try #require(page.layout?.content), try #require(page.kept))
                #expect(kept.contains(content))
            }
        }
    }

    /// One page that reaches further neither widens the box nor is cut.
    @Test(arguments: ["book", "sides", "auto"]) func anOutlierKeepsABoxOfItsOwn(_ mode: String) async throws {
        var pages = facing(20)
        pages[7].fill(PixelRect(x: 30, y: 50, width: 40, height: 20), 30)
        let book = try await SyntheticBook(pages).trimmed(["trim": mode, "trim-margin": "0px"])
        #expect(book[7].kept?.x == 30 && book[7].kept?.y == 50)
        #expect(
            book[7].layout?.remark
                == "trimmed to its own content and the book's box, because it reaches beyond the book's box")
        #expect(book.count { $0.layout?.isOutlier == true } == 1)
        #expect(book[6].kept?.y == 100)
    }

    /// Its missing part would be mistaken for paper.
    @Test(arguments: ["page", "book", "uniform"]) func aDamagedPageStaysWhole(_ mode: String) async throws {
        var book = SyntheticBook(
            (0..<6).map { index in
                var page = SyntheticPage.paper(seed: UInt64(index))
                page.text()
                return page
            })
        book.pages[2] = SyntheticPage.paper()
        book.pages[2].text(PixelRect(x: 20, y: 20, width: 460, height: 100))
        book.damage = [3: "the JPEG is damaged"]
        let pages = try await book.trimmed(["trim": mode])
        #expect(pages[2].kept == nil)
        #expect(pages[2].layout?.remark == "kept whole: its data is damaged")
        #expect(pages[2].layout?.damage == "the JPEG is damaged" && pages[2].layout?.isOutlier == true)
        #expect(pages.count { $0.kept == pages[0].kept } == 5)
    }

    @Test func autoChoosesByThePages() async throws {
        let facing = try await SyntheticBook(facing(20)).trimmed(["trim": "auto"])
        #expect(facing[0].layout?.remark == "trimmed to the box of its side")
        let alike = try await SyntheticBook(numbered(20)).trimmed(["trim": "auto"])
        #expect(alike[0].layout?.remark == "trimmed to the book's box")
        let few = try await SyntheticBook(numbered(2)).trimmed(["trim": "auto"])
        #expect(few[0].layout?.remark == "trimmed to its own content")
    }

    /// `--trim book` needs several pages that are alike.
    @Test func aHintToUseOneBoxIsGivenOnlyIfPagesCanShareIt() async throws {
        func hint(_ pages: [SyntheticPage]) async throws -> Message? {
            let warnings = Mutex<[Warning]>([])
            _ = try await SyntheticBook(pages).trimmed(["trim": "auto"]) { warning in
                warnings.withLock { $0.append(warning) }
            }
            let choice = try #require(warnings.withLock { $0.first { $0.code == "trim-choice" } })
            #expect(choice.message.english.hasPrefix("trimmed each page to its own content"))
            return choice.hint
        }
        #expect(try await hint(numbered(2)) == nil)
        // Most pages have little text, so that one box would be much larger than their own.
        let heights = [600, 200, 200, 600, 200, 200, 600, 200, 200, 600, 200, 200]
        let uneven = heights.map { height in
            var page = SyntheticPage.paper()
            page.text(PixelRect(x: 80, y: 100, width: 460, height: height))
            return page
        }
        #expect(try await hint(uneven) == "use --trim book to give all pages one box")
    }

    /// The gaps between a strip's pictures are a part of it.
    @Test func autoLeavesStripsWhole() async throws {
        var page = SyntheticPage.paper(size: PixelSize(width: 600, height: 1600))
        page.text()
        let strip = try await SyntheticBook([page, page]).trimmed(["trim": "auto"])
        #expect(strip.allSatisfy { $0.edits.isEmpty })
        #expect(strip[0].layout?.remark == "kept whole: the book is a strip that is read downwards")
    }

    /// The text stays where it is from page to page: the same box, to the pixel, on pages that differ by a few pixels.
    @Test func marginsAreAlikeOnPagesOfAlmostOneSize() async throws {
        let pages = (0..<12).map { index in
            var page = SyntheticPage.paper(size: PixelSize(width: 645 + index, height: 880))
            page.text()
            return page
        }
        let book = try await SyntheticBook(pages).trimmed(["trim": "book"])
        #expect(Set(book.map(\.kept)).count == 1)
    }

    private func addSpecks(to page: inout SyntheticPage) {
        for step in 0..<14 {
            let side = step < 3 ? 9 : 6
            page.fill(PixelRect(x: 50 + 38 * step, y: 560 + step * 97 % 250, width: side, height: side), 0)
        }
    }

    /// The end of a chapter: three lines, a tailpiece, and specks around them.
    private func ending() -> SyntheticPage {
        var page = SyntheticPage.clean()
        page.text(PixelRect(x: 80, y: 100, width: 460, height: 62))
        page.fill(PixelRect(x: 210, y: 260, width: 200, height: 130), 40)
        addSpecks(to: &page)
        return page
    }

    /// By itself it may be a panel of a comic; in a book of text it is text with a picture.
    @Test func pageResemblingArtIsTextInABookOfText() async throws {
        let printed = PixelRect(x: 80, y: 100, width: 460, height: 290)
        let plain = (0..<4).map { _ in
            var page = SyntheticPage.clean()
            page.text()
            return page
        }
        let alone = try await SyntheticBook([ending()]).trimmed(["trim": "page"])
        #expect(alone[0].layout?.content.map { $0.y + $0.height > 700 } ?? false)
        let book = try await SyntheticBook(plain + [ending()]).trimmed(["trim": "page"])
        #expect(printed.isNear(book[4].layout?.content))
        #expect(book[0].layout?.content == SyntheticPage.textBox)
    }
}
