public import Metadata
public import PageModel

/// What is said of a book by whoever has it converted; nil, or nothing, for what the source says.
public struct BookFacts: Hashable, Sendable {
    public var title: String?
    /// Take the place of the book's authors; others who took part in it stay.
    public var authors: [String] = []
    public var series: String?
    public var volume: String?
    public var number: String?
    public var publisher: String?
    public var date: BookDate?
    public var language: String?
    /// What a file says of the book, over which the facts above win.
    public var file: MetadataFile?

    public init() {}

    /// Whether nothing is said.
    var isEmpty: Bool { self == BookFacts() }

    /// What is said, by the names of the command's options; a file that tells of pages as well, or only how they are read, is
    /// none of it.
    var names: [String] {
        let said = [
            ("metadata", file.map { $0.info == nil && !$0.saysDirectionOnly } ?? false),
            ("title", title != nil), ("author", !authors.isEmpty), ("series", series != nil), ("volume", volume != nil),
            ("number", number != nil), ("publisher", publisher != nil), ("date", date != nil),
            ("language", language != nil),
        ]
        return said.compactMap { $1 ? $0 : nil }
    }

    /// Puts these facts in the place of the book's own.
    ///
    /// A ComicInfo.xml tells of pages as well, if the book is one that was opened and not several.
    func apply(to sequence: inout PageSequence) {
        var before = sequence.book
        if let file {
            BookFacts.apply(file, to: &sequence)
            for index in before.documents.indices { sequence.book.documents[index].isCurrent = false }
            before = sequence.book
        }
        var book = sequence.book
        book.title = title ?? book.title
        if !authors.isEmpty { book.authors = authors }
        book.series = series ?? book.series
        book.volume = volume ?? book.volume
        book.number = number ?? book.number
        book.publisher = publisher ?? book.publisher
        book.date = date ?? book.date
        book.language = language ?? book.language
        // What is said now was not lost.
        let said = [
            ("Series", series != nil), ("Volume", volume != nil), ("Publisher", publisher != nil),
            ("Year", date != nil),
            ("LanguageISO", language != nil), ("Summary", file?.book.summary != nil),
            ("Genre", file?.book.genres.isEmpty == false), ("Tags", file?.book.tags.isEmpty == false),
            ("GTIN", file?.book.isbn != nil), ("rights", file?.book.rights != nil),
        ]
        book.notShared.removeAll { name in said.contains { $0 == (name, true) } }
        if book != before {
            for index in book.documents.indices { book.documents[index].isCurrent = false }
        }
        sequence.book = book
    }

    private static func apply(_ file: MetadataFile, to sequence: inout PageSequence) {
        var (said, known) = (file.book, sequence.book)
        if let info = file.info, Set(sequence.pages.map(\.book)).count == 1 {
            let pages = info.metadata(for: &sequence.pages, at: Array(sequence.pages.indices))
            if !pages.outline.isEmpty { known.outline = pages.outline }
            for index in said.documents.indices { said.documents[index].pages = sequence.pages.map(\.id) }
        }
        known.title = said.title ?? known.title
        if !said.credits.isEmpty { known.credits = said.credits }
        known.series = said.series ?? known.series
        known.volume = said.volume ?? known.volume
        known.number = said.number ?? known.number
        known.publisher = said.publisher ?? known.publisher
        known.date = said.date ?? known.date
        known.summary = said.summary ?? known.summary
        if !said.genres.isEmpty { known.genres = said.genres }
        if !said.tags.isEmpty { known.tags = said.tags }
        known.isbn = said.isbn ?? known.isbn
        known.rights = said.rights ?? known.rights
        known.language = said.language ?? known.language
        known.direction = said.direction ?? known.direction
        known.documents += said.documents
        known.otherFacts = (known.otherFacts + said.otherFacts).unique
        sequence.book = known
    }
}
