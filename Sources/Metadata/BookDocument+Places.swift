package import AdapterKit
package import PageModel
internal import PageNames

extension BookDocument {
    /// Moves pages whose names are words to their places: the cover to the beginning, the colophon to the end.
    ///
    /// A book keeps its order if a document describes its pages, because the document counts them by their names.
    ///
    /// - Parameters:
    ///   - pages: the pages in the order of their names. If the order changes, pages get new ids from 1.
    ///   - book: the metadata that the documents of the book state. It refers to pages by their ids.
    ///   - warnings: the warnings about the pages, renumbered with them. A changed order adds a note.
    package static func placeNamedPages(
        _ pages: inout [Page], of book: inout BookMetadata, warnings: inout [Warning]
    ) {
        guard book.outline.isEmpty, !warnings.contains(where: { $0.code == orderCode }),
            pages.allSatisfy({ $0.roles.isEmpty && !$0.isDoublePage }),
            let (order, named) = PageOrder.readingOrder(of: pages.map { PageName.file(of: $0.name) })
        else { return }
        let numbers = Dictionary(
            order.enumerated().map { (pages[$1].id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        var files: Set<String> = []
        let places = named.filter { files.insert(PageName.file(of: pages[$0].name)).inserted }.compactMap { old in
            numbers[pages[old].id].map { (PageName.file(of: pages[old].name), $0) }
        }.sorted { $0.1 < $1.1 }
        let listed = places.prefix(maximumListed).map { name, number -> Message in "\(name) is page \(number)" }
        warnings = renumbered(warnings, order)
        warnings.append(
            Warning(
                code: orderCode,
                message: "placed pages by the words in their names: \(listed.joined(separator: ", "))"
                    + (places.count > maximumListed ? ", …" : ""),
                hint: "number the files to change that", isNote: true
            ).shared("placed pages by the words in their names"))
        pages = order.enumerated().map { pages[$1].renamed(pages[$1].name, id: $0 + 1) }
        for index in book.documents.indices {
            book.documents[index].pages = book.documents[index].pages.map { numbers[$0] ?? $0 }
        }
    }

    private static let maximumListed = 4
}
