import PageModel
import Testing

@testable import Trim

/// First lines of text, and words of titles, that look like running heads and page numbers.
@Suite struct BodyTextTests {
    private static let text = PixelRect(x: 80, y: 124, width: 460, height: 596)
    private static let options = ["trim": "page", "trim-numbers": "true", "trim-heads": "true"]

    private func page(_ seed: Int, _ draw: (inout SyntheticPage) -> Void) -> SyntheticPage {
        var page = SyntheticPage.paper(seed: UInt64(seed))
        page.text(BodyTextTests.text)
        draw(&page)
        return page
    }

    private func contents(_ pages: [SyntheticPage], _ options: [String: String] = options) async throws -> [PixelRect?]
    {
        try await SyntheticBook(pages).trimmed(options).map { $0.layout?.content }
    }

    @Test("A justified line with wide spaces after its first and before its last word is text")
    func linesWithWideSpacesStay() async throws {
        let words = [[5, 7, 8], [9, 4, 7], [7, 7, 6], [4, 4, 11], [12, 3, 5], [6, 9, 5]]
        let pages = words.enumerated().map { index, counts in
            page(index) {
                $0.number(2, x: 300, y: 60)
                $0.words([3], x: 80, y: 100)
                $0.words(counts, x: 145, y: 100)
                $0.words([3], x: 499, y: 100)
            }
        }
        for content in try await contents(pages) { #expect(content?.y == 100 && content?.width == 460) }
    }

    @Test("Short lines in the middle stay if no words repeat, and they are as close as the lines of the text")
    func closeLinesOfOtherWordsStay() async throws {
        let words = [[3, 6], [9], [2, 2, 4], [5, 1, 6], [7, 3], [4, 8]]
        let pages = words.enumerated().map { index, counts in page(index) { $0.words(counts, y: 100) } }
        for content in try await contents(pages) { #expect(content?.y == 100) }
    }

    @Test("A word above a title is not a number, although other pages have one at its place")
    func titleWordsAreNotNumbers() async throws {
        var title = SyntheticPage.paper()
        title.words([3], y: 60)
        for (row, top) in [140, 200, 260, 320].enumerated() {
            for letter in 0..<10 - row {
                let left = 150 + 32 * letter
                title.fill(PixelRect(x: left, y: top, width: 22, height: 28), 50)
                title.fill(PixelRect(x: left + 7, y: top + 8, width: 8, height: 10), 230)
            }
        }
        let pages = (0..<6).map { index in page(index) { $0.words([2], y: 60) } }
        let found = try await contents([title] + pages)
        #expect(found.first??.y == 60)
        #expect(found.dropFirst().allSatisfy { $0 == BodyTextTests.text })
    }

    @Test func numbersInBracketsAreNumbers() async throws {
        let pages = (0..<6).map { index in
            page(index) {
                for x in [281, 332] { $0.fill(PixelRect(x: x, y: 89, width: 5, height: 16), 50) }
                $0.number(3, x: 295, y: 91)
            }
        }
        for content in try await contents(pages, ["trim": "page", "trim-numbers": "true"]) {
            #expect(content == BodyTextTests.text)
        }
    }

    @Test func numbersBetweenRulesAreNumbers() async throws {
        let pages = (0..<6).map { index in
            page(index) {
                for x in [266, 334] { $0.fill(PixelRect(x: x, y: 95, width: 20, height: 3), 50) }
                $0.number(3, x: 296, y: 91)
            }
        }
        for content in try await contents(pages, ["trim": "page", "trim-numbers": "true"]) {
            #expect(content == BodyTextTests.text)
        }
    }
}
