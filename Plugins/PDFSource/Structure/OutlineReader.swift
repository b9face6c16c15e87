internal import PageModel

/// Reads a PDF's outline (ISO 32000-1, 12.3.3).
struct OutlineReader {
    private let catalog: PDFObject
    private let pageNumbers: [PDFReference: Int]
    private var named: [[UInt8]: PDFObject]?

    /// More lines than any book's table of contents; a damaged outline may go round in circles.
    private static let mostItems = 20_000

    /// - Parameter pageNumbers: the numbers of pages, from 1, by what names them.
    init(_ catalog: PDFObject, pageNumbers: [PDFReference: Int]) {
        self.catalog = catalog
        self.pageNumbers = pageNumbers
    }

    /// The lines of the outline from top to bottom.
    mutating func items() -> [OutlineItem] {
        var seen: Set<PDFReference> = []
        var found: [OutlineItem] = []
        var pending: [(node: PDFObject, level: Int)] = [(catalog["Outlines"]["First"], 0)]
        while let (node, level) = pending.popLast(), found.count < OutlineReader.mostItems {
            guard node.kind == .dictionary else { continue }
            if let reference = node.reference, !seen.insert(reference).inserted { continue }
            pending.append((node["Next"], level))
            if level < 32 { pending.append((node["First"], level + 1)) }
            let title = node["Title"].string.map(PDFText.decode) ?? ""
            found.append(OutlineItem(title: title, page: page(of: node), level: level))
        }
        return found
    }

    private mutating func page(of node: PDFObject) -> Int? {
        var destination = node["Dest"]
        if destination.isNull, node["A"]["S"].name == "GoTo" { destination = node["A"]["D"] }
        return page(at: destination, depth: 0)
    }

    private mutating func page(at destination: PDFObject, depth: Int) -> Int? {
        guard depth < 4 else { return nil }
        switch destination.kind {
        case .array:
            guard let target = destination.items.first else { return nil }
            if let index = target.integer { return index + 1 }
            return target.reference.flatMap { pageNumbers[$0] }
        case .dictionary:
            return page(at: destination["D"], depth: depth + 1)
        case .name:
            guard let name = destination.name else { return nil }
            return page(at: catalog["Dests"][name], depth: depth + 1)
        case .string:
            guard let target = destination.string.flatMap({ namedDestination($0) }) else { return nil }
            return page(at: target, depth: depth + 1)
        default:
            return nil
        }
    }

    private mutating func namedDestination(_ name: [UInt8]) -> PDFObject? {
        if let named { return named[name] }
        var all: [[UInt8]: PDFObject] = [:]
        PDFTree.walk(catalog["Names"]["Dests"], key: "Names") { key, value in
            if let key = key.string { all[key] = value }
        }
        named = all
        return all[name]
    }
}
