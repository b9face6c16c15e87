internal import PageModel

/// The pages at which the chapters of a book begin, according to its table of contents.
struct ChapterStarts {
    /// The page numbers, as `Page.sourceID`.
    private let numbers: Set<Int>

    /// The greatest distance of an entry from the top of its page, in shares of the height. PDFs often leave a little space
    /// there. A chapter that begins further below shares an image with the one before it.
    private static let topOfPage = 0.01

    /// - Parameter isOfSeveralBooks: whether books are combined, so that their chapters are below entries of the books.
    init(_ outline: [OutlineItem], isOfSeveralBooks: Bool) {
        let level = isOfSeveralBooks ? 1 : 0
        let items = outline.filter { $0.level <= level && $0.place?.down ?? 0 <= ChapterStarts.topOfPage }
        numbers = Set(items.compactMap(\.page))
    }

    /// Returns whether a chapter begins after a page and at the latest at the next one. The first page of a chapter may be
    /// missing between them.
    func divide(_ page: Page, _ next: Page) -> Bool {
        let (number, last) = (page.sourceID ?? page.id, next.sourceID ?? next.id)
        return numbers.contains { number < $0 && $0 <= last }
    }
}
