package import PageModel

/// The book metadata in an XMP packet (ISO 16684-1) of a PDF or an image.
///
/// It consists of Dublin Core's terms, calibre's series properties, and people's roles as properties of `MARCRelator`.
package struct XMPMetadata: Hashable, Sendable {
    /// The name in `SinkCapabilities` of outputs that contain all of this.
    package static let format = "XMP"

    package let book: BookMetadata
    /// The reason why the packet could not be read, as a sentence fragment; it then contains no metadata.
    package let defect: Message?

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

    /// - Parameter xmp: the packet; an empty one contains no metadata.
    package init(xmp: [UInt8]) {
        do throws(AdapterError) {
            book = xmp.isEmpty ? BookMetadata() : XMPMetadata.book(try XMPMetadata.read(xmp))
            defect = nil
        } catch {
            (book, defect) = (BookMetadata(), error.message)
        }
    }

    /// Makes the value for an unreadable packet.
    package init(defect: Message) { (book, self.defect) = (BookMetadata(), defect) }

    /// Returns the metadata of a PDF from its packet and its information dictionary (ISO 32000-1, table 317). If they
    /// differ, it uses the value that viewers show.
    ///
    /// - Parameters:
    ///   - information: returns the text of an entry. The entries are those of the document information dictionary.
    ///   - language: the language of the document's text. The packet may name others.
    package func book(information: (String) -> String?, language: String?) -> BookMetadata {
        func line(_ key: String) -> String? { information(key).map(XMLText.clean).flatMap { $0.isEmpty ? nil : $0 } }
        var book = book
        book.title = line("Title") ?? book.title
        if book.credits.isEmpty { book.replaceAuthors(with: [line("Author")].compactMap { $0 }) }
        book.summary = book.summary ?? line("Subject")
        if book.subjects.isEmpty {
            // The separator of its words depends on the program that wrote it.
            book.genres = (line("Keywords") ?? "").split { $0 == "," || $0 == ";" }.map(String.init).clean.unique
        }
        let language = language.map(XMLText.clean).flatMap { $0.isEmpty ? nil : LanguageTag.normalized($0) ?? $0 }
        book.language = language ?? book.language
        return book
    }

    private static func read(_ xmp: [UInt8]) throws(AdapterError) -> XMLElement {
        // Packets are padded, often with more than the allowed white space.
        let end = xmp.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? xmp.count
        return try XMLReader.read(Array(xmp[..<end]), limits: BookDocument.limits)
    }

    /// Returns the root of a packet that can hold metadata; nil when it is unreadable or has no place for them.
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
        // A person with a role code is also listed as a creator or contributor.
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
    /// The list of identifiers with their types, as calibre writes it.
    private static let identifierList = XMLName("Identifier", in: "http://ns.adobe.com/xap/1.0/")

    private static func isbn(_ root: XMLElement) -> ISBN? {
        let stated = isbnNames.compactMap(root.property)
        let described = root.descendants(identifierList).flatMap { list in
            list.descendants(XMLName("value", in: rdf)).map(\.text)
        }
        return (stated + described).lazy.compactMap { ISBN($0) }.first
    }

    /// Returns a packet without its ISBNs.
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

    /// Returns the texts of the first element with that name in Dublin Core, at any depth.
    private static func items(_ local: String, in root: XMLElement) -> [String] {
        texts(root.descendant(XMLName(local, in: dublinCore)))
    }

    private static func texts(_ array: XMLElement?) -> [String] {
        array?.descendants(XMLName("li", in: rdf)).compactMap(\.text.meaningful) ?? []
    }

    /// Returns a number without unneeded zeros. calibre writes all numbers with a decimal point: "3.00" is "3", "3.50"
    /// is "3.5".
    static func plainNumber(_ text: String) -> String {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts.allSatisfy({ $0.allSatisfy(digits.contains) }) else {
            return text
        }
        // Not by a regular expression, which would search for the end of the zeros from each of them.
        let zeros = parts[1].reversed().prefix { $0 == digits.lowerBound }.count
        let fraction = parts[1].dropLast(zeros)
        return fraction.isEmpty ? "\(Substring(parts[0]))" : "\(Substring(parts[0])).\(Substring(fraction))"
    }
}

extension XMLElement {
    /// Returns the first descendant with that name, in document order.
    package func descendant(_ name: XMLName) -> XMLElement? {
        for element in elements {
            if element.name == name { return element }
            if let found = element.descendant(name) { return found }
        }
        return nil
    }

    /// Returns a simple property of XMP: an element with a text, or an attribute (ISO 16684-1, §7.9.2.2).
    func property(_ name: XMLName) -> String? {
        if self.name == name { return text.meaningful }
        if let value = attributes.first(where: { $0.name == name })?.value.meaningful { return value }
        return elements.lazy.compactMap { $0.property(name) }.first
    }

    /// Returns all descendants with that name, in document order, without matches inside another match.
    package func descendants(_ name: XMLName) -> [XMLElement] { descendants([name]) }

    /// Returns all descendants with one of several names, likewise.
    func descendants(_ names: Set<XMLName>) -> [XMLElement] {
        elements.flatMap { names.contains($0.name) ? [$0] : $0.descendants(names) }
    }
}
