internal import AdapterKit
public import PageModel

/// Writes the ComicInfo.xml of a book (<https://github.com/anansi-project/comicinfo>, schema/v2.0/ComicInfo.xsd).
///
/// The elements stand in the schema's order; what is not known is left out, since Kavita fails on empty elements
/// (Kareadita/Kavita#1981).
public struct ComicInfoWriter {
    /// What is to be said of a page.
    public struct PageFacts: Hashable, Sendable {
        /// `Page.id`.
        public var id: Int
        /// Bytes of its picture.
        public var byteCount: Int
        public var size: PixelSize?
        /// Whether it shows a whole spread.
        public var isDouble: Bool

        public init(id: Int, byteCount: Int, size: PixelSize?, isDouble: Bool) {
            self.id = id
            self.byteCount = byteCount
            self.size = size
            self.isDouble = isDouble
        }
    }

    private let book: BookMetadata
    /// The titles of the outline by the page they lead to.
    private let bookmarks: [Int: String]
    private var pages: [PageFacts] = []

    public init(_ book: BookMetadata) {
        self.book = book
        let titles = book.outline.compactMap { item in
            item.page.map { ($0, XMLText.clean(item.title)) }
        }
        // A page has room for one, and several may begin on it.
        bookmarks = Dictionary(titles.filter { !$0.1.isEmpty }) { "\($0) / \($1)" }
    }

    /// Takes note of the next page.
    public mutating func add(_ page: PageFacts) {
        pages.append(page)
    }

    /// The document.
    public var xml: [UInt8] {
        var root = XMLElement("ComicInfo")
        root.set("Title", book.title)
        root.set("Series", book.series)
        root.set("Number", book.number)
        root.set("Writer", book.authors.map(XMLText.clean).filter { !$0.isEmpty }.joined(separator: ", "))
        root.set("PageCount", String(pages.count))
        root.set("LanguageISO", book.language.flatMap { LanguageTag.isPlausible($0) ? $0 : nil })
        // A plain "Yes" turns no reader's pages around (Komga ignores it).
        root.set("Manga", book.direction.map { $0 == .rightToLeft ? "YesAndRightToLeft" : "No" })
        if !pages.isEmpty {
            let list = pages.enumerated().map { XMLElement.Node.element(element(for: $0.element, at: $0.offset)) }
            root.put(XMLElement("Pages", nodes: list))
        }
        return root.document
    }

    /// - Parameter index: the place among the archive's pictures, from 0.
    private func element(for page: PageFacts, at index: Int) -> XMLElement {
        var element = XMLElement("Page")
        element["Image"] = String(index)
        if index == 0 { element["Type"] = "FrontCover" }
        if page.isDouble { element["DoublePage"] = "true" }
        element["ImageSize"] = String(page.byteCount)
        element["Bookmark"] = bookmarks[page.id]
        if let size = page.size {
            element["ImageWidth"] = String(size.width)
            element["ImageHeight"] = String(size.height)
        }
        return element
    }
}

extension XMLElement {
    /// The elements of a ComicInfo in the order of the schema, with those of draft 2.1.
    private static let order = [
        "Title", "Series", "Number", "Count", "Volume", "AlternateSeries", "AlternateNumber", "AlternateCount",
        "Summary",
        "Notes", "Year", "Month", "Day", "Writer", "Penciller", "Inker", "Colorist", "Letterer", "CoverArtist",
        "Editor",
        "Translator", "Publisher", "Imprint", "Genre", "Tags", "Web", "PageCount", "LanguageISO", "Format",
        "BlackAndWhite", "Manga", "Characters", "Teams", "Locations", "ScanInformation", "StoryArc", "StoryArcNumber",
        "SeriesGroup", "AgeRating", "Pages", "CommunityRating", "MainCharacterOrTeam", "Review", "GTIN",
    ]

    /// Gives the book's element of that name this text; without a text there is no element.
    fileprivate mutating func set(_ name: String, _ text: String?) {
        guard let text = text.map(XMLText.clean), !text.isEmpty else { return remove(name) }
        put(XMLElement(XMLName(name), text: text))
    }

    /// Puts an element in the place of that of its name, or where the schema has it.
    fileprivate mutating func put(_ new: XMLElement) {
        let names = nodes.map { if case .element(let element) = $0 { element.name.local } else { "" } }
        if let place = names.firstIndex(of: new.name.local) {
            remove(new.name.local)
            nodes.insert(.element(new), at: place)
            return
        }
        let rank = XMLElement.order.firstIndex(of: new.name.local) ?? XMLElement.order.count
        let place = names.firstIndex { (XMLElement.order.firstIndex(of: $0) ?? -1) > rank }
        nodes.insert(.element(new), at: place ?? nodes.count)
    }

    fileprivate mutating func remove(_ name: String) {
        nodes.removeAll { if case .element(let element) = $0 { element.isNamed(name) } else { false } }
    }
}
