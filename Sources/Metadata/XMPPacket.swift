package import PageModel

/// A writer for the metadata of a book as an XMP packet (ISO 16684-1). It uses Dublin Core, calibre's series properties
/// and role codes (`MARCRelator`).
package enum XMPPacket {
    /// Returns the packet, without a date and without padding.
    ///
    /// - Parameters:
    ///   - old: a packet to update. It is discarded if it is unreadable or empty.
    ///   - known: the metadata of the document with the old packet. It is nil if the packet is separate.
    /// - Returns: nil without metadata.
    package static func bytes(of book: BookMetadata, changing old: [UInt8] = [], in known: BookMetadata? = nil)
        -> [UInt8]?
    {
        var oldRoot = XMPMetadata.root(of: old)
        let before = oldRoot == nil ? BookMetadata() : known ?? XMPMetadata(xmp: old).book
        var facts: [XMLElement] = []
        var replaced: Set<XMLName> = []
        // Unchanged values stay in their own words, because they may be in several languages.
        func setField(
            _ local: String, _ kind: String, _ texts: [String], ifNot known: Bool, _ attributes: [XMLAttribute] = []
        ) {
            if known { return }
            let name = XMLName(local, in: XMPMetadata.dublinCore, prefix: "dc")
            replaced.insert(name)
            facts += list(name, kind, texts, attributes)
        }
        // A title has a language, which may differ from the book's.
        let language = XMLAttribute(XMLName("lang", prefix: "xml"), "x-default")
        setField("title", "Alt", [book.title].clean, ifNot: book.title == before.title, [language])
        let summary = book.summary.flatMap { PlainText.clean($0) }
        setField(
            "description", "Alt", [summary].compactMap { $0.map(PlainText.perhapsHTML) },
            ifNot: summary == before.summary, [language])
        setField("subject", "Bag", book.subjects.clean, ifNot: book.subjects == before.subjects)
        setField("publisher", "Bag", [book.publisher].clean, ifNot: book.publisher == before.publisher)
        setField("date", "Seq", [book.date?.description].compactMap { $0 }, ifNot: book.date == before.date)
        setField("rights", "Alt", [book.rights].clean, ifNot: book.rights == before.rights, [language])
        if book.isbn != before.isbn {
            let name = XMLName("isbn", in: XMPMetadata.prism, prefix: "prism")
            replaced.insert(name)
            // Several properties may state it, and they would contradict the new value.
            oldRoot = oldRoot.map { XMPMetadata.withoutISBN($0) }
            if let isbn = book.isbn { facts.append(XMLElement(name, text: isbn.description)) }
        }
        let tag = book.language.map { LanguageTag.normalized($0) ?? $0 }
        setField("language", "Bag", [tag].clean, ifNot: tag == before.language)
        if Set(book.credits) != Set(before.credits) || book.authors != before.authors {
            let authors = book.authors
            let known = Set(authors)
            setField("creator", "Seq", authors.clean, ifNot: false)
            setField(
                "contributor", "Bag",
                book.credits.names(Set(CreatorRole.allCases)).filter { !known.contains($0) }.clean, ifNot: false)
            // A creator who is an author, or a contributor with another role, needs no further role property.
            let roles = Dictionary(grouping: book.credits.unique, by: \.name).values.map { $0.map(\.role) }
            let areStated = roles.contains { $0 != [.author] && $0 != [.other] }
            for role in CreatorRole.allCases {
                let name = XMLName(MARCRelator.code(for: role), in: MARCRelator.namespace, prefix: "marcrel")
                replaced.insert(name)
                if areStated { facts += list(name, "Bag", book.credits.names([role]).clean) }
            }
        }
        if book.series != before.series || book.number != before.number {
            replaced.insert(XMLName("series", in: XMPMetadata.calibre))
            if let series = book.series.map(XMLText.clean), !series.isEmpty {
                facts.append(element(for: series, number: book.number.map(XMLText.clean) ?? ""))
            }
        }
        return replaced.isEmpty || facts.isEmpty && oldRoot == nil ? nil : packet(facts, oldRoot, without: replaced)
    }

    /// The namespaces of the metadata, by their prefixes.
    private static let uris = [
        "dc": XMPMetadata.dublinCore, "marcrel": MARCRelator.namespace, "calibre": XMPMetadata.calibre,
        "calibreSI": XMPMetadata.calibreIndex, "prism": XMPMetadata.prism,
    ]

    /// Returns an array of clean texts, as a list of one element or none.
    private static func list(
        _ name: XMLName, _ kind: String, _ texts: [String], _ attributes: [XMLAttribute] = []
    ) -> [XMLElement] {
        let items = texts.filter { !$0.isEmpty }.map { text in
            var item = XMLElement(XMLName("li", in: XMPMetadata.rdf, prefix: "rdf"), text: text)
            item.attributes = attributes
            return XMLElement.Node.element(item)
        }
        if items.isEmpty { return [] }
        let array = XMLElement(XMLName(kind, in: XMPMetadata.rdf, prefix: "rdf"), nodes: items)
        return [XMLElement(name, nodes: [.element(array)])]
    }

    private static func element(for series: String, number: String) -> XMLElement {
        var parts = [XMLElement(XMLName("value", in: XMPMetadata.rdf, prefix: "rdf"), text: series)]
        if !number.isEmpty {
            let name = XMLName("series_index", in: XMPMetadata.calibreIndex, prefix: "calibreSI")
            parts.append(XMLElement(name, text: number))
        }
        return XMLElement(
            XMLName("series", in: XMPMetadata.calibre, prefix: "calibre"),
            attributes: [XMLAttribute(XMLName("parseType", in: XMPMetadata.rdf, prefix: "rdf"), "Resource")],
            nodes: parts.map { .element($0) })
    }

    /// - Parameters:
    ///   - old: the root of the packet that will contain the metadata. It may be nil.
    ///   - replaced: the terms that are removed.
    private static func packet(_ facts: [XMLElement], _ old: XMLElement?, without replaced: Set<XMLName>) -> [UInt8] {
        let prefixes = Set((facts + facts.flatMap(\.elements)).compactMap(\.name.prefix)).subtracting(["rdf"]).sorted()
        let namespaces = prefixes.compactMap { prefix in
            uris[prefix].map { XMLNamespace(prefix: prefix, uri: $0) }
        }
        let description = XMLElement(
            XMLName("Description", in: XMPMetadata.rdf, prefix: "rdf"),
            attributes: [XMLAttribute(XMLName("about", in: XMPMetadata.rdf, prefix: "rdf"), "")],
            namespaces: namespaces + [XMLNamespace(prefix: "rdf", uri: XMPMetadata.rdf)],
            nodes: facts.map { .element($0) })
        let list = XMLElement(
            XMLName("RDF", in: XMPMetadata.rdf, prefix: "rdf"),
            namespaces: [XMLNamespace(prefix: "rdf", uri: XMPMetadata.rdf)])
        let meta = XMLElement(
            XMLName("xmpmeta", in: "adobe:ns:meta/", prefix: "x"),
            namespaces: [XMLNamespace(prefix: "x", uri: "adobe:ns:meta/")], nodes: [.element(list)])
        var root = (old ?? meta).replacing(replaced, by: facts.isEmpty ? nil : description)
        if ArchivalClaim(root) != nil { root = root.declaring(facts) }
        return wrapped(root)
    }

    /// Returns a packet with a root.
    static func wrapped(_ root: XMLElement) -> [UInt8] {
        let document = root.document.drop { $0 != UInt8(ascii: "\n") }
        return Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8) + document
            + Array("<?xpacket end=\"r\"?>\n".utf8)
    }
}

extension XMLElement {
    /// Returns the packet without some terms, and with a description at the end of its `rdf:RDF`.
    fileprivate func replacing(_ terms: Set<XMLName>, by description: XMLElement?) -> XMLElement {
        var copy = self
        let isList = name == XMLName("RDF", in: XMPMetadata.rdf)
        copy.nodes = nodes.compactMap { node in
            guard case .element(var element) = node else { return node }
            if isList {
                element.nodes.removeAll { if case .element(let fact) = $0 { terms.contains(fact.name) } else { false } }
                return .element(element)
            }
            return .element(element.replacing(terms, by: description))
        }
        if isList, let description { copy.nodes.append(.element(description)) }
        return copy
    }
}
