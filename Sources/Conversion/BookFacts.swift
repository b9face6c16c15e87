public import PageModel

/// What is said of a book by whoever has it converted; nil, or nothing, for what the source says.
public struct BookFacts: Hashable, Sendable {
    public var title: String?
    public var authors: [String] = []
    public var series: String?
    public var volume: String?
    public var number: String?
    public var publisher: String?
    public var date: BookDate?
    public var language: String?

    public init() {}

    /// Puts these facts in the place of the book's own.
    func apply(to book: inout BookMetadata) {
        book.title = title ?? book.title
        if !authors.isEmpty { book.authors = authors }
        book.series = series ?? book.series
        book.volume = volume ?? book.volume
        book.number = number ?? book.number
        book.publisher = publisher ?? book.publisher
        book.date = date ?? book.date
        book.language = language ?? book.language
    }
}
