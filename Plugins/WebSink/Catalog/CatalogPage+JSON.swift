internal import OrderedJSON

/// The page as an OPDS 2.0 feed.
extension CatalogPage {
    private static let openAccess = "http://opds-spec.org/acquisition/open-access"

    var json: [UInt8] {
        let links = links(Catalog.json).map { CatalogPage.link($0.relation, $0.address, CatalogPage.jsonType) }
        let feed: JSON = [
            "metadata": [
                "title": .string(title), "numberOfItems": .integer(bookCount), "itemsPerPage": .integer(booksPerPage),
                "currentPage": .integer(number),
            ],
            "links": JSON(links + [CatalogPage.link("alternate", address.of("index.html"), "text/html")]),
            "publications": JSON(books.map(publication)),
        ]
        return Array((ScriptText.ascii(feed) + "\n").utf8)
    }

    private func publication(_ book: ShelfEntry) -> JSON {
        let own = CatalogPage.link("self", inFolder(of: book, Divina.name), Divina.type)
        let files = acquisitions(of: book).map { CatalogPage.link(CatalogPage.openAccess, $0.address, $0.type) }
        let reader = book.files.isEmpty ? [] : [CatalogPage.link("alternate", reader(of: book), "text/html")]
        let names = book.pictures.map { $0.large == $0.small ? [$0.large] : [$0.large, $0.small] } ?? []
        let images = names.map { name -> JSON in
            ["href": .string(inFolder(of: book, name)), "type": .string(CatalogPage.type(of: name))]
        }
        return [
            "metadata": .object(book.webPublication), "links": JSON([own] + files + reader), "images": JSON(images),
        ]
    }

    private static func link(_ relation: String, _ address: String, _ type: String) -> JSON {
        ["rel": .string(relation), "href": .string(address), "type": .string(type)]
    }
}
