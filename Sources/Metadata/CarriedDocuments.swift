public import AdapterKit
public import PageModel

/// The ComicInfo.xml, and the MetronInfo.xml, of a book in an output that tells of its book in a form of its own.
///
/// They go along where readers do not see them, so that a comic archive made of the output has them again. Beside them stands
/// what the output's own form said of the book: whatever was changed there since then counts more.
public struct CarriedDocuments {
    /// The formats of documents that go along, for `SinkCapabilities.carriedDocuments`.
    public static let formats: Set<String> = [ComicInfo.format, MetronInfo.format]
    /// The names of the documents.
    public static let fileNames = [ComicInfo.fileName, MetronInfo.fileName]

    /// What the statement beside them is called in a PDF.
    public static let statementKey = "Said"

    private let hasOwn: Bool
    private var documents: ComicDocuments
    private var books: Set<Int> = []

    public init(of book: BookMetadata) {
        hasOwn = book.documents.contains { CarriedDocuments.formats.contains($0.format) }
        documents = ComicDocuments(of: book)
    }

    /// Takes note of the next page.
    public mutating func add(_ page: FinishedPage) {
        guard hasOwn else { return }
        documents.add(page, byteCount: page.content.byteCount ?? 0)
        books.insert(page.page.book)
    }

    /// The documents by their names; none where the sources had none, or the pages are of several books.
    public var files: [(name: String, bytes: [UInt8])] {
        hasOwn && CarriedDocuments.goAlong(books) ? documents.files : []
    }

    /// Whether documents go along with pages of these books, as `Page.book`.
    static func goAlong(_ books: Set<Int>) -> Bool { books.count <= 1 }

    /// What the output's own form says of the book, to be kept beside the documents.
    ///
    /// - Parameter said: as it is read from the output again.
    public static func statement(of said: BookMetadata) -> [UInt8] {
        Array(JSON.object([("jisui", JSON.integer(1))] + MetadataJSON.members(of: said)).text.utf8)
    }

    /// What an output says of its book, with the documents that it carries.
    ///
    /// - Parameters:
    ///   - said: what its own form says.
    ///   - statement: what that said when the output was written; nil when nobody knows.
    ///   - files: the documents, ComicInfo.xml first.
    ///   - pages: gets what the documents say of pages, if there are as many as then.
    public static func merged(
        _ said: BookMetadata, statement: [UInt8]?, files: [BookDocument.File], for pages: inout [Page],
        warnings: inout [Warning]
    ) -> BookMetadata {
        guard !files.isEmpty else { return said }
        var listed = pages
        var carried = BookDocument.metadata(from: files, for: &listed, warnings: &warnings)
        let info = ComicInfo.documents(of: carried).first?.info
        if info?.pages.count == pages.count {
            pages = listed
        } else {
            // Pages were taken out or put in by another program: which is which nobody can tell.
            for index in carried.documents.indices { carried.documents[index].pages = [] }
            carried.outline = []
        }
        var book = said
        let known = statement.flatMap { JSON(parsing: $0) }.flatMap { try? MetadataJSON.book($0) }
        guard let known else {
            book.fill(from: carried)
            return book
        }
        var isCurrent = true
        func take<Fact: Equatable>(_ fact: WritableKeyPath<BookMetadata, Fact>) {
            if said[keyPath: fact] == known[keyPath: fact] {
                book[keyPath: fact] = carried[keyPath: fact]
            } else {
                isCurrent = false
            }
        }
        take(\.title)
        take(\.series)
        take(\.volume)
        take(\.number)
        take(\.publisher)
        take(\.date)
        take(\.summary)
        // ComicInfo takes a word with a comma for two.
        let isWhole = !(said.subjects + said.credits.map(\.name)).contains { $0.contains(",") }
        if isWhole {
            take(\.genres)
            take(\.tags)
        }
        take(\.language)
        take(\.direction)
        // ComicInfo has no place for some people, and for the number of a single issue instead of an ISBN.
        if isWhole, ComicInfo.holds(said.credits) { take(\.credits) }
        if carried.isbn != nil { take(\.isbn) }
        if book.outline.isEmpty { book.outline = carried.outline }
        book.documents += carried.documents
        if !isCurrent { for index in book.documents.indices { book.documents[index].isCurrent = false } }
        return book
    }
}

extension ComicInfo {
    /// Whether the format has a place for what all these people did.
    fileprivate static func holds(_ credits: [Credit]) -> Bool {
        let roles = Set(creditElements.map(\.role)).union([.artist])
        return credits.allSatisfy { roles.contains($0.role) }
    }
}
