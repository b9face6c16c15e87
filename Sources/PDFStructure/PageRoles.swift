public import AdapterKit
public import PageModel

/// What the pages of a PDF are for.
///
/// PDF has no words for it. They stand in ComicInfo's, with a reference to each page, in jisui's own part of the catalog's
/// page-piece dictionary (ISO 32000-1, 14.5), which viewers pass over; references follow pages wherever they go.
public enum PageRoles {
    /// More than any page has.
    private static let most = 100_000

    /// What a document says, by the pages' numbers, from 1.
    ///
    /// - Parameters:
    ///   - catalog: the document's root dictionary.
    ///   - pageNumbers: the numbers of pages, from 1, by their references: `PageTree.numbers`.
    public static func roles(_ catalog: PDFObject, pageNumbers: [PDFReference: Int]) -> [Int: [PageRole]] {
        let list = catalog["PieceInfo"][PDFFile.privateOwner]["Private"]["PageRoles"]
        var found: [Int: [PageRole]] = [:]
        for index in stride(from: 0, to: min(list.count, most) - 1, by: 2) {
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
    /// Says what pages are for, in the place of what is said of it already.
    ///
    /// - Parameter roles: of each page, in order; of those without any nothing is said.
    /// - Throws: `outOfMemory`.
    public func setPageRoles(_ roles: [(page: PDFReference, roles: [PageRole])]) throws(AdapterError) {
        let said = roles.filter { !$0.roles.isEmpty }
        let list = said.flatMap { page, roles in
            [PDFValue.reference(page), .array(roles.map { .name($0.rawValue) })]
        }
        try setPrivate("PageRoles", to: said.isEmpty ? .null : .array(list))
    }
}
