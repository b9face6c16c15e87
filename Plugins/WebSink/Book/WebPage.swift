internal import AdapterKit
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// A page of a book for browsers.
struct WebPage {
    /// The `Page.id`.
    let id: Int
    /// The book to which it belongs, if several were combined.
    let book: Int
    /// The numbers by which links refer to it.
    let numbers: [Int]
    let links: [PageLink]
    /// The name of its file.
    let file: String
    /// The printed number; nil if unknown.
    let label: String?
    let side: Side
    let isDouble: Bool
    /// The size of the stored image after its own orientation is applied, as in browsers.
    let full: PixelSize
    /// The visible part of it.
    let shown: PixelRect
    var checksum: UInt32 = 0
    var byteCount = 0
    var hasThumbnail = false

    init(_ page: FinishedPage, _ framing: Framing, file: String) {
        self.file = file
        id = page.page.id
        book = page.page.book
        (numbers, links) = (page.page.numbers, page.links)
        label = page.page.label.map(XMLText.clean).flatMap { $0.isEmpty ? nil : $0 }
        side = page.page.side
        isDouble = page.page.showsSpread(framing.rect.size)
        (full, shown) = (framing.full, framing.rect)
    }

    /// Returns the entry of `book.json`: file, width, height, kind, label, and the visible part unless it is the whole page.
    func json(_ kind: Pairing.Kind) -> JSON {
        var values: [JSON] = [.string(file), .integer(full.width), .integer(full.height), .string(kind.rawValue)]
        let isWhole = shown.size == full
        if label != nil || !isWhole { values.append(JSON(label)) }
        if !isWhole { values.append(JSON(shown)) }
        return .array(values)
    }
}
