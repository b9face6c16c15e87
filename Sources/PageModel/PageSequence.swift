/// The pages of one book in reading order, with what is known about the book.
public struct PageSequence: Sendable {
    public var book: BookMetadata
    public var pages: [Page]

    public init(book: BookMetadata, pages: [Page]) {
        self.book = book
        self.pages = pages
    }
}
