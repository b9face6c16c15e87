public import PageModel

/// Writes what is known about a book as an XMP packet (ISO 16684-1): in the terms of Dublin Core, with the series as calibre
/// has it and people's roles by their codes (`MARCRelator`).
public enum XMPPacket {
    /// The packet, without a date and without room to write in.
    ///
    /// - Parameter old: a packet in which this takes the place of what it says in the same terms; one that cannot be read,
    ///   or is empty, is given up.
    /// - Returns: nil when there is nothing to say.
    public static func bytes(of book: BookMetadata, changing old: [UInt8] = []) -> [UInt8]? {
        var facts: [XMLElement] = []
        var namespaces = [XMLNamespace(prefix: "dc", uri: XMPMetadata.dublinCore)]
        func say(_ name: String, _ kind: String, _ texts: [String], _ attributes: [XMLAttribute] = []) {
            let name = XMLName(name, in: XMPMetadata.dublinCore, prefix: "dc")
            facts += list(name, kind, texts.map(XMLText.clean), attributes)
        }
        // A title has a language, which need not be the book's.
        let language = XMLAttribute(XMLName("lang", prefix: "xml"), "x-default")
        say("title", "Alt", [book.title].compactMap { $0 }, [language])
        let summary = book.summary.flatMap { PlainText.clean($0) }
        facts += list(
            XMLName("description", in: XMPMetadata.dublinCore, prefix: "dc"), "Alt", [summary].compactMap { $0 },
            [language])
        say("subject", "Bag", book.subjects)
        let authors = book.credits.names(Set(CreatorRole.allCases.filter(\.isAuthor)))
        say("creator", "Seq", authors)
        say("contributor", "Bag", book.credits.names(Set(CreatorRole.allCases)).filter { !authors.contains($0) })
        say("publisher", "Bag", [book.publisher].compactMap { $0 })
        say("date", "Seq", [book.date?.description].compactMap { $0 })
        say("language", "Bag", [book.language.map { LanguageTag.normalized($0) ?? $0 }].compactMap { $0 })
        // That a creator is an author and a contributor something else goes without saying.
        let roles = Dictionary(grouping: book.credits.unique, by: \.name).values.map { $0.map(\.role) }
        if roles.contains(where: { $0 != [.author] && $0 != [.other] }) {
            namespaces.append(XMLNamespace(prefix: "marcrel", uri: MARCRelator.namespace))
            for role in CreatorRole.allCases {
                let name = XMLName(MARCRelator.code(for: role), in: MARCRelator.namespace, prefix: "marcrel")
                facts += list(name, "Bag", book.credits.names([role]).map(XMLText.clean))
            }
        }
        if let series = book.series.map(XMLText.clean), !series.isEmpty {
            namespaces += [
                XMLNamespace(prefix: "calibre", uri: XMPMetadata.calibre),
                XMLNamespace(prefix: "calibreSI", uri: XMPMetadata.calibreIndex),
            ]
            facts.append(element(for: series, number: book.number.map(XMLText.clean) ?? ""))
        }
        return facts.isEmpty ? nil : packet(facts, namespaces, XMPMetadata.root(of: old))
    }

    /// An array of clean texts, as a list of one element or none.
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

    /// - Parameter old: the root of the packet in which these facts are to stand.
    private static func packet(
        _ facts: [XMLElement], _ namespaces: [XMLNamespace], _ old: XMLElement?
    ) -> [UInt8] {
        let description = XMLElement(
            XMLName("Description", in: XMPMetadata.rdf, prefix: "rdf"),
            attributes: [XMLAttribute(XMLName("about", in: XMPMetadata.rdf, prefix: "rdf"), "")],
            namespaces: namespaces + [XMLNamespace(prefix: "rdf", uri: XMPMetadata.rdf)],
            nodes: facts.map { .element($0) })
        let root = XMLElement(
            XMLName("RDF", in: XMPMetadata.rdf, prefix: "rdf"),
            namespaces: [XMLNamespace(prefix: "rdf", uri: XMPMetadata.rdf)])
        let meta = XMLElement(
            XMLName("xmpmeta", in: "adobe:ns:meta/", prefix: "x"),
            namespaces: [XMLNamespace(prefix: "x", uri: "adobe:ns:meta/")], nodes: [.element(root)])
        let document = (old ?? meta).describing(description).document.drop { $0 != UInt8(ascii: "\n") }
        return Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8) + document
            + Array("<?xpacket end=\"r\"?>\n".utf8)
    }
}

extension XMLElement {
    private static let said: Set<XMLName> = Set(
        ["title", "description", "subject", "creator", "contributor", "publisher", "date", "language"].map {
            XMLName($0, in: XMPMetadata.dublinCore)
        } + [XMLName("series", in: XMPMetadata.calibre)]
            + CreatorRole.allCases.map { XMLName(MARCRelator.code(for: $0), in: MARCRelator.namespace) })

    /// The packet with a description at the end of its `rdf:RDF`, and without what others say in the same terms.
    fileprivate func describing(_ description: XMLElement) -> XMLElement {
        var copy = self
        let isList = name == XMLName("RDF", in: XMPMetadata.rdf)
        copy.nodes = nodes.compactMap { node in
            guard case .element(var element) = node else { return node }
            if isList {
                element.nodes.removeAll {
                    if case .element(let fact) = $0 { XMLElement.said.contains(fact.name) } else { false }
                }
                return .element(element)
            }
            return .element(element.describing(description))
        }
        if isList { copy.nodes.append(.element(description)) }
        return copy
    }
}
