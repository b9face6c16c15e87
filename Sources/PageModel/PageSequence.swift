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
    /// The place on the page, where the source tells it: which part of a page that is split is meant.
    public var place: PagePoint?
    /// The depth in the outline, from 0.
    public var level: Int

    public init(title: String, page: Int?, at place: PagePoint? = nil, level: Int) {
        self.title = title
        self.page = page
        self.place = place
        self.level = level
    }
}

/// The direction in which a book's pages follow each other.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
}
