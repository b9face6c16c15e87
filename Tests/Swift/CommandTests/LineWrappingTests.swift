internal import Glibc
internal import Testing

@testable internal import jisui

@Suite struct LineWrappingTests {
    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    private func lines(_ text: String, _ columns: Int) -> [String] {
        LineWrapping.wrapped(text, columns: columns).split(separator: "\n").map(String.init)
    }

    @Test func linesBreakBetweenWords() {
        #expect(lines("book.cbz: 4 pages, 4 verbatim; 1.1 MB", 20) == ["book.cbz: 4 pages, 4", "  verbatim; 1.1 MB"])
        #expect(lines("book.cbz: 4 pages", 17) == ["book.cbz: 4 pages"])
    }

    /// A path that is broken cannot be copied.
    @Test func longWordsStayWhole() {
        #expect(lines("wrote /a/very/long/path.cbz now", 12) == ["wrote", "  /a/very/long/path.cbz", "  now"])
    }

    @Test func indentationStays() {
        #expect(lines("    1  verbatim  page 1: own", 20) == ["    1  verbatim", "  page 1: own"])
    }

    @Test func japaneseBreaksBetweenCharactersButNotBeforePunctuation() {
        #expect(lines("ページを切り抜きました。", 22) == ["ページを切り抜きまし", "  た。"])
        #expect(lines("余白「本」を", 8) == ["余白", "  「本」", "  を"])
    }

    @Test(arguments: 8...60) func nothingIsLost(columns: Int) {
        let text = "本.pdf: 4 ページ（右開き）、margins are hidden, not removed, on 4 pages"
        let wrapped = LineWrapping.wrapped(text, columns: columns)
        #expect(wrapped.filter { $0 != " " && $0 != "\n" } == text.filter { $0 != " " })
        for line in wrapped.split(separator: "\n") where line.drop(while: { $0 == " " }).contains(" ") {
            #expect(Terminal.width(of: String(line)) <= columns, "\(line)")
        }
    }
}
