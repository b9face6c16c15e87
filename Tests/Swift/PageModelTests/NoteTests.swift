import PageModel
import Testing

@Suite struct NoteTests {
    private static let outer = Note.Code("outer") { "because \($0.notes.message)" }

    @Test func notesOfAnyPageNameNoPage() {
        let part = Note(.partIsChanged, ["page": "page 3"], operations: [Note(.gray)])
        #expect(part.message == "page 3 is made gray")
        let note = Note(Self.outer, ["page": "page 4"], notes: [part])
        #expect(note.ofAnyPage.message == "because a page is made gray")
        #expect(note.ofAnyPage.values["page"] == nil)
    }
}
