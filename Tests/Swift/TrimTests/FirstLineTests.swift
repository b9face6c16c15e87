import PageModel
import Testing

@testable import Trim

/// Numbers and heads that stand as near to the text as its lines do.
@Suite struct FirstLineTests {
    private static let text = PixelRect(x: 80, y: 124, width: 460, height: 596)
    private static let asked = ["trim": "page", "trim-numbers": "true", "trim-heads": "true"]

    /// A page with a line of words, each as wide as given, in the middle above the text.
    ///
    /// It is further from the text than the text's lines are from each other.
    private func page(_ seed: Int, words: [Int], top: Int = 92) -> SyntheticPage {
        var page = SyntheticPage.paper(seed: UInt64(seed))
        page.text(FirstLineTests.text)
        page.words(words, y: top)
        return page
    }

    /// The words differ on each page; the short line in the middle is on all of them.
    @Test func headsOfOtherWordsAreFound() async throws {
        let heads = [[3, 6], [9], [2, 2, 4], [5, 1, 6], [7, 3], [4, 8]]
        let pages = heads.enumerated().map { page($0, words: $1) }
        for page in try await SyntheticBook(pages).trimmed(FirstLineTests.asked) {
            #expect(page.layout?.content == FirstLineTests.text && page.layout?.head?.y == 92)
        }
        for page in try await SyntheticBook(pages).trimmed(["trim": "page"]) { #expect(page.layout?.content?.y == 92) }
    }

    /// A line that only two pages in twelve have is a title.
    @Test func titlesAreNotRunningHeads() async throws {
        let pages = (0..<12).map { index in
            if index % 6 == 2 { return page(index, words: [4, 5]) }
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text()
            return page
        }
        let book = try await SyntheticBook(pages).trimmed(FirstLineTests.asked)
        #expect(book[2].layout?.content?.y == 92 && book[8].layout?.content?.y == 92)
    }

    @Test(
        "A short centered line as near to the text as its lines is a title, unless the text below goes on",
        arguments: [true, false])
    func titlesAsNearAsLinesAreNotRunningHeads(isIndented: Bool) async throws {
        let pages = (0..<12).map { index in
            guard index == 5 else { return page(index, words: [3, 6]) }
            var page = page(index, words: [5], top: 100)
            if isIndented { page.fill(PixelRect(x: 80, y: 120, width: 46, height: 20), 236) }
            return page
        }
        let book = try await SyntheticBook(pages).trimmed(FirstLineTests.asked)
        #expect(book[5].layout?.content?.y == (isIndented ? 100 : FirstLineTests.text.y))
        #expect(book[6].layout?.content == FirstLineTests.text)
    }

    /// The title of a chapter has the words of its running heads, but is lower.
    @Test func titlesOfChaptersAreNotRunningHeads() async throws {
        let pages = (0..<12).map { index in
            guard index == 5 else { return page(index, words: [3, 6]) }
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.words([3, 6], y: 292)
            page.text(PixelRect(x: 80, y: 324, width: 460, height: 396))
            return page
        }
        let book = try await SyntheticBook(pages).trimmed(FirstLineTests.asked)
        #expect(book[5].layout?.content?.y == 292 && book[6].layout?.content == FirstLineTests.text)
    }

    /// The title of a chapter stands where other pages have their heads, in larger letters and without a number.
    @Test func titlesInLargerLettersAreNotRunningHeads() async throws {
        let pages = (0..<12).map { index in
            guard index == 5 else { return page(index, words: [3 + index % 4, 6]) }
            var page = SyntheticPage.paper(seed: UInt64(index))
            for left in stride(from: 220, to: 400, by: 26) {
                page.fill(PixelRect(x: left, y: 84, width: 18, height: 22), 50)
                page.fill(PixelRect(x: left + 5, y: 90, width: 7, height: 8), 230)
            }
            page.text(FirstLineTests.text)
            return page
        }
        let book = try await SyntheticBook(pages).trimmed(FirstLineTests.asked)
        #expect(book[5].layout?.content?.y == 84 && book[6].layout?.content == FirstLineTests.text)
    }

    /// A long line, set in from both sides: its words are others on each page, but it is as long and as high.
    @Test func longHeadsAtOnePlaceAreFound() async throws {
        let heads = [[9, 8, 6], [3, 5, 4, 10], [12, 11], [6, 6, 11], [5, 4, 3, 10], [10, 4, 8]]
        let pages = heads.enumerated().map { page($0, words: $1) }
        for page in try await SyntheticBook(pages).trimmed(FirstLineTests.asked) {
            #expect(page.layout?.content == FirstLineTests.text && page.layout?.head != nil)
        }
    }

    /// On the outer side by turns, wider in roman numerals, a little higher or lower than the head.
    @Test func numbersAtTheOuterEndsGoWithTheHead() async throws {
        let pages = (0..<8).map { index in
            var page = page(index, words: [3 + index % 3, 5])
            page.number(1 + index % 4, x: index % 2 == 0 ? 82 : 538 - 10 * (1 + index % 4), y: 99 + index % 3 * 3)
            return page
        }
        for page in try await SyntheticBook(pages).trimmed(FirstLineTests.asked) {
            #expect(page.layout?.content == FirstLineTests.text && page.layout?.pageNumber != nil)
        }
    }

    /// The first lines of all pages are alike, but as wide as the text: they are text.
    @Test func linesAsWideAsTheTextStay() async throws {
        let pages = (0..<6).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text()
            return page
        }
        for page in try await SyntheticBook(pages).trimmed(FirstLineTests.asked) {
            #expect(page.layout?.content == SyntheticPage.textBox)
        }
    }

    /// Japanese is read downwards: the first characters of its lines are not a line.
    @Test func textThatIsReadDownHasNoFirstLine() async throws {
        let box = PixelRect(x: 80, y: 100, width: 454, height: 606)
        let pages = (0..<6).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            for left in stride(from: 80, through: 520, by: 40) {
                for top in stride(from: 100, through: 692, by: 16) {
                    page.fill(PixelRect(x: left, y: top, width: 14, height: 14), 50)
                    page.fill(PixelRect(x: left + 4, y: top + 4, width: 6, height: 4), 230)
                }
            }
            return page
        }
        for page in try await SyntheticBook(pages).trimmed(FirstLineTests.asked) {
            #expect(page.layout?.content?.y == box.y && page.layout?.head == nil)
        }
    }
}
