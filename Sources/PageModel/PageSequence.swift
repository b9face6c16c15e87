/// The pages of one book in reading order, with the book's metadata.
public struct PageSequence: Sendable {
    public var book: BookMetadata
    public var pages: [Page]

    public init(book: BookMetadata, pages: [Page]) {
        self.book = book
        self.pages = pages
    }
}

/// An item of a book's table of contents.
public struct OutlineItem: Hashable, Sendable {
    public var title: String
    /// The target page, as `Page.id`; nil for a heading without a target.
    public var page: Int?
    /// The position on the page, if the source states it: it selects the part of a split page.
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
