internal import Glibc
internal import Testing

@testable internal import jisui

@Suite struct ProgressBarTests {
    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    @Test func columnsAreCountedAsTerminalsDo() {
        #expect(Terminal.width(of: "book") == 4)
        #expect(Terminal.width(of: "第１巻.cbz") == 10)
        #expect(Terminal.width(of: "e\u{301}") == 1)
        #expect(Terminal.width(of: "か\u{3099}") == 2)
    }

    /// The file comes first in a message, and the reason last.
    @Test func theMiddleOfLongTextIsLeftOut() {
        let name = String(repeating: "x", count: 60_000)
        let shown = Terminal.safe("book.cbz: \(name)\u{1B}: cannot be read")
        #expect(shown.count < 4100)
        #expect(shown.hasPrefix("book.cbz: xxx"))
        #expect(shown.hasSuffix("xxx\\u{1b}: cannot be read"))
        #expect(Terminal.safe("第一巻") == "第一巻")
    }

    @Test func textIsCutAtColumns() {
        #expect(Terminal.cut("第一巻", to: 6) == "第一巻")
        #expect(Terminal.cut("第一巻", to: 5) == "第一…")
        #expect(Terminal.cut("第一巻", to: 4) == "第…")
        #expect(Terminal.cut("book", to: 1) == "…")
        #expect(Terminal.cut("book", to: 0) == "")
    }

    /// A line as wide as the terminal would scroll it with every update.
    @Test(arguments: 1...120) func theLineFits(columns: Int) {
        for label in ["book.cbz", "[12/345] 第一巻　新装版　上下巻合本　とても長い題名の本.cbz", String(repeating: "e\u{301}", count: 200)] {
            for (activity, done) in [("", 0), ("", 7), ("", 999_999), ("analyzing pages", 3), ("writing", 1_000_000)] {
                let state = ProgressBar.State(label: label, activity: activity, done: done, total: 1_000_000)
                let line = ProgressBar.line(state, seconds: 3, columns: columns)
                #expect(Terminal.width(of: line) < columns, "\(line)")
            }
        }
    }

    @Test func asMuchIsShownAsFits() {
        let state = ProgressBar.State(label: "book.cbz", done: 12, total: 24)
        func line(_ columns: Int) -> String { ProgressBar.line(state, seconds: 6, columns: columns) }
        #expect(line(80) == "book.cbz [============            ] 12/24  2 pages/s  0:06 left")
        #expect(line(50) == "book.cbz 12/24  2 pages/s  0:06 left")
        #expect(line(31) == "book.cbz 12/24  0:06 left")
        #expect(line(20) == "book.cbz 12/24")
        #expect(line(12) == "book… 12/24")
    }
}
