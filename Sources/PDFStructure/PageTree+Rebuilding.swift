package import PageModel

extension PDFFile {
    /// Moves the pages of a damaged tree into one list. Other programs can then read it without endless loops.
    ///
    /// - Throws: `.damaged` for a missing page or an unchangeable list.
    package func rebuildPages(_ tree: PageTree) throws(AdapterError) {
        var pages: [PDFObject] = []
        for path in tree.paths {
            let node = try page(at: path)
            try copyInheritedValues(into: node)
            let own = node.page.reference
            // Another object would lose its meaning as a page.
            pages.append(own == nil || own == catalog.reference ? try repeated(node.page) : node.page)
        }
        // A new root, because the damaged one may be a page or a page's parent in another place.
        let root = try add(.dictionary(["Type": .name("Pages")]))
        for page in pages {
            try set("Parent", of: page, to: .reference(root))
            try set("Type", of: page, to: .name("Page"))
        }
        let references = pages.compactMap(\.reference)
        try set("Kids", of: object(root), to: .array(references.map { .reference($0) }))
        try set("Count", of: object(root), to: .integer(references.count))
        try set("Pages", of: catalog, to: .reference(root))
    }
}
