package import PageModel

extension PDFFile {
    /// Removes the outline items of removed pages. An item with remaining children stays without a target.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of all pages. They begin at 1, and their keys are the references: `PageTree.numbers`.
    ///   - kept: the numbers of the kept pages.
    /// - Throws: `outOfMemory`.
    package func pruneOutline(
        _ numbers: [PDFReference: Int], keeping kept: Set<Int>
    ) throws(AdapterError) {
        let root = catalog["Outlines"]
        guard root.kind == .dictionary else { return }
        var pruning = OutlinePruning(file: self, reader: OutlineReader(catalog, pageNumbers: numbers), kept: kept)
        if try pruning.prune(root, depth: 0) { return }
        try set("Outlines", of: catalog, to: .null)
        if catalog["PageMode"].name == "UseOutlines" { try set("PageMode", of: catalog, to: .null) }
    }
}

private struct OutlinePruning {
    let file: PDFFile
    var reader: OutlineReader
    let keptPages: Set<Int>
    private var seen: Set<PDFReference> = []

    init(file: PDFFile, reader: OutlineReader, kept: Set<Int>) {
        self.file = file
        self.reader = reader
        keptPages = kept
    }

    /// Prunes the items below a node.
    ///
    /// - Returns: whether any remain.
    mutating func prune(_ parent: PDFObject, depth: Int) throws(AdapterError) -> Bool {
        var kept: [PDFObject] = []
        var isChanged = false
        var next = parent["First"]
        while next.kind == .dictionary, let reference = next.reference, seen.insert(reference).inserted {
            let node = next
            next = node["Next"]
            let originallyHadChildren = node["First"].kind == .dictionary
            // Deeper items are invisible.
            var hasChildren = originallyHadChildren
            if originallyHadChildren, depth <= 32 { hasChildren = try prune(node, depth: depth + 1) }
            let page = reader.page(of: node)
            let leads = page.map(keptPages.contains)
            if leads ?? (!originallyHadChildren) || hasChildren {
                kept.append(node)
                if leads == false {
                    try file.set("Dest", of: node, to: .null)
                    try file.set("A", of: node, to: .null)
                }
            } else {
                isChanged = true
            }
        }
        if isChanged { try link(kept, below: parent) }
        return !kept.isEmpty
    }

    private func link(_ nodes: [PDFObject], below parent: PDFObject) throws(AdapterError) {
        let references = nodes.map { $0.reference.map { PDFValue.reference($0) } ?? .null }
        try file.set("First", of: parent, to: references.first ?? .null)
        try file.set("Last", of: parent, to: references.last ?? .null)
        // Below the root, a negative count means closed.
        let isRoot = parent["Title"].isNull
        try file.set(
            "Count", of: parent, to: nodes.isEmpty ? .null : .integer(isRoot ? nodes.count : -nodes.count))
        for (index, node) in nodes.enumerated() {
            try file.set("Prev", of: node, to: index > 0 ? references[index - 1] : .null)
            try file.set("Next", of: node, to: index + 1 < nodes.count ? references[index + 1] : .null)
        }
    }
}
