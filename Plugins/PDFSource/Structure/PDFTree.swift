/// The name and number trees of PDF (ISO 32000-1, 7.9.6 and 7.9.7).
enum PDFTree {
    /// Calls `body` with every key and value below `root`. Loops and depth are bounded.
    ///
    /// - Parameter key: "Nums" for a number tree, "Names" for a name tree.
    static func walk(_ root: PDFObject, key: String, _ body: (PDFObject, PDFObject) -> Void) {
        var seen: Set<PDFReference> = []
        var nodes = [root]
        while let node = nodes.popLast(), seen.count < 100_000 {
            if let reference = node.reference, !seen.insert(reference).inserted { continue }
            let pairs = node[key].items
            for index in stride(from: 0, to: pairs.count - 1, by: 2) { body(pairs[index], pairs[index + 1]) }
            nodes.append(contentsOf: node["Kids"].items.reversed())
        }
    }
}
