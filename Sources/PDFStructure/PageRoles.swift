package import PageModel

/// The page types of a PDF.
///
/// PDF has no standard words for them. They are stored in ComicInfo's words, with a reference to each page. Their place
/// is jisui's own part of the catalog's page-piece dictionary (ISO 32000-1, 14.5), which viewers ignore. References
/// stay valid when pages are moved.
package enum PageRoles {
    /// The maximum number of entries, more than any document has.
    private static let maximumEntries = 100_000

    /// Returns the page types in a document. Their keys are the pages' numbers, from 1.
    ///
    /// - Parameters:
    ///   - catalog: the document's root dictionary.
    ///   - pageNumbers: the numbers of pages. They begin at 1, and their keys are the references: `PageTree.numbers`.
    package static func roles(_ catalog: PDFObject, pageNumbers: [PDFReference: Int]) -> [Int: [PageRole]] {
        let list = catalog["PieceInfo"][PDFFile.privateOwner]["Private"]["PageRoles"]
        var found: [Int: [PageRole]] = [:]
        for index in stride(from: 0, to: min(list.count, maximumEntries) - 1, by: 2) {
            guard let page = list.item(index).reference.flatMap({ pageNumbers[$0] }) else { continue }
            let roles = list.item(index + 1).items.prefix(PageRole.allCases.count).compactMap { role in
                role.name.flatMap(PageRole.init)
            }
            if !roles.isEmpty { found[page] = roles }
        }
        return found
    }
}

extension PDFFile {
    /// Sets the page types, replacing existing ones.
    ///
    /// - Parameter roles: the types of each page, in order. Pages without types get no entry.
    /// - Throws: `outOfMemory`.
    package func setPageRoles(_ roles: [(page: PDFReference, roles: [PageRole])]) throws(AdapterError) {
        let stated = roles.filter { !$0.roles.isEmpty }
        let list = stated.flatMap { page, roles in
            [PDFValue.reference(page), .array(roles.map { .name($0.rawValue) })]
        }
        try setPrivate("PageRoles", to: stated.isEmpty ? .null : .array(list))
    }
}
