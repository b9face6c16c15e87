public import PageModel

extension PDFFile {
    /// Moves the pages of a damaged tree into one list. Other programs can then read it without endless loops.
    ///
    /// - Throws: `.damaged` for a missing page or an unchangeable list.
    public func rebuildPages(_ tree: PageTree) throws(AdapterError) {
        let root = catalog["Pages"]
        guard let parent = root.reference else {
            throw AdapterError(.damaged, "the PDF's list of pages cannot be changed")
        }
        var pages: [PDFObject] = []
        for path in tree.paths {
            let node = try page(at: path)
            try copyInheritedValues(into: node)
            pages.append(node.page.reference == nil ? try repeated(node.page) : node.page)
        }
        for page in pages { try set("Parent", of: page, to: .reference(parent)) }
        for key in PageNode.inheritable + ["Parent"] { try set(key, of: root, to: .null) }
        let references = pages.compactMap(\.reference)
        try set("Kids", of: root, to: .array(references.map { .reference($0) }))
        try set("Count", of: root, to: .integer(references.count))
    }
}
