import PageModel
import Testing

@testable import Trim

/// Numbers and heads whose line is not as neat as it should be: lower than each other, broken, close together, by themselves.
@Suite struct NumberLineTests {
    private static let text = PixelRect(x: 80, y: 124, width: 460, height: 596)
    private static let asked = ["trim": "page", "trim-numbers": "true", "trim-heads": "true"]

    private func page(_ seed: Int, _ draw: (inout SyntheticPage) -> Void) -> SyntheticPage {
        var page = SyntheticPage.paper(seed: UInt64(seed))
        page.text(NumberLineTests.text)
        draw(&page)
        return page
    }

    /// Pages without anything above the text.
    private func plain(_ count: Int) -> [SyntheticPage] { (0..<count).map { page(100 + $0) { _ in } } }

    private func contents(_ pages: [SyntheticPage], _ asked: [String: String] = asked) async throws -> [PixelRect?] {
        try await SyntheticBook(pages).trimmed(asked).map { $0.layout?.content }
    }

    /// A digit as high as the letters.
    private func digit(_ page: inout SyntheticPage, x: Int, y: Int) {
        page.fill(PixelRect(x: x, y: y, width: 9, height: 14), 50)
        page.fill(PixelRect(x: x + 3, y: y + 3, width: 3, height: 8), 236)
    }

    @Test func numbersALittleLowerThanTheHeadGoWithIt() async throws {
        let pages = (0..<8).map { index in
            page(index) {
                $0.words([4, 5], y: 92)
                digit(&$0, x: index % 2 == 0 ? 82 : 528, y: 103)
            }
        }
        for content in try await contents(pages) { #expect(content == NumberLineTests.text) }
    }

    @Test func brokenDigitFragmentIsRemovedWithIt() async throws {
        let pages = (0..<8).map { index in
            page(index) {
                let x = index % 2 == 0 ? 82 : 528
                digit(&$0, x: x, y: 88)
                $0.fill(PixelRect(x: x + 1, y: 82, width: 7, height: 3), 50)
                // An initial: a mark above one may be a part of its ornament.
                $0.fill(PixelRect(x: 80, y: 124, width: 44, height: 44), 50)
            }
        }
        for content in try await contents(pages) { #expect(content == NumberLineTests.text) }
    }

    /// At the left end the only word of a line may be the last of a paragraph; at the right end it is a number.
    @Test func aNumberAtTheRightEndNeedsNoOthers() async throws {
        let right = page(1) { digit(&$0, x: 528, y: 90) }
        #expect(try await contents(plain(6) + [right]).last == NumberLineTests.text)
        let left = page(1) { digit(&$0, x: 82, y: 90) }
        #expect(try await contents(plain(6) + [left]).last??.y == 90)
    }

    /// The text goes on next to it, but not above the notes in the margin.
    @Test func numbersStandAtTheEndOfTheColumnWhereThereAreNotes() async throws {
        var noted = SyntheticPage.paper()
        noted.text(PixelRect(x: 80, y: 124, width: 380, height: 596))
        noted.text(PixelRect(x: 488, y: 172, width: 76, height: 110))
        digit(&noted, x: 447, y: 90)
        #expect(try await contents(plain(6) + [noted]).last??.y == 124)
    }

    /// A rule above the head extends to the number. It is no reason to keep the number.
    @Test func rulesDoNotKeepANumber() async throws {
        let pages = (0..<8).map { index in
            page(index) {
                $0.words([4, 5], y: 92)
                digit(&$0, x: 560, y: 92)
                $0.fill(PixelRect(x: 80, y: 84, width: 489, height: 2), 50)
            }
        }
        for content in try await contents(pages, ["trim": "page", "trim-numbers": "true"]) {
            #expect(content.map { $0.x + $0.width } == 540)
            #expect(content.map { $0.y <= 92 } == true)
        }
    }

    /// A mark as large as a digit above the number of a page is dirt.
    @Test func marksAboveANumberAreRemovedWithIt() async throws {
        let pages = (0..<8).map { index in
            page(index) {
                digit(&$0, x: 306, y: 96)
                if index == 5 { digit(&$0, x: 82, y: 68) }
            }
        }
        let numbers = ["trim": "page", "trim-numbers": "true"]
        for content in try await contents(pages, numbers) { #expect(content == NumberLineTests.text) }
        #expect(try await contents(pages, ["trim": "page"])[5].map { $0.y <= 68 } == true)
    }

    /// A short word of a title may be at the place of the numbers. It is higher than they are, and the page has few lines.
    @Test func wordsOfATitleAreNotNumbers() async throws {
        var title = SyntheticPage.paper(seed: 20)
        title.text(PixelRect(x: 80, y: 144, width: 460, height: 62))
        for place in 0..<3 {
            title.fill(PixelRect(x: 288 + 16 * place, y: 93, width: 12, height: 20), 50)
            title.fill(PixelRect(x: 292 + 16 * place, y: 98, width: 4, height: 8), 236)
        }
        let pages = (0..<8).map { index in page(index) { digit(&$0, x: 306, y: 96) } }
        let contents = try await contents([title] + pages)
        #expect(contents[0]?.y == 93)
        #expect(contents.dropFirst().allSatisfy { $0 == NumberLineTests.text })
    }

    /// Between a wide number and a long head there may be no more room than between words.
    @Test func numbersCloseToAHeadAreKnownByItsWords() async throws {
        let words = [8, 9, 7]
        var pages = (0..<5).map { index in
            page(index) {
                $0.words(words, x: 126, y: 100)
                digit(&$0, x: 82, y: 100)
            }
        }
        let close = page(9) {
            $0.words(words, x: 142, y: 100)
            for place in 0..<4 { digit(&$0, x: 82 + 11 * place, y: 100) }
        }
        pages.append(close)
        #expect(try await contents(pages).last == NumberLineTests.text)
        #expect(try await contents(plain(5) + [close]).last??.y == 100)
    }

    /// Words that hang together with those below make no gaps in the line.
    @Test func tornLinesStay() async throws {
        let headed = (0..<8).map { index in
            page(index) {
                $0.words([4, 5], y: 100)
                digit(&$0, x: 82, y: 100)
            }
        }
        var torn = SyntheticPage.paper()
        torn.text()
        for x in stride(from: 128, through: 256, by: 16) {
            for left in [x, x + 208] {
                torn.fill(PixelRect(x: left, y: 100, width: 12, height: 6), 236)
                torn.fill(PixelRect(x: left + 4, y: 112, width: 4, height: 14), 50)
            }
        }
        #expect(try await contents(headed + [torn]).last??.y == 100)
    }

    /// Specks next to a head do not hide that its words are repeated.
    @Test func headsAreKnownByTheirLongestPiece() async throws {
        let heads = [0, 1, 2].map { index in
            page(index) {
                $0.words([6, 5], y: 100)
                if index == 2 { $0.fill(PixelRect(x: 460, y: 98, width: 12, height: 16), 50) }
            }
        }
        #expect(try await contents(plain(9) + heads).suffix(3).allSatisfy { $0 == NumberLineTests.text })
    }

    /// Hardly a line of a text stands in the middle, with a number at one end; rows of a table do, and a formula.
    @Test func aHeadWithANumberNeedsOneOther() async throws {
        let numbered = page(7) { digit(&$0, x: 82, y: 90) }
        let headed = page(1) {
            $0.words([4, 5], y: 100)
            digit(&$0, x: 528, y: 100)
        }
        #expect(try await contents(plain(6) + [numbered, headed]).last == NumberLineTests.text)
        #expect(try await contents(plain(7) + [headed]).last??.y == 100)
        var table = SyntheticPage.paper(seed: 1)
        for row in 0..<26 {
            table.words([4, 5], y: 100 + 24 * row)
            digit(&table, x: 528, y: 100 + 24 * row)
        }
        table.text(PixelRect(x: 80, y: 172, width: 460, height: 62))
        #expect(try await contents(plain(6) + [numbered, table]).last??.y == 100)
    }

    /// If nearly every page has a head and a number, a similar line is one, even with little space between the two. As
    /// close to the text as its lines, it is text.
    @Test func numbersCloseToAHeadAreKnownByOtherPages() async throws {
        func close(_ top: Int) -> SyntheticPage {
            page(9) {
                $0.words([6, 8, 7], x: 142, y: top)
                for place in 0..<4 { digit(&$0, x: 82 + 11 * place, y: top) }
            }
        }
        let headed = (0..<6).map { index in
            page(index) {
                $0.words([3 + index, 5], y: 92)
                digit(&$0, x: index % 2 == 0 ? 82 : 528, y: 92)
            }
        }
        #expect(try await contents(headed + [close(92)]).last == NumberLineTests.text)
        #expect(try await contents(headed + plain(5) + [close(92)]).last??.y == 92)
        #expect(try await contents(headed + [close(100)]).last??.y == 100)
    }

    @Test func speckAboveAHeadIsNotALine() async throws {
        let pages = (0..<4).map { index in
            page(index) {
                $0.words([6, 5], y: 100)
                if index == 2 { $0.fill(PixelRect(x: 304, y: 86, width: 9, height: 13), 50) }
            }
        }
        for content in try await contents(pages) { #expect(content == NumberLineTests.text) }
    }

    /// They belong to the number, and the head does not reach as far as they do.
    @Test func specksNextToANumberAreNotPartOfTheHead() async throws {
        let pages = (0..<6).map { index in
            page(index) {
                $0.words([4, 5], y: 100)
                digit(&$0, x: 560, y: 100)
                $0.fill(PixelRect(x: 561, y: 93, width: 6, height: 4), 50)
            }
        }
        for content in try await contents(pages, ["trim": "page", "trim-numbers": "true"]) {
            #expect(content.map { $0.x + $0.width } == 540)
        }
    }

    /// Around a page that is in doubt more is kept, but not where its head was.
    @Test func headsOfDoubtfulPagesGo() async throws {
        let pages = (0..<6).map { index in
            page(index) {
                $0.words([4, 5], y: 92)
                // A picture beyond the text, and pale marks that may be pencil.
                $0.fill(PixelRect(x: 60, y: 740, width: 500, height: 90), 60)
                $0.fill(PixelRect(x: 90, y: 760, width: 440, height: 50), 200)
                for place in 0..<3 { $0.fill(PixelRect(x: 20 + 16 * place, y: 500, width: 9, height: 14), 176) }
            }
        }
        let whole = try await contents(pages, ["trim": "page"])
        #expect(whole.allSatisfy { $0.map { $0.y < 92 } ?? false })
        for content in try await contents(pages) { #expect(content.map { $0.y >= 106 } ?? false) }
    }
}
