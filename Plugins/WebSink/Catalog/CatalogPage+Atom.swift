internal import Imaging
internal import Metadata
internal import PageModel

/// The page as an OPDS 1.2 acquisition feed: Atom (RFC 4287) with terms of Dublin Core.
extension CatalogPage {
    private static let atomNamespace = "http://www.w3.org/2005/Atom"
    private static let dublinCore = "http://purl.org/dc/terms/"
    private static let schema = "http://schema.org/"
    private static let openSearch = "http://a9.com/-/spec/opensearch/1.1/"
    private static let relations = "http://opds-spec.org/"

    var atom: [UInt8] {
        var elements = [
            element("id", UniqueName.urn(of: SHA256.hexDigest(of: Array("OPDS \(address.text)".utf8)))),
            element("title", title), element("updated", books.map(CatalogPage.updated).max() ?? CatalogPage.never),
            // Every entry has an author, even if only the feed's.
            XMLElement("author", nodes: [.element(element("name", "jisui"))]),
        ]
        elements += links(Catalog.atom).map { CatalogPage.link($0.relation, $0.address, CatalogPage.atomType) }
        elements.append(CatalogPage.link("alternate", address.of("index.html"), "text/html"))
        for (name, value) in [("totalResults", bookCount), ("itemsPerPage", booksPerPage)] {
            elements.append(
                XMLElement(XMLName(name, in: CatalogPage.openSearch, prefix: "opensearch"), text: String(value)))
        }
        elements += books.map(entry)
        let feed = XMLElement(
            "feed",
            namespaces: [
                XMLNamespace(prefix: nil, uri: CatalogPage.atomNamespace),
                XMLNamespace(prefix: "dc", uri: CatalogPage.dublinCore),
                XMLNamespace(prefix: "schema", uri: CatalogPage.schema),
                XMLNamespace(prefix: "opensearch", uri: CatalogPage.openSearch),
            ], nodes: elements.map(XMLElement.Node.element))
        return feed.document
    }

    private func entry(_ book: ShelfEntry) -> XMLElement {
        var elements = [
            element("title", book.title), element("id", book.urn), element("updated", CatalogPage.updated(book)),
        ]
        elements += book.authors.map { XMLElement("author", nodes: [.element(element("name", $0))]) }
        func term(_ name: String, _ value: String?) {
            guard let value else { return }
            elements.append(XMLElement(XMLName(name, in: CatalogPage.dublinCore, prefix: "dc"), text: value))
        }
        term("identifier", book.isbn?.urn)
        term("language", book.language)
        term("publisher", book.publisher)
        term("issued", book.date?.description)
        if let series = book.series {
            // OPDS 1.2 has no element for it; servers and apps use schema.org's.
            var part = XMLElement(XMLName("Series", in: CatalogPage.schema, prefix: "schema"))
            part[XMLName("name", in: CatalogPage.schema, prefix: "schema")] = series
            part[XMLName("position", in: CatalogPage.schema, prefix: "schema")] = book.number
            elements.append(part)
        }
        for subject in book.subjects {
            var category = XMLElement("category", attributes: [XMLAttribute("term", subject)], nodes: [])
            category["label"] = subject
            elements.append(category)
        }
        if let summary = book.summary { elements.append(element("summary", summary)) }
        if let rights = book.rights { elements.append(element("rights", rights)) }
        let series = book.series.map { [$0, book.number].compactMap(\.self).joined(separator: " ") }
        let pages = book.pageCount == 1 ? "1 page" : "\(book.pageCount) pages"
        var content = element("content", [series, pages].compactMap(\.self).joined(separator: ", "))
        content["type"] = "text"
        elements.append(content)
        if let pictures = book.pictures {
            for (relation, name) in [("image", pictures.large), ("image/thumbnail", pictures.small)] {
                elements.append(
                    CatalogPage.link(
                        CatalogPage.relations + relation, inFolder(of: book, name), CatalogPage.type(of: name)))
            }
        }
        for file in acquisitions(of: book) {
            var link = CatalogPage.link(CatalogPage.relations + "acquisition/open-access", file.address, file.type)
            link["length"] = file.byteCount.map(String.init)
            elements.append(link)
        }
        if !book.files.isEmpty { elements.append(CatalogPage.link("alternate", reader(of: book), "text/html")) }
        return XMLElement("entry", nodes: elements.map(XMLElement.Node.element))
    }

    /// The time for an unknown change: Atom requires one (RFC 4287, §4.2.15), and the same books are to give the same bytes.
    private static let never = "1970-01-01T00:00:00Z"

    private static func updated(_ book: ShelfEntry) -> String {
        book.day.map { "\($0)T00:00:00Z" } ?? never
    }

    private func element(_ name: String, _ text: String) -> XMLElement { XMLElement(XMLName(name), text: text) }

    private static func link(_ relation: String, _ address: String, _ type: String) -> XMLElement {
        XMLElement(
            "link",
            attributes: [
                XMLAttribute("rel", relation), XMLAttribute("href", address), XMLAttribute("type", type),
            ])
    }
}
