package import PageModel

/// A ComicInfo.xml, the metadata of a comic archive.
///
/// The format is anansi-project/comicinfo, schema 2.0 and draft 2.1. The whole document is kept, so that elements
/// unknown to jisui can be written again (`ComicInfoWriter`).
package struct ComicInfo: Hashable, Sendable {
    /// The name of the file, at the root of an archive or folder.
    package static let fileName = "ComicInfo.xml"
    /// The `SourceDocument.format` of such documents.
    package static let format = "ComicInfo"

    /// The element `ComicInfo`.
    package let root: XMLElement
    /// The original bytes; empty for a generated document.
    private let bytes: [UInt8]

    /// Reads a document.
    ///
    /// - Throws: `.damaged` for a document that is not well-formed ComicInfo; `.tooLarge`, `.unsupported` as
    ///   `XMLReader`.
    package init(_ bytes: [UInt8]) throws(AdapterError) {
        let root = try XMLReader.read(bytes, limits: BookDocument.limits)
        guard root.isNamed("ComicInfo") else {
            throw AdapterError(.damaged, "has \(root.name.qualified) where ComicInfo should be")
        }
        self.root = root
        self.bytes = bytes
    }

    init(root: XMLElement = XMLElement("ComicInfo")) {
        self.root = root
        bytes = []
    }

    // MARK: The book

    /// The elements for contributors, in the order in which reading apps list them, with their roles. The format has no
    /// place for other roles.
    static let creditElements: [(name: String, role: CreatorRole)] = [
        ("Writer", .author), ("Penciller", .penciller), ("Inker", .inker), ("Colorist", .colorist),
        ("Letterer", .letterer), ("CoverArtist", .coverArtist), ("Editor", .editor), ("Translator", .translator),
    ]

    /// The document's metadata of the book, without an outline, which requires the pages.
    package var metadata: BookMetadata {
        var facts = BookMetadata()
        for field in MetadataField.all {
            let value = field.comicInfo.flatMap { self.value($0) }
            switch field.kind {
            case .text(let path), .statement(let path): facts[keyPath: path] = value
            case .paragraphs(let path): facts[keyPath: path] = value.flatMap { PlainText.clean($0) }
            case .language(let path): facts[keyPath: path] = value.map { LanguageTag.normalized($0) ?? $0 }
            case .words(let path): facts[keyPath: path] = field.comicInfo.map { list($0).unique } ?? []
            case .date(let path): facts[keyPath: path] = date
            case .isbn(let path): facts[keyPath: path] = value.flatMap { ISBN($0) }
            case .direction(let path): facts[keyPath: path] = ComicInfo.direction(value)
            case .credits(let path):
                facts[keyPath: path] =
                    ComicInfo.creditElements.flatMap { element, role in list(element).map { Credit($0, role) } }.unique
            }
        }
        facts.volume = number("Volume").map(String.init)
        return facts
    }

    /// Returns the metadata of the book with these pages. It also sets page types and double pages.
    ///
    /// The pages get the order of the document's page list if that lists all of them. ComicRack, from which the format
    /// comes, lets people move pages in it. Reordered pages get new ids from 1.
    ///
    /// - Parameter pages: the pages in the order of their names, by which the document counts.
    package func metadata(reordering pages: inout [Page]) -> BookMetadata {
        let order = newOrder(of: pages.count) ?? Array(pages.indices)
        if order != Array(pages.indices) {
            pages = order.enumerated().map { pages[$1].renamed(pages[$1].name, id: $0 + 1) }
        }
        var places = order
        for (place, image) in order.enumerated() { places[image] = place }
        return metadata(for: &pages, at: places)
    }

    /// Returns the metadata of the book with these pages. It also sets page types and double pages.
    ///
    /// - Parameter places: the index in `pages` of each page, in the document's order.
    package func metadata(for pages: inout [Page], at places: [Int]) -> BookMetadata {
        var facts = metadata
        var bookmarks: [(place: Int, title: String)] = []
        for (image, page) in self.pages where places.indices.contains(image) {
            let place = places[image]
            if let title = page["Bookmark"]?.meaningful { bookmarks.append((place, title)) }
            // Programs write "true", "True" and "Yes".
            if ["true", "yes", "1"].contains(page["DoublePage"]?.lowercased()) { pages[place].isDoublePage = true }
            pages[place].roles = ComicInfo.roles(page["Type"] ?? "").known
        }
        facts.outline = bookmarks.sorted { $0.place < $1.place }.map {
            OutlineItem(title: $0.title, page: pages[$0.place].id, level: 0)
        }
        facts.documents = [
            SourceDocument(format: ComicInfo.format, bytes: bytes, pages: places.map { pages[$0].id })
        ]
        return facts
    }

    /// Returns the order in which the document lists the pages, by their places. It is nil for the order of the names,
    /// and if the list does not contain every page once.
    func newOrder(of count: Int) -> [Int]? {
        let order = pages.map(\.image)
        guard order.count == count, Set(order) == Set(0..<count), order != Array(0..<count) else { return nil }
        return order
    }

    /// The publication date of the comic; nil without a year or for an invalid date.
    private var date: BookDate? {
        guard let year = number("Year") else { return nil }
        return BookDate(year: year, month: number("Month"), day: number("Day"))
    }

    /// Returns the number in an element; -1 means unknown.
    private func number(_ name: String) -> Int? {
        value(name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns the text of an element about the book.
    func value(_ name: String) -> String? {
        root.elements.lazy.filter { $0.isNamed(name) }.compactMap { $0.text.meaningful }.first
    }

    /// Returns the words of a comma-separated element.
    private func list(_ name: String) -> [String] {
        root.elements.filter { $0.isNamed(name) }.flatMap { $0.text.split(separator: ",") }.map(String.init).clean
    }

    /// Returns the reading direction. "Yes" only states that it is a manga: translated ones are often mirrored.
    private static func direction(_ manga: String?) -> Direction? {
        switch manga {
        case "YesAndRightToLeft": .rightToLeft
        case "No": .leftToRight
        default: nil
        }
    }

    // MARK: The pages

    /// The entries of the page list, each with its place among all pages, from 0.
    var pages: [(image: Int, element: XMLElement)] {
        let lists = root.elements.filter { $0.isNamed("Pages") }
        return lists.flatMap(\.elements).filter { $0.isNamed("Page") }.compactMap { page in
            page["Image"].flatMap { Int($0) }.map { ($0, page) }
        }
    }

    /// Returns the roles in a page's `Type`, which is a list of words.
    ///
    /// - Returns: the schema's roles, and whether every word was one.
    static func roles(_ text: String) -> (known: [PageRole], areAll: Bool) {
        // The format's own documentation, and old drafts of its schema, spell these differently.
        let variants = ["Delete": PageRole.deleted, "Advertisment": .advertisement]
        var roles: [PageRole] = []
        var areAll = true
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            guard let role = PageRole(rawValue: word) ?? variants[word] else {
                areAll = false
                continue
            }
            if !roles.contains(role) { roles.append(role) }
        }
        return (roles, areAll)
    }
}

extension XMLElement {
    /// Whether it has this name, without a prefix. ComicInfo has no namespace of its own; some programs add one.
    func isNamed(_ local: String) -> Bool {
        name.local == local && name.prefix == nil
    }
}

extension BookMetadata {
    /// Whether a ComicInfo.xml of the book states that it is a manga, without a reading direction.
    package var isStatedToBeManga: Bool {
        ComicInfo.documents(of: self).contains { _, info in info.value("Manga") == "Yes" }
    }
}
