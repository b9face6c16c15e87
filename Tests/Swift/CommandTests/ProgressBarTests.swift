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
            for (phase, done) in [(.opening, 0), (.converting, 7), (.analyzing, 999_999), (.writing, 1_000_000)]
                as [(ProgressBar.Phase, Int)]
            {
                let share = Double(done) / 1_000_000
                let state = ProgressBar.State(label: label, phase: phase, done: done, total: 1_000_000, share: share)
                let line = ProgressBar.line(state, seconds: 3, columns: columns)
                #expect(Terminal.width(of: line) < columns, "\(line)")
            }
        }
    }

    @Test func asMuchIsShownAsFits() {
        let state = ProgressBar.State(label: "book.cbz", phase: .converting, done: 12, total: 24, share: 0.5)
        func line(_ columns: Int) -> String { ProgressBar.line(state, seconds: 6, columns: columns) }
        #expect(line(90) == "book.cbz [============            ] 50%  converting 12/24  0:06 left")
        #expect(line(60) == "book.cbz 50%  converting 12/24  0:06 left")
        #expect(line(31) == "book.cbz 50%  0:06 left")
        #expect(line(20) == "book.cbz 50%")
        #expect(line(9) == "boo… 50%")
    }

    /// The numbers of pages begin again with each phase, each book and each output of a book.
    @Test func theShareNeverDecreases() {
        var state = ProgressBar.State(part: 0.2...0.6)
        state.share = 0.2
        var shares = [state.share]
        func note(_ change: (inout ProgressBar.State) -> Void) {
            change(&state)
            shares.append(state.share)
        }
        for step in 1...3 {
            note { $0.enter(.analyzing, until: 0.4 * Double(step) / 3, pages: 10) }
            // The second analysis looks at some pages only.
            for done in step == 2 ? [1, 2] : Array(1...10) { note { $0.advance(to: done) } }
        }
        #expect(abs(state.share - 0.36) < 1e-9)
        note { $0.enter(.converting, until: 1, pages: 20) }
        for done in 1...10 { note { $0.advance(to: done) } }
        note { $0.phase = .writing }
        for done in 11...20 { note { $0.advance(to: done) } }
        #expect(state.phase == .converting)
        #expect(abs(state.share - 0.6) < 1e-9)
        note { $0.enter(.opening, until: 0, pages: 0) }
        #expect(shares == shares.sorted())
    }
}
