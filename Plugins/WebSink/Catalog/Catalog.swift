internal import Files
internal import PageModel
internal import PageNames

/// The catalogs of a shelf, to which reading apps subscribe.
///
/// They are OPDS 1.2, which is Atom, and OPDS 2.0, which is JSON (<https://specs.opds.io/opds-1.2>,
/// <https://drafts.opds.io/opds-2.0>). Both list all books by series and title, in pages of a hundred. The same books give the
/// same bytes: the date of the last change is the book's date of publication. A book of other pages has another id.
struct Catalog {
    static let atom = "opds.xml"
    static let json = "opds.json"
    private static let booksPerPage = 100

    /// The links from the shelf's document to its catalogs.
    static let links = [(address: atom, type: CatalogPage.atomType), (address: json, type: CatalogPage.jsonType)]

    /// All files by name; none without an address.
    let files: [(name: String, bytes: [UInt8])]

    init(_ entries: [ShelfEntry], title: String, at address: CatalogAddress?) {
        guard let address else {
            files = []
            return
        }
        let sorted = PageOrder.sorted(entries) {
            [$0.series, $0.number, $0.title].compactMap(\.self).joined(separator: " ")
        }
        let count = max(1, (sorted.count + Catalog.booksPerPage - 1) / Catalog.booksPerPage)
        files = (1...count).flatMap { number in
            let books = sorted.dropFirst((number - 1) * Catalog.booksPerPage).prefix(Catalog.booksPerPage)
            let page = CatalogPage(
                title: title, number: number, count: count, bookCount: sorted.count,
                booksPerPage: Catalog.booksPerPage, books: Array(books), address: address)
            return [(page.name(Catalog.atom), page.atom), (page.name(Catalog.json), page.json)]
        }
    }

    /// Whether a file of a shelf's own folder is a page of a catalog.
    static func isOurs(_ name: String) -> Bool {
        [atom, json].contains(name)
            || name.wholeMatch(of: /opds-[0-9]+\.(xml|json)/) != nil
    }
}

/// A page of the catalogs.
struct CatalogPage {
    static let atomType = "application/atom+xml;profile=opds-catalog;kind=acquisition"
    static let jsonType = "application/opds+json"

    let title: String
    /// The number of the page, from 1.
    let number: Int
    let count: Int
    /// The number of books on all pages.
    let bookCount: Int
    let booksPerPage: Int
    let books: [ShelfEntry]
    let address: CatalogAddress

    /// Returns the name of a page, given the name of the first: "opds-2.xml".
    func name(_ first: String, of number: Int) -> String {
        guard number > 1, let dot = first.firstIndex(of: ".") else { return first }
        return "\(first[..<dot])-\(number)\(first[dot...])"
    }

    func name(_ first: String) -> String { name(first, of: number) }

    /// Returns the addresses of this page and the others, by their relations (RFC 5005, §3).
    func links(_ first: String) -> [(relation: String, address: String)] {
        var links = [("self", name(first)), ("start", first)]
        if count > 1 {
            links += [("first", first), ("last", name(first, of: count))]
            if number > 1 { links.append(("previous", name(first, of: number - 1))) }
            if number < count { links.append(("next", name(first, of: number + 1))) }
        }
        return links.map { ($0, address.of($1)) }
    }

    /// Returns the addresses of a book, and their formats.
    func acquisitions(of book: ShelfEntry) -> [(address: String, type: String, byteCount: Int?)] {
        let files = book.files.map { file -> (address: String, type: String, byteCount: Int?) in
            (inFolder(of: book, file.name), CatalogPage.type(of: file.name), file.byteCount)
        }
        return files.isEmpty ? [(reader(of: book), "text/html", nil)] : files
    }

    /// Returns the address of the book in the shelf's web reader.
    func reader(of book: ShelfEntry) -> String { address.of("index.html#b=\(book.id)") }

    func inFolder(of book: ShelfEntry, _ name: String) -> String { address.of(WebLayout.inShelf(book.slug, name)) }

    static func type(of name: String) -> String {
        switch FileName.extension(of: name) {
        case "cbz": "application/vnd.comicbook+zip"
        case "epub": "application/epub+zip"
        case "pdf": "application/pdf"
        case let other: (ImageEncoding(fileExtension: other) ?? .jpeg).mediaType
        }
    }
}
