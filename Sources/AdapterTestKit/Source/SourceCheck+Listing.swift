internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// The list of pages is right, and the same every time.
    ///
    /// - Returns: the pages; nil when there is nothing to go on with.
    func listing(count: Int) async -> [Page]? {
        guard let book = await findings.attempt("opening it", { try await open() }) else { return nil }
        let pages = book.sequence.pages
        findings.expect(pages.count == count, "lists \(pages.count) pages, and has \(count)")
        let ids = pages.map(\.id)
        findings.expect(zip(ids, ids.dropFirst()).allSatisfy(<), "the pages' ids do not ascend: \(ids)")
        findings.expect(ids.first ?? 1 >= 1, "the first page's id is less than 1: \(ids)")
        findings.expect(pages.allSatisfy { !$0.name.isEmpty }, "a page has no name")
        let strays = book.sequence.book.outline.compactMap(\.page).filter { !ids.contains($0) }
        findings.expect(strays.isEmpty, "the outline leads to pages that are not there: \(strays)")
        await findings.attempt("opening it again") { try await open() }.map { again in
            findings.expect(BookListing(again) == BookListing(book), "opened twice it gives two different lists")
        }
        return pages.isEmpty ? nil : pages
    }
}

/// What can be compared of a book before its pictures are looked at.
struct BookListing: Equatable {
    struct Line: Equatable {
        let id: Int
        let name: String
        let label: String?
        let side: Side
        let edits: [Edit]
    }

    let pages: [Line]
    let facts: BookMetadata
    let warnings: [Warning]
    let skipped: [String]

    init(_ book: OpenedBook) {
        pages = book.sequence.pages.map {
            Line(id: $0.id, name: $0.name, label: $0.label, side: $0.side, edits: $0.edits)
        }
        facts = book.sequence.book
        warnings = book.warnings
        skipped = book.skipped
    }
}
