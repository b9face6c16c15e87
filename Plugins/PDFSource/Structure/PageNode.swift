internal import AdapterKit

/// A page's dictionary, with what it inherits from the nodes above it (ISO 32000-1, table 30).
struct PageNode {
    let page: PDFObject
    private let inherited: [String: PDFObject]

    private static let inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"]

    /// - Parameter catalog: the document's root dictionary.
    /// - Throws: `.damaged` when something else is there.
    init(_ catalog: PDFObject, at path: PageTree.Path) throws(AdapterError) {
        var node = catalog["Pages"]
        var inherited: [String: PDFObject] = [:]
        func enter(_ index: Int) {
            for key in PageNode.inheritable {
                let value = node[key]
                if !value.isNull { inherited[key] = value }
            }
            node = node["Kids"].item(index)
        }
        for index in path { enter(index) }
        // Where the tree was not read to its leaves, a node may be in the place of its only page.
        var depth = path.count
        while node.kind == .dictionary, !PageTree.isPage(node), node["Kids"].count == 1, depth < PageTree.deepest {
            enter(0)
            depth += 1
        }
        guard node.kind == .dictionary, PageTree.isPage(node) else {
            throw AdapterError(.damaged, "it is missing in the file")
        }
        page = node
        self.inherited = inherited
    }

    /// The value of a key; null when neither the page nor, for some keys, a node above has it.
    subscript(key: String) -> PDFObject {
        let own = page[key]
        return own.isNull ? inherited[key] ?? own : own
    }
}
