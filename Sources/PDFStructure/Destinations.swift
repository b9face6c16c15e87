package import PageModel

/// The target of a destination: a page and the position to show on it (ISO 32000-1, 12.3.2).
package struct PDFDestination: Hashable, Sendable {
    /// The page's number, from 1.
    package let page: Int
    /// The position in the page's own coordinates, as far as the destination states it.
    package let left: Double?
    package let top: Double?
}

/// A resolver for the targets of outline items and links, in all forms that PDF has for them.
package struct Destinations {
    /// The named destinations in the document's name tree; nil until one was requested. They stay valid when the file
    /// is opened again.
    package private(set) var names: [[UInt8]: PDFDestination]?

    private let catalog: PDFObject
    private let pageNumbers: [PDFReference: Int]

    /// - Parameters:
    ///   - catalog: the document's root dictionary.
    ///   - pageNumbers: the numbers of pages. They begin at 1, and their keys are the references: `PageTree.numbers`.
    ///   - names: the earlier value of `names` for the same file.
    package init(
        _ catalog: PDFObject, pageNumbers: [PDFReference: Int], names: [[UInt8]: PDFDestination]? = nil
    ) {
        (self.catalog, self.pageNumbers, self.names) = (catalog, pageNumbers, names)
    }

    /// Returns the target of an outline item or a link annotation, from its `Dest` or its go-to action; nil without a
    /// target.
    package mutating func destination(of node: PDFObject) -> PDFDestination? {
        var destination = node["Dest"]
        if destination.isNull, node["A"]["S"].name == "GoTo" { destination = node["A"]["D"] }
        return self.destination(at: destination)
    }

    /// Returns the target of a destination in any of PDF's forms; nil without a target.
    ///
    /// - Parameter depth: the number of names followed. They may form a cycle.
    mutating func destination(at destination: PDFObject, depth: Int = 0) -> PDFDestination? {
        guard depth < 4 else { return nil }
        switch destination.kind {
        case .name: return destination.name.flatMap { self.destination(at: catalog["Dests"][$0], depth: depth + 1) }
        case .string: return destination.string.flatMap { named($0) }
        case .dictionary: return self.destination(at: destination["D"], depth: depth + 1)
        default: return explicit(destination)
        }
    }

    /// Returns the target of an array that names a page.
    private func explicit(_ destination: PDFObject) -> PDFDestination? {
        guard destination.kind == .array else { return nil }
        let target = destination.item(0)
        let numbered = target.integer.flatMap { $0.addingReportingOverflow(1).overflow ? nil : $0 + 1 }
        guard let page = numbered ?? target.reference.flatMap({ pageNumbers[$0] }) else { return nil }
        func number(_ index: Int) -> Double? { destination.item(index).number.flatMap { $0.isFinite ? $0 : nil } }
        switch destination.item(1).name {
        case "XYZ": return PDFDestination(page: page, left: number(2), top: number(3))
        case "FitH", "FitBH": return PDFDestination(page: page, left: nil, top: number(2))
        case "FitV", "FitBV": return PDFDestination(page: page, left: number(2), top: nil)
        case "FitR": return PDFDestination(page: page, left: number(2), top: number(5))
        default: return PDFDestination(page: page, left: nil, top: nil)
        }
    }

    private mutating func named(_ name: [UInt8]) -> PDFDestination? {
        if let names { return names[name] }
        var all: [[UInt8]: PDFDestination] = [:]
        PDFTree.walk(catalog["Names"]["Dests"], key: "Names") { key, value in
            guard let key = key.string else { return }
            all[key] = explicit(value.kind == .dictionary ? value["D"] : value)
        }
        names = all
        return all[name]
    }
}

extension PageGeometry {
    /// Returns the position of a point on the page as shown.
    package func place(x: Double, y: Double) -> PagePoint {
        let (right, up) = ((x - shown.left) / shown.width, (y - shown.bottom) / shown.height)
        return switch turns {
        case 0: PagePoint(across: right, down: 1 - up)
        case 1: PagePoint(across: up, down: right)
        case 2: PagePoint(across: 1 - right, down: up)
        default: PagePoint(across: 1 - up, down: 1 - right)
        }
    }

    /// Returns the position of a rectangle on the page as shown.
    package func area(of box: PDFBox) -> PageArea {
        let (one, other) = (place(x: box.left, y: box.bottom), place(x: box.right, y: box.top))
        return PageArea(
            left: min(one.across, other.across), top: min(one.down, other.down), right: max(one.across, other.across),
            bottom: max(one.down, other.down))
    }
}
