/// The pages of one book in reading order, with what is known about the book.
public struct PageSequence: Sendable {
    public var book: BookMetadata
    public var pages: [Page]

    public init(book: BookMetadata, pages: [Page]) {
        self.book = book
        self.pages = pages
    }
}

/// A line of a book's table of contents.
public struct OutlineItem: Hashable, Sendable {
    public var title: String
    /// The page it leads to, as `Page.id`; nil for a heading that leads nowhere.
    public var page: Int?
    /// The depth in the outline, from 0.
    public var level: Int

    public init(title: String, page: Int?, level: Int) {
        self.title = title
        self.page = page
        self.level = level
    }
}

/// The direction in which a book's pages follow each other.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
}

/// What is known about a book besides its pages.
public struct BookMetadata: Hashable, Sendable {
    public var title: String?
    public var authors: [String]
    public var series: String?
    /// The volume or issue within the series, as text: "3", "12.5".
    public var number: String?
    /// A BCP 47 tag: "ja", "en-GB".
    public var language: String?
    /// The reading direction, when the source states one.
    public var direction: Direction?
    public var outline: [OutlineItem]
    /// What the sources say about their books in documents of their own, which may hold more than the fields above.
    public var documents: [SourceDocument]

    public init(
        title: String? = nil, authors: [String] = [], series: String? = nil, number: String? = nil,
        language: String? = nil, direction: Direction? = nil, outline: [OutlineItem] = [],
        documents: [SourceDocument] = []
    ) {
        self.title = title
        self.authors = authors
        self.series = series
        self.number = number
        self.language = language
        self.direction = direction
        self.outline = outline
        self.documents = documents
    }
}

/// A document in which a source describes its book, carried along so that a sink that writes the same format loses
/// nothing of it.
public struct SourceDocument: Hashable, Sendable {
    /// The document's format: "ComicInfo".
    public var format: String
    public var bytes: [UInt8]
    /// Which book it is about, as `Page.book`.
    public var book: Int
    /// The id of the source's first page; the pages that the document counts from there have the ids that follow.
    public var firstPage: Int

    public init(format: String, bytes: [UInt8], book: Int = 0, firstPage: Int = 1) {
        self.format = format
        self.bytes = bytes
        self.book = book
        self.firstPage = firstPage
    }
}
