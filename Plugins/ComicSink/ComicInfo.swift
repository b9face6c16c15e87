internal import AdapterKit
internal import PageModel

/// The description of a comic book that readers look for in its archive: ComicInfo 2.0
/// (<https://github.com/anansi-project/comicinfo>, schema/v2.0/ComicInfo.xsd).
struct ComicInfo {
    private struct PageFacts {
        var id: Int
        var byteCount: Int
        var size: PixelSize?
        var isDouble: Bool
    }

    private let book: BookMetadata
    /// The titles of the outline by the page they lead to.
    private let bookmarks: [Int: String]
    private var pages: [PageFacts] = []

    init(book: BookMetadata, pageCount: Int) {
        self.book = book
        pages.reserveCapacity(pageCount)
        let titles = book.outline.compactMap { item in
            item.page.map { ($0, XMLText.clean(item.title)) }
        }
        // A page has room for one, and several may begin on it.
        bookmarks = Dictionary(titles.filter { !$0.1.isEmpty }) { "\($0) / \($1)" }
    }

    /// Takes note of the next page.
    mutating func add(_ page: FinishedPage, byteCount: Int) {
        pages.append(
            PageFacts(
                id: page.page.id, byteCount: byteCount, size: page.size,
                isDouble: page.page.isDoublePage || page.size.map { $0.width > $0.height } ?? false))
    }

    /// The file's bytes. The elements stand in the schema's order; what is not known is left out, since Kavita fails
    /// on empty elements (Kareadita/Kavita#1981).
    var xml: [UInt8] {
        var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ComicInfo>\n"
        func element(_ name: String, _ value: String?) {
            guard let value = value.map(XMLText.clean), !value.isEmpty else { return }
            text += "  <\(name)>\(XMLText.escaped(value))</\(name)>\n"
        }
        element("Title", book.title)
        element("Series", book.series)
        element("Number", book.number)
        element("Writer", book.authors.map(XMLText.clean).filter { !$0.isEmpty }.joined(separator: ", "))
        element("PageCount", String(pages.count))
        element("LanguageISO", book.language.flatMap { LanguageTag.isPlausible($0) ? $0 : nil })
        // A plain "Yes" turns no reader's pages around (Komga ignores it).
        element("Manga", book.direction.map { $0 == .rightToLeft ? "YesAndRightToLeft" : "No" })
        if !pages.isEmpty {
            text += "  <Pages>\n"
            for (index, page) in pages.enumerated() { text += "    <Page\(attributes(of: page, index))/>\n" }
            text += "  </Pages>\n"
        }
        text += "</ComicInfo>\n"
        return Array(text.utf8)
    }

    /// - Parameter index: the place among the archive's pictures, from 0.
    private func attributes(of page: PageFacts, _ index: Int) -> String {
        var text = " Image=\"\(index)\""
        if index == 0 { text += " Type=\"FrontCover\"" }
        if page.isDouble { text += " DoublePage=\"true\"" }
        text += " ImageSize=\"\(page.byteCount)\""
        if let title = bookmarks[page.id] { text += " Bookmark=\"\(XMLText.escaped(title))\"" }
        if let size = page.size { text += " ImageWidth=\"\(size.width)\" ImageHeight=\"\(size.height)\"" }
        return text
    }
}
