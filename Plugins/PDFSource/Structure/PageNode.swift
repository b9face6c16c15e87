/// A page's dictionary, with what it inherits from the nodes above it (ISO 32000-1, table 30).
struct PageNode {
    let page: PDFObject
    private var inherited: [String: PDFObject] = [:]

    private static let inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"]

    /// - Parameter catalog: the document's root dictionary.
    init(_ catalog: PDFObject, at path: PageTree.Path) {
        var node = catalog["Pages"]
        for index in path {
            for key in PageNode.inheritable {
                let value = node[key]
                if !value.isNull { inherited[key] = value }
            }
            node = node["Kids"].item(index)
        }
        page = node
    }

    /// The value of a key; null when neither the page nor, for some keys, a node above has it.
    subscript(key: String) -> PDFObject {
        let own = page[key]
        return own.isNull ? inherited[key] ?? own : own
    }
}
