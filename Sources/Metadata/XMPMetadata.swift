internal import AdapterKit
public import PageModel

/// What an XMP packet (ISO 16684-1), the metadata of a PDF or a picture, says of a book.
///
/// Dublin Core's terms, the series as calibre has it, and people's roles as properties of `MARCRelator`.
public struct XMPMetadata: Hashable, Sendable {
    /// What `SinkCapabilities.metadata` calls outputs that say all of this.
    public static let format = "XMP"

    public let book: BookMetadata
    /// Why the packet could not be read, as half a sentence; it says nothing then.
    public let defect: String?

    static let dublinCore = "http://purl.org/dc/elements/1.1/"
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    /// The namespaces of calibre (its `src/calibre/ebooks/metadata/xmp.py`).
    static let calibre = "http://calibre-ebook.com/xmp-namespace"
    static let calibreIndex = "http://calibre-ebook.com/xmp-namespace-series-index"
    /// PRISM's basic elements, which state an ISBN; its newest versions have other names.
    static let prism = "http://prismstandard.org/namespaces/basic/2.0/"
    private static let isbnNamespaces = [
        prism, "http://prismstandard.org/namespaces/basic/2.1/", "http://prismstandard.org/namespaces/basic/3.0/",
        "http://ns.adobe.com/pdfx/1.3/",
    ]

    /// - Parameter xmp: the packet; nothing at all says nothing.
    public init(xmp: [UInt8]) {
        do throws(AdapterError) {
            book = xmp.isEmpty ? BookMetadata() : XMPMetadata.book(try XMPMetadata.read(xmp))
            defect = nil
        } catch {
            (book, defect) = (BookMetadata(), error.message)
        }
    }

    /// A packet that cannot be had.
    public init(defect: String) { (book, self.defect) = (BookMetadata(), defect) }

    /// What a PDF says of its book, in its packet and in the older kind of metadata (ISO 32000-1, table 317): of what differs,
    /// what viewers show.
    ///
    /// - Parameters:
    ///   - information: the text of an entry of the document information dictionary.
    ///   - language: that of the document's text, which need not be all that the packet names.
    public func book(information: (String) -> String?, language: String?) -> BookMetadata {
        func line(_ key: String) -> String? { information(key).map(XMLText.clean).flatMap { $0.isEmpty ? nil : $0 } }
        var book = book
        book.title = line("Title") ?? book.title
        if book.credits.isEmpty { book.authors = [line("Author")].compactMap { $0 } }
        book.summary = book.summary ?? line("Subject")
        if book.subjects.isEmpty {
            // Its words are separated as its maker liked.
            book.genres = (line("Keywords") ?? "").split { $0 == "," || $0 == ";" }.map(String.init).clean.unique
        }
        let language = language.map(XMLText.clean).flatMap { $0.isEmpty ? nil : LanguageTag.normalized($0) ?? $0 }
        book.language = language ?? book.language
        return book
    }

    private static func read(_ xmp: [UInt8]) throws(AdapterError) -> XMLElement {
        // Packets are padded, often with more than the blanks that are allowed.
        let end = xmp.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? xmp.count
        return try XMLReader.read(Array(xmp[..<end]), limits: BookDocument.limits)
    }

    /// The root of a packet that has a place for facts; nil when it cannot be read or has none.
    static func root(of xmp: [UInt8]) -> XMLElement? {
        let list = XMLName("RDF", in: rdf)
        return (try? read(xmp)).flatMap { $0.name == list || $0.first(list) != nil ? $0 : nil }
    }

    private static func book(_ root: XMLElement) -> BookMetadata {
        var book = BookMetadata(
            title: items("title", in: root).first, publisher: items("publisher", in: root).first,
            date: items("date", in: root).first.flatMap { BookDate($0) },
            language: items("language", in: root).lazy.compactMap(LanguageTag.normalized).first)
        book.summary = items("description", in: root).first.flatMap(PlainText.clean(perhapsHTML:))
        book.genres = items("subject", in: root).clean.unique
        book.isbn = isbn(root)
        book.standard = ArchivalClaim(root)?.english
        book.rights = items("rights", in: root).first.map(XMLText.clean)
        if let series = root.descendant(XMLName("series", in: calibre)) {
            book.series = (series.descendant(XMLName("value", in: rdf)) ?? series).text.meaningful
            if book.series != nil {
                book.number = series.descendant(XMLName("series_index", in: calibreIndex))?.text.meaningful
                    .map(plainNumber)
            }
        }
        // Who has a role by its code is also named as a creator or contributor.
        let coded = CreatorRole.allCases.flatMap { role in
            let name = XMLName(MARCRelator.code(for: role), in: MARCRelator.namespace)
            return texts(root.descendant(name)).map { Credit($0, role) }
        }
        let known = Set(coded.map(\.name))
        let others = [("creator", CreatorRole.author), ("contributor", .other)].flatMap { list, role in
            items(list, in: root).filter { !known.contains($0) }.map { Credit($0, role) }
        }
        book.credits = (coded + others).unique
        return book
    }

    /// The properties that may be an ISBN.
    private static let isbnNames =
        isbnNamespaces.flatMap { [XMLName("isbn", in: $0), XMLName("ISBN", in: $0)] }
        + [XMLName("identifier", in: dublinCore)]
    /// A list of numbers with what they count, as calibre has it.
    private static let identifierList = XMLName("Identifier", in: "http://ns.adobe.com/xap/1.0/")

    private static func isbn(_ root: XMLElement) -> ISBN? {
        let stated = isbnNames.compactMap(root.property)
        let described = root.descendants(identifierList).flatMap { list in
            list.descendants(XMLName("value", in: rdf)).map(\.text)
        }
        return (stated + described).lazy.compactMap { ISBN($0) }.first
    }

    /// A packet without the ISBNs in it.
    static func withoutISBN(_ element: XMLElement, inList: Bool = false) -> XMLElement {
        var copy = element
        copy.attributes.removeAll { isbnNames.contains($0.name) && ISBN($0.value) != nil }
        let isList = inList || element.name == identifierList
        copy.nodes = element.nodes.compactMap { node in
            guard case .element(let child) = node else { return node }
            if isbnNames.contains(child.name), ISBN(child.text) != nil { return nil }
            let isItem = isList && child.name == XMLName("li", in: rdf)
            if isItem, child.descendants(XMLName("value", in: rdf)).contains(where: { ISBN($0.text) != nil }) {
                return nil
            }
            return .element(withoutISBN(child, inList: isList))
        }
        return copy
    }

    /// The texts of the first element of that name in Dublin Core, at any depth.
    private static func items(_ local: String, in root: XMLElement) -> [String] {
        texts(root.descendant(XMLName(local, in: dublinCore)))
    }

    private static func texts(_ array: XMLElement?) -> [String] {
        array?.descendants(XMLName("li", in: rdf)).compactMap(\.text.meaningful) ?? []
    }

    /// calibre writes all numbers with a point: "3.00" is "3", and "3.50" is "3.5".
    static func plainNumber(_ text: String) -> String {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts.allSatisfy({ $0.allSatisfy(digits.contains) }) else {
            return text
        }
        // Not by a regular expression, which would look for the zeros' end from each of them.
        let zeros = parts[1].reversed().prefix { $0 == digits.lowerBound }.count
        let fraction = parts[1].dropLast(zeros)
        return fraction.isEmpty ? "\(Substring(parts[0]))" : "\(Substring(parts[0])).\(Substring(fraction))"
    }
}

extension XMLElement {
    /// The first element of that name in this one, at any depth, in the order of the document.
    public func descendant(_ name: XMLName) -> XMLElement? {
        for element in elements {
            if element.name == name { return element }
            if let found = element.descendant(name) { return found }
        }
        return nil
    }

    /// A simple property of XMP: an element with a text, or an attribute (ISO 16684-1, §7.9.2.2).
    func property(_ name: XMLName) -> String? {
        if self.name == name { return text.meaningful }
        if let value = attributes.first(where: { $0.name == name })?.value.meaningful { return value }
        return elements.lazy.compactMap { $0.property(name) }.first
    }

    /// All elements of that name in this one, at any depth, in the order of the document; none within another.
    public func descendants(_ name: XMLName) -> [XMLElement] { descendants([name]) }

    /// All elements with one of some names in this one, as above.
    func descendants(_ names: Set<XMLName>) -> [XMLElement] {
        elements.flatMap { names.contains($0.name) ? [$0] : $0.descendants(names) }
    }
}
