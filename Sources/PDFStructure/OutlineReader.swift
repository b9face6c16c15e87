package import PageModel

/// A reader of a PDF's outline (ISO 32000-1, 12.3.3).
package struct OutlineReader {
    private let catalog: PDFObject
    private var destinations: Destinations

    /// The maximum number of items, more than any table of contents has; a damaged outline may contain a cycle.
    private static let maximumItems = 20_000
    /// The maximum length in bytes.
    private static let maximumTitleBytes = 4096

    /// - Parameters:
    ///   - catalog: the document's root dictionary.
    ///   - pageNumbers: the numbers of pages, from 1, by their references: `PageTree.numbers`.
    package init(_ catalog: PDFObject, pageNumbers: [PDFReference: Int]) {
        self.catalog = catalog
        destinations = Destinations(catalog, pageNumbers: pageNumbers)
    }

    /// Returns the items of the outline from top to bottom.
    ///
    /// - Parameter place: returns the position of a destination on its page as shown.
    package mutating func items(place: (PDFDestination) -> PagePoint?) -> [OutlineItem] {
        var seen: Set<PDFReference> = []
        var found: [OutlineItem] = []
        var pending: [(node: PDFObject, level: Int)] = [(catalog["Outlines"]["First"], 0)]
        while let (node, level) = pending.popLast(), found.count < OutlineReader.maximumItems {
            guard node.kind == .dictionary else { continue }
            if let reference = node.reference, !seen.insert(reference).inserted { continue }
            pending.append((node["Next"], level))
            if level < 32 { pending.append((node["First"], level + 1)) }
            let title = node["Title"].text(upTo: OutlineReader.maximumTitleBytes) ?? ""
            let destination = destinations.destination(of: node)
            found.append(
                OutlineItem(title: title, page: destination?.page, at: destination.flatMap(place), level: level))
        }
        return found
    }

    /// Returns the number of an item's target page.
    mutating func page(of node: PDFObject) -> Int? { destinations.destination(of: node)?.page }
}

/// The name and number trees of PDF (ISO 32000-1, 7.9.6 and 7.9.7).
enum PDFTree {
    /// Calls `body` with every key and value below `root`. It reads each node once, and 100,000 of them at most.
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
