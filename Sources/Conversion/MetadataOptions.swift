public import Metadata
public import PageModel

/// The metadata that the user gives for a book. Nil and empty properties keep the value of the source.
public struct MetadataOptions: Hashable, Sendable {
    public var title: String?
    /// The authors that replace the book's own; its other contributors are kept.
    public var authors: [String] = []
    public var series: String?
    public var volume: String?
    public var number: String?
    public var publisher: String?
    public var date: BookDate?
    public var language: String?
    /// The contents of a metadata file; the properties above override it.
    public var file: MetadataFile?

    public init() {}

    /// Whether no metadata is given.
    var isEmpty: Bool { self == MetadataOptions() }

    /// The options that give metadata, by their names. A file that also describes pages, or that only states the reading
    /// direction, is not included.
    var names: [String] {
        let stated = [
            ("metadata", file.map { $0.info == nil && !$0.statesDirectionOnly } ?? false),
            ("title", title != nil), ("author", !authors.isEmpty), ("series", series != nil), ("volume", volume != nil),
            ("number", number != nil), ("publisher", publisher != nil), ("date", date != nil),
            ("language", language != nil),
        ]
        return stated.compactMap { $1 ? $0 : nil }
    }

    /// Replaces the book's metadata with the given metadata.
    ///
    /// The page data of a ComicInfo.xml is applied too, but only to a book that was opened from a single input.
    func apply(to sequence: inout PageSequence) {
        var before = sequence.book
        if let file {
            MetadataOptions.apply(file, to: &sequence)
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
        // A field that is given now is not lost.
        let stated = [
            ("Series", series != nil), ("Volume", volume != nil), ("Publisher", publisher != nil),
            ("Year", date != nil),
            ("LanguageISO", language != nil), ("Summary", file?.book.summary != nil),
            ("Genre", file?.book.genres.isEmpty == false), ("Tags", file?.book.tags.isEmpty == false),
            ("GTIN", file?.book.isbn != nil), ("rights", file?.book.rights != nil),
        ]
        book.conflictingFields.removeAll { name in stated.contains { $0 == (name, true) } }
        if book != before {
            for index in book.documents.indices { book.documents[index].isCurrent = false }
        }
        sequence.book = book
    }

    private static func apply(_ file: MetadataFile, to sequence: inout PageSequence) {
        var (stated, known) = (file.book, sequence.book)
        if let info = file.info, Set(sequence.pages.map(\.book)).count == 1 {
            let pages = info.metadata(for: &sequence.pages, at: Array(sequence.pages.indices))
            if !pages.outline.isEmpty { known.outline = pages.outline }
            for index in stated.documents.indices { stated.documents[index].pages = sequence.pages.map(\.id) }
        }
        known.title = stated.title ?? known.title
        if !stated.credits.isEmpty { known.credits = stated.credits }
        known.series = stated.series ?? known.series
        known.volume = stated.volume ?? known.volume
        known.number = stated.number ?? known.number
        known.publisher = stated.publisher ?? known.publisher
        known.date = stated.date ?? known.date
        known.summary = stated.summary ?? known.summary
        if !stated.genres.isEmpty { known.genres = stated.genres }
        if !stated.tags.isEmpty { known.tags = stated.tags }
        known.isbn = stated.isbn ?? known.isbn
        known.rights = stated.rights ?? known.rights
        known.language = stated.language ?? known.language
        known.direction = stated.direction ?? known.direction
        known.documents += stated.documents
        known.unsupportedFields = (known.unsupportedFields + stated.unsupportedFields).unique
        sequence.book = known
    }
}
