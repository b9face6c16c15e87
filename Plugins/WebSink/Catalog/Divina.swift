internal import OrderedJSON

/// The file `divina.json`: a book's pages for programs that read comics over a network (Readium Web Publication Manifest, Divina
/// profile). The catalogs link to it.
///
/// A manifest has to contain its own complete address (§2.3), so only the books of a shelf with a known address have one. It does
/// not support parts of images: a cropped page is shown uncropped.
enum Divina {
    static let name = "divina.json"
    static let type = "application/divina+json"

    /// - Parameters:
    ///   - book: the contents of book.json.
    ///   - entry: the book on its shelf.
    ///   - address: the address of the shelf.
    static func file(of book: JSON, _ entry: ShelfEntry, at address: CatalogAddress) -> [UInt8] {
        var metadata = entry.webPublication
        metadata.append(("conformsTo", "https://readium.org/webpub-manifest/profiles/divina"))
        let pages = (book["pages"]?.elements ?? []).compactMap { page -> JSON? in
            guard let values = page.elements, values.count > 2, let file = values[0].asString else { return nil }
            return [
                "href": .string(WebLayout.page(file)), "type": .string(CatalogPage.type(of: file)), "width": values[1],
                "height": values[2],
            ]
        }
        let place = address.of(WebLayout.inShelf(entry.slug, name))
        let manifest: JSON = [
            "@context": "https://readium.org/webpub-manifest/context.jsonld", "metadata": .object(metadata),
            "links": [["rel": "self", "href": .string(place), "type": .string(type)]], "readingOrder": JSON(pages),
        ]
        return Array((ScriptText.ascii(manifest) + "\n").utf8)
    }
}
