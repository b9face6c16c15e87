package import PageModel

/// The removal of links for documents that keep only some pages (ISO 32000-1, 12.5.6.5).
package struct LinkPruning {
    private let file: PDFFile
    private var destinations: Destinations
    private let references: [Int: PDFReference]
    private let kept: Set<Int>

    /// - Parameters:
    ///   - numbers: the numbers of all pages, from 1, by their references: `PageTree.numbers`.
    ///   - kept: the numbers of the kept pages.
    package init(_ file: PDFFile, _ numbers: [PDFReference: Int], keeping kept: Set<Int>) {
        self.file = file
        destinations = Destinations(file.catalog, pageNumbers: numbers)
        references = Dictionary(numbers.map { ($1, $0) }) { first, _ in first }
        self.kept = kept
    }

    /// Returns the number of a page's links to removed pages.
    package mutating func lostCount(on page: PDFObject) -> Int {
        var count = 0
        for annotation in page["Annots"].items where isLost(annotation) { count += 1 }
        return count
    }

    /// Removes the links to removed pages from a page.
    ///
    /// - Throws: `outOfMemory`.
    package mutating func prune(_ page: PDFObject) throws(AdapterError) {
        guard lostCount(on: page) > 0 else { return }
        var left: [PDFValue] = []
        for annotation in try file.ownItems(of: "Annots", in: page) where !isLost(annotation) {
            if let reference = annotation.reference { left.append(.reference(reference)) }
        }
        try file.set("Annots", of: page, to: left.isEmpty ? .null : .array(left))
    }

    /// Removes the initial page of the document in viewers, if it is not kept.
    ///
    /// - Throws: `outOfMemory`.
    package mutating func pruneOpening() throws(AdapterError) {
        let action = file.catalog["OpenAction"]
        let place = action.kind == .dictionary ? action["D"] : action
        if let page = destinations.destination(at: place)?.page, !kept.contains(page) {
            try file.set("OpenAction", of: file.catalog, to: .null)
        }
    }

    /// Replaces the named destinations of a page's links by explicit ones. When a page is copied into another document,
    /// the names are missing there, or they have another meaning.
    ///
    /// - Throws: `outOfMemory`.
    package mutating func resolveNames(on page: PDFObject) throws(AdapterError) {
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
