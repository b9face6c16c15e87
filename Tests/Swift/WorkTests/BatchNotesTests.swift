import AdapterKit
import PageModel
import Testing

@testable import Work

@Suite struct BatchNotesTests {
    private func note(_ message: Message, hint: Message? = nil) -> Warning {
        Warning(code: "some", message: message, hint: hint, isNote: true)
    }

    private func lines(_ books: [[Warning]]) -> [Message] {
        var notes = BatchNotes()
        for (place, own) in books.enumerated() { notes.add(own, of: "\(place + 1).pdf") }
        return notes.lines
    }

    @Test func noteOfOneBookNamesIt() {
        #expect(lines([[], [note("hid margins", hint: "use --bake")]]) == ["2.pdf: hid margins; use --bake"])
    }

    @Test func equalNotesAreOneLine() {
        let notes = Array(repeating: [note("left a margin", hint: "use --trim-margin")], count: 40)
        #expect(lines(notes) == ["left a margin (40 books); use --trim-margin"])
    }

    @Test func notesThatDifferInFactsAreOneLine() {
        let notes = (1...3).map { [note("hid margins on \($0) pages").shared("hid margins")] }
        #expect(lines(notes) == ["hid margins (3 books)"])
        // Without a common message, the first stands for the others.
        #expect(lines((1...3).map { [note("kept \($0) px")] }) == ["1.pdf: kept 1 px, and the like in 2 other books"])
        #expect(lines((1...2).map { [note("kept \($0) px")] }) == ["1.pdf: kept 1 px, and the like in another book"])
    }

    @Test func bookCountsOnceForEachKind() {
        let twice = [note("kept \(1) px"), note("kept \(2) px")]
        #expect(lines([twice, []]) == ["1.pdf: kept 1 px"])
    }

    @Test func otherHintsAndMessagesAreOtherLines() {
        let books = [[note("one"), note("two")], [note("one", hint: "use --one"), note("two")]]
        #expect(lines(books) == ["1.pdf: one", "two (2 books)", "2.pdf: one; use --one"])
    }
}
