import AdapterKit
import PageModel

/// A source of pages made up in memory. It knows files by their first word.
struct FakeSource: SourceAdapter {
    let descriptor: AdapterDescriptor
    let word: String
    let recognition: Recognition
    var book: OpenedBook
    let error: AdapterError?

    init(
        _ pages: [Page] = [Sample.page()], id: String = "fake", extensions: [String] = ["fake"],
        settings: [Setting] = [], word: String = "FAKE", recognition: Recognition = .certain,
        book: BookMetadata = BookMetadata(), warnings: [Warning] = [], skipped: [String] = [],
        error: AdapterError? = nil
    ) {
        descriptor = AdapterDescriptor(id: id, summary: "test", extensions: extensions, settings: settings)
        self.word = word
        self.recognition = recognition
        self.book = OpenedBook(
            sequence: PageSequence(book: book, pages: pages), warnings: warnings, skipped: skipped)
        self.error = error
    }

    func recognize(_ probe: Probe) -> Recognition {
        probe.head.starts(with: Array(word.utf8)) ? recognition : .no
    }

    func open(_ input: Input, settings: Settings, limits: Limits) throws(AdapterError) -> OpenedBook {
        if let error { throw error }
        return book
    }
}
