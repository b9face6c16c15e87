package import AdapterKit
internal import OrderedJSON
package import PageModel

/// The ComicInfo.xml and MetronInfo.xml of a book, stored in an output that has its own form of metadata.
///
/// They are stored where reading apps ignore them, so that a comic archive made from the output contains them again. A
/// record of the output's own metadata is stored next to them: later changes to the metadata have priority.
package struct CarriedDocuments {
    /// The formats of stored documents, for `SinkCapabilities.carriedDocuments`.
    package static let formats: Set<String> = [ComicInfo.format, MetronInfo.format]
    /// The names of the documents.
    package static let fileNames = [ComicInfo.fileName, MetronInfo.fileName]

    /// The name of the record next to them in a PDF.
    package static let statementKey = "Said"

    private let hasOwn: Bool
    private var documents: ComicDocuments
    private var books: Set<Int> = []

    package init(of book: BookMetadata) {
        hasOwn = book.documents.contains { CarriedDocuments.formats.contains($0.format) }
        documents = ComicDocuments(of: book)
    }

    /// Records the next page.
    package mutating func add(_ page: FinishedPage) {
        guard hasOwn else { return }
        documents.add(page, byteCount: page.content.byteCount ?? 0)
        books.insert(page.page.book)
    }

    /// The documents by their names; empty if the sources had none, or if the pages are from several books.
    package var files: [(name: String, bytes: [UInt8])] {
        hasOwn && CarriedDocuments.areStored(books) ? documents.files : []
    }

    /// Whether documents are stored with pages of these books, as `Page.book`.
    static func areStored(_ books: Set<Int>) -> Bool { books.count <= 1 }

    /// Returns the record of the output's own metadata, for storage next to the documents.
    ///
    /// - Parameter ownMetadata: the metadata as read from the output.
    package static func statement(of ownMetadata: BookMetadata) -> [UInt8] {
        Array(JSON.object([("jisui", JSON.integer(1))] + MetadataJSON.members(of: ownMetadata)).text.utf8)
    }

    /// Returns the metadata of an output, combined with its stored documents.
    ///
    /// - Parameters:
    ///   - ownMetadata: its own metadata.
    ///   - statement: the record of them. It is nil if it is missing.
    ///   - files: the documents, ComicInfo.xml first.
    ///   - pages: receives the documents' page data. The number of pages must be unchanged.
    package static func merged(
        _ ownMetadata: BookMetadata, statement: [UInt8]?, files: [BookDocument.File], for pages: inout [Page],
        warnings: inout [Warning]
    ) -> BookMetadata {
        guard !files.isEmpty else { return ownMetadata }
        var listed = pages
        var carried = BookDocument.metadata(from: files, for: &listed, warnings: &warnings)
        let info = ComicInfo.documents(of: carried).first?.info
        if info?.pages.count == pages.count {
            pages = listed
        } else {
            // Another program removed or added pages, so the documents' entries cannot be assigned to pages.
            for index in carried.documents.indices { carried.documents[index].pages = [] }
            carried.outline = []
        }
        var book = ownMetadata
        // jisui inferred the direction of the output, because the book's own document states none.
        let isDirectionInferred = ownMetadata.direction != nil && info != nil && carried.direction == nil
        let known = statement.flatMap { JSON(parsing: $0) }.flatMap { try? MetadataJSON.book($0) }
        guard let known else {
            book.fill(from: carried)
            book.isDirectionInferred = isDirectionInferred
            return book
        }
        var isCurrent = true
        // ComicInfo would split a word that contains a comma.
        let isWhole = !(ownMetadata.subjects + ownMetadata.credits.map(\.name)).contains { $0.contains(",") }
        for field in MetadataField.all {
            let isCarried =
                switch field.kind {
                case .words: isWhole
                // ComicInfo cannot store some people, or the number of a single issue instead of an ISBN.
                case .credits: isWhole && ComicInfo.holds(ownMetadata.credits)
                case .isbn: carried.isbn != nil
                default: field.comicInfo != nil
                }
            guard isCarried else { continue }
            if field.isEqual(in: ownMetadata, and: known) {
                field.copy(from: carried, to: &book)
            } else {
                isCurrent = false
            }
        }
        if isDirectionInferred, book.direction == nil {
            (book.direction, book.isDirectionInferred) = (ownMetadata.direction, true)
        }
        if book.outline.isEmpty { book.outline = carried.outline }
        book.documents += carried.documents
        if !isCurrent { for index in book.documents.indices { book.documents[index].isCurrent = false } }
        return book
    }
}

extension ComicInfo {
    /// Whether the format can store the roles of all these people.
    fileprivate static func holds(_ credits: [Credit]) -> Bool {
        let roles = Set(creditElements.map(\.role)).union([.artist])
        return credits.allSatisfy { roles.contains($0.role) }
    }
}
