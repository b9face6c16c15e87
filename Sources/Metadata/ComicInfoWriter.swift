package import PageModel

/// A writer for the ComicInfo.xml of a book (<https://github.com/anansi-project/comicinfo>, schema/v2.0/ComicInfo.xsd).
///
/// If the book came with a ComicInfo (`BookMetadata.documents`), that document is written again with all its elements,
/// known to jisui or not. Only changed data are updated: the page count, the page list, and fields of `BookMetadata`
/// that differ. For several combined books, the common elements remain. A document about the whole
/// (`SourceDocument.book` nil) replaces the books' elements.
///
/// New elements are in the schema's order. Unknown values are omitted, because Kavita fails on empty elements
/// (Kareadita/Kavita#1981). Only a translator needs draft 2.1 of the schema.
package struct ComicInfoWriter {
    /// The data to be written about a page.
    package struct PageFacts: Hashable, Sendable {
        /// The number by which bookmarks name the page: `Page.id`.
        package var id: Int
        /// The book of the page, from 0, if several are combined.
        package var book = 0
        /// The size of its image in bytes.
        package var byteCount: Int
        package var size: PixelSize?
        /// Whether it shows a whole spread.
        package var isDouble: Bool
        /// The page types that the source states.
        package var roles: [PageRole] = []
    }

    private let book: BookMetadata
    /// The sources' own documents.
    private let documents: [(source: SourceDocument, info: ComicInfo)]
    /// The titles of the outline by their target page.
    private let bookmarks: [Int: String]
    private var pages: [PageFacts] = []

    package init(_ book: BookMetadata) {
        self.book = book
        documents = ComicInfo.documents(of: book)
        let titles = book.outline.compactMap { item in
            item.page.map { ($0, XMLText.clean(item.title)) }
        }
        // A page can have only one bookmark, and several may begin on it.
        bookmarks = Dictionary(titles.filter { !$0.1.isEmpty }) { "\($0) / \($1)" }
    }

    /// Records the next page.
    package mutating func add(_ page: PageFacts) {
        pages.append(page)
    }

    /// The document as XML.
    package var xml: [UInt8] {
        var root = beginning
        updateMetadata(&root)
        root.set("PageCount", String(pages.count))
        if pages.isEmpty { root.remove("Pages") } else { root.put(pageList) }
        return root.document
    }

    /// The sources' elements, if every book with pages has a document; otherwise empty. The elements about the whole
    /// are added.
    private var beginning: XMLElement {
        let own = documents.filter { $0.source.book != nil }
        var root = XMLElement("ComicInfo")
        if Set(pages.map(\.book)).isSubset(of: own.compactMap(\.source.book)),
            let common = ComicInfo.common(to: own.map(\.info))
        {
            root = common.root
        }
        for document in documents where document.source.book == nil {
            root.put(all: document.info.root.elements.filter { !$0.isNamed("Pages") })
        }
        return root
    }

    private func updateMetadata(_ root: inout XMLElement) {
        let known = ComicInfo(root: root).metadata
        for field in MetadataField.all where !field.isEqual(in: known, and: book) {
            guard let name = field.comicInfo else { continue }
            switch field.kind {
            // The schema requires a 32-bit number for it.
            case .text where name == "Volume": root.set(name, book.volume.flatMap { Int32($0) }.map(String.init))
            case .text(let path), .statement(let path): root.set(name, book[keyPath: path])
            case .paragraphs(let path): root.set(name, book[keyPath: path], isLong: true)
            case .words(let path): root.set(name, book[keyPath: path].clean.joined(separator: ", "))
            case .date(let path): root.set(book[keyPath: path])
            case .isbn(let path):
                if !ComicInfo.keepsOtherNumber(book) { root.set(name, book[keyPath: path]?.description) }
            // Komga rejects a ComicInfo.xml with an invalid language tag.
            case .language(let path): root.set(name, book[keyPath: path].flatMap(LanguageTag.normalized))
            // A source's document that states no direction stays as it is, until a person or the source states one.
            case .direction where book.isDirectionInferred && known.direction == nil && !documents.isEmpty: break
            // A plain "Yes" does not change the direction in any reading app (Komga ignores it).
            case .direction(let path):
                root.set(name, book[keyPath: path].map { $0 == .rightToLeft ? "YesAndRightToLeft" : "No" })
            case .credits: break
            }
        }
        for (element, _) in ComicInfo.creditElements {
            let names = ComicInfo.names(in: book.credits, for: element)
            if ComicInfo.names(in: known.credits, for: element) != names {
                root.set(element, names.clean.joined(separator: ", "))
            }
        }
    }

    private var pageList: XMLElement {
        var known: [Int: XMLElement] = [:]
        for (source, info) in documents {
            // Entries about the whole have priority over a source's own entries.
            for (image, element) in info.pages where source.pages.indices.contains(image) {
                let id = source.pages[image]
                if known[id] == nil || source.book == nil { known[id] = element }
            }
        }
        let hasCover = pages.contains { $0.roles.contains(.frontCover) }
        return XMLElement(
            "Pages",
            nodes: pages.enumerated().map { index, page in
                .element(element(for: page, at: index, known: known[page.id], mayBeCover: !hasCover))
            })
    }

    /// Returns the type of a page, in the source's own words if they cover it and state more.
    private func type(of page: PageFacts, known: String?) -> String? {
        if let known, case let (roles, areAll) = ComicInfo.roles(known), !areAll, roles == page.roles { return known }
        return page.roles.isEmpty ? nil : page.roles.map(\.rawValue).joined(separator: " ")
    }

    /// The attributes of a page that are determined again.
    private static let ownAttributes: Set<String> = [
        "Image", "Type", "DoublePage", "ImageSize", "Bookmark", "ImageWidth", "ImageHeight",
    ]

    /// - Parameters:
    ///   - index: the place among the archive's images, from 0.
    ///   - known: the source's type of the page.
    private func element(
        for page: PageFacts, at index: Int, known: XMLElement?, mayBeCover: Bool
    ) -> XMLElement {
        var element = XMLElement("Page")
        element["Image"] = String(index)
        element["Type"] = type(of: page, known: known?["Type"]) ?? (index == 0 && mayBeCover ? "FrontCover" : nil)
        if page.isDouble { element["DoublePage"] = "true" }
        element["ImageSize"] = String(page.byteCount)
        element["Bookmark"] = bookmarks[page.id]
        if let size = page.size {
            element["ImageWidth"] = String(size.width)
            element["ImageHeight"] = String(size.height)
        }
        element.attributes += (known?.attributes ?? []).filter { attribute in
            attribute.name.namespace != nil || !ComicInfoWriter.ownAttributes.contains(attribute.name.local)
        }
        return element
    }
}

extension ComicInfo {
    /// Returns the readable ComicInfos of a book.
    static func documents(of book: BookMetadata) -> [(source: SourceDocument, info: ComicInfo)] {
        book.documents.filter { $0.format == format }.compactMap { source in
            (try? ComicInfo(source.bytes)).map { (source, $0) }
        }
    }

    /// Whether the number in a book's own document is not an ISBN, as in single issues, and the user did not replace
    /// it.
    static func keepsOtherNumber(_ book: BookMetadata) -> Bool {
        documents(of: book).contains { source, info in
            source.isCurrent && info.value("GTIN").map { ISBN($0) == nil } ?? false
        }
    }

    /// Returns the names for an element. A single artist of a comic both penciled and inked it.
    static func names(in credits: [Credit], for element: String) -> [String] {
        let role = creditElements.first { $0.name == element }?.role
        let isDrawing = role == .penciller || role == .inker
        return credits.names(Set([role, isDrawing ? .artist : nil].compactMap { $0 }))
    }

    /// Returns the elements that are equal in all documents; nil for an empty list.
    static func common(to documents: [ComicInfo]) -> ComicInfo? {
        guard let first = documents.first else { return nil }
        var root = first.root
        for other in documents.dropFirst() {
            let nodes = Set(other.root.nodes)
            root.nodes.removeAll { !nodes.contains($0) }
            root.attributes.removeAll { !other.root.attributes.contains($0) }
        }
        return ComicInfo(root: root)
    }
}

extension XMLElement {
    /// The elements of a ComicInfo in the order of the schema, with those of draft 2.1.
    private static let order = [
        "Title", "Series", "Number", "Count", "Volume", "AlternateSeries", "AlternateNumber", "AlternateCount",
        "Summary", "Notes", "Year", "Month", "Day", "Writer", "Penciller", "Inker", "Colorist", "Letterer",
        "CoverArtist", "Editor", "Translator", "Publisher", "Imprint", "Genre", "Tags", "Web", "PageCount",
        "LanguageISO", "Format", "BlackAndWhite", "Manga", "Characters", "Teams", "Locations", "ScanInformation",
        "StoryArc", "StoryArcNumber", "SeriesGroup", "AgeRating", "Pages", "CommunityRating", "MainCharacterOrTeam",
        "Review", "GTIN",
    ]

    /// Sets the text of the book's element with that name; nil removes the element.
    ///
    /// - Parameter isLong: whether its lines are kept.
    fileprivate mutating func set(_ name: String, _ text: String?, isLong: Bool = false) {
        let clean = isLong ? text.flatMap { PlainText.clean($0) } : text.map(XMLText.clean)
        guard let text = clean, !text.isEmpty else { return remove(name) }
        put(XMLElement(XMLName(name), text: text))
    }

    fileprivate mutating func set(_ date: BookDate?) {
        for (name, part) in [("Year", date?.year), ("Month", date?.month), ("Day", date?.day)] {
            set(name, part.map(String.init))
        }
    }

    /// Replaces the element of the same name, or inserts it in the schema's order.
    fileprivate mutating func put(_ new: XMLElement) {
        let names = nodes.map { if case .element(let element) = $0 { element.name.local } else { "" } }
        let rank = XMLElement.order.firstIndex(of: new.name.local) ?? XMLElement.order.count
        let place =
            names.firstIndex(of: new.name.local)
            ?? names.firstIndex { (XMLElement.order.firstIndex(of: $0) ?? -1) > rank } ?? nodes.count
        nodes.insert(.element(new), at: place)
        // The elements with the previous value.
        let old = nodes[(place + 1)...].filter {
            if case .element(let element) = $0 { !element.isNamed(new.name.local) } else { true }
        }
        nodes.replaceSubrange((place + 1)..., with: old)
    }

    /// Replaces the elements of the same names; elements outside the schema are added at the end.
    fileprivate mutating func put(all new: [XMLElement]) {
        let names = Set(new.map(\.name))
        nodes.removeAll { if case .element(let element) = $0 { names.contains(element.name) } else { false } }
        for name in XMLElement.order {
            if let element = new.first(where: { $0.isNamed(name) }) { put(element) }
        }
        nodes += new.filter { !XMLElement.order.contains($0.name.local) }.map { .element($0) }
    }

    fileprivate mutating func remove(_ name: String) {
        nodes.removeAll { if case .element(let element) = $0 { element.isNamed(name) } else { false } }
    }
}
