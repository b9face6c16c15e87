import PageModel
import Testing

@testable import Trim

/// Numbers and heads whose line is not as neat as it should be: lower than each other, broken, close together, by themselves.
@Suite struct NumberLineTests {
    private static let text = PixelRect(x: 80, y: 124, width: 460, height: 596)
    private static let asked = ["trim": "page", "trim-numbers": "true", "trim-heads": "true"]

    private func page(_ seed: Int, _ draw: (inout MadePage) -> Void) -> MadePage {
        var page = MadePage.paper(seed: UInt64(seed))
        page.text(NumberLineTests.text)
        draw(&page)
        return page
    }

    private func contents(_ pages: [MadePage], _ asked: [String: String] = asked) async throws -> [PixelRect?] {
        try await MadeBook(pages).trimmed(asked).map { $0.layout?.content }
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
