public import AdapterKit

/// Deals with links once only some pages of a document are kept (ISO 32000-1, 12.5.6.5).
public struct LinkPruning {
    private let file: PDFFile
    private var destinations: Destinations
    private let references: [Int: PDFReference]
    private let kept: Set<Int>

    /// - Parameters:
    ///   - numbers: the numbers of all pages, from 1, by their references: `PageTree.numbers`.
    ///   - kept: the numbers of the pages that are kept.
    public init(_ file: PDFFile, _ numbers: [PDFReference: Int], keeping kept: Set<Int>) {
        self.file = file
        destinations = Destinations(file.catalog, pageNumbers: numbers)
        references = Dictionary(numbers.map { ($1, $0) }) { first, _ in first }
        self.kept = kept
    }

    /// How many links of a page lead to pages that are not kept.
    public mutating func lostCount(on page: PDFObject) -> Int {
        var count = 0
        for annotation in page["Annots"].items where isLost(annotation) { count += 1 }
        return count
    }

    /// Takes the links out of a page that lead to pages which are not kept.
    ///
    /// - Throws: `outOfMemory`.
    public mutating func prune(_ page: PDFObject) throws(AdapterError) {
        guard lostCount(on: page) > 0 else { return }
        var left: [PDFValue] = []
        for annotation in try file.ownItems(of: "Annots", in: page) where !isLost(annotation) {
            if let reference = annotation.reference { left.append(.reference(reference)) }
        }
        try file.set("Annots", of: page, to: left.isEmpty ? .null : .array(left))
    }

    /// Takes the page away at which viewers open the document, if it is not kept.
    ///
    /// - Throws: `outOfMemory`.
    public mutating func pruneOpening() throws(AdapterError) {
        let action = file.catalog["OpenAction"]
        let place = action.kind == .dictionary ? action["D"] : action
        if let page = destinations.destination(at: place)?.page, !kept.contains(page) {
            try file.set("OpenAction", of: file.catalog, to: .null)
        }
    }

    /// Makes links of a page that lead to names lead to the places themselves: names stay behind when a page is copied into
    /// another document, or mean something else there.
    ///
    /// - Throws: `outOfMemory`.
    public mutating func resolveNames(on page: PDFObject) throws(AdapterError) {
        for annotation in page["Annots"].items where annotation["Subtype"].name == "Link" {
            let isAction = annotation["Dest"].isNull
            let (holder, key) = isAction ? (annotation["A"], "D") : (annotation, "Dest")
            guard !isAction || holder["S"].name == "GoTo", [.name, .string].contains(holder[key].kind),
                let destination = destinations.destination(of: annotation), let page = references[destination.page]
            else { continue }
            func number(_ value: Double?) -> PDFValue { value.map { .real($0) } ?? .null }
            let isWhole = destination.left == nil && destination.top == nil
            let place: [PDFValue] =
                isWhole ? [.name("Fit")] : [.name("XYZ"), number(destination.left), number(destination.top), .null]
            try file.set(key, of: holder, to: .array([.reference(page)] + place))
        }
    }

    private mutating func isLost(_ annotation: PDFObject) -> Bool {
        guard annotation["Subtype"].name == "Link", let page = destinations.destination(of: annotation)?.page else {
            return false
        }
        return !kept.contains(page)
    }
}
