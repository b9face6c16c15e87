public import PageModel

/// Writes what is known about a book as an XMP packet (ISO 16684-1), in the terms of Dublin Core.
public enum XMPPacket {
    /// The packet, without a date and without room to write in.
    ///
    /// - Returns: nil when there is nothing to say.
    public static func bytes(of book: BookMetadata) -> [UInt8]? {
        let dublinCore = "http://purl.org/dc/elements/1.1/"
        let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        func list(_ name: String, _ kind: String, _ texts: [String], _ attributes: [XMLAttribute] = []) -> XMLElement {
            let items = texts.map { text in
                var item = XMLElement(XMLName("li", in: rdf, prefix: "rdf"), text: XMLText.clean(text))
                item.attributes = attributes
                return XMLElement.Node.element(item)
            }
            let array = XMLElement(XMLName(kind, in: rdf, prefix: "rdf"), nodes: items)
            return XMLElement(XMLName(name, in: dublinCore, prefix: "dc"), nodes: [.element(array)])
        }
        var facts: [XMLElement] = []
        if let title = book.title {
            // A title has a language, which need not be the book's.
            let language = XMLAttribute(XMLName("lang", prefix: "xml"), "x-default")
            facts.append(list("title", "Alt", [title], [language]))
        }
        if !book.authors.isEmpty { facts.append(list("creator", "Seq", book.authors)) }
        if let publisher = book.publisher { facts.append(list("publisher", "Bag", [publisher])) }
        if let date = book.date { facts.append(list("date", "Seq", [date.description])) }
        if let language = book.language { facts.append(list("language", "Bag", [language])) }
        guard !facts.isEmpty else { return nil }
        let description = XMLElement(
            XMLName("Description", in: rdf, prefix: "rdf"),
            attributes: [XMLAttribute(XMLName("about", in: rdf, prefix: "rdf"), "")],
            namespaces: [XMLNamespace(prefix: "dc", uri: dublinCore)], nodes: facts.map { .element($0) })
        let root = XMLElement(
            XMLName("RDF", in: rdf, prefix: "rdf"), namespaces: [XMLNamespace(prefix: "rdf", uri: rdf)],
            nodes: [.element(description)])
        let meta = XMLElement(
            XMLName("xmpmeta", in: "adobe:ns:meta/", prefix: "x"),
            namespaces: [XMLNamespace(prefix: "x", uri: "adobe:ns:meta/")], nodes: [.element(root)])
        let document = meta.document.drop { $0 != UInt8(ascii: "\n") }
        return Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8) + document
            + Array("<?xpacket end=\"r\"?>\n".utf8)
    }
}
