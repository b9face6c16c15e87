internal import PDFStructure
internal import PageModel

/// A reader for a page's link annotations (ISO 32000-1, 12.5.6.5).
struct LinkReader {
    private(set) var destinations: Destinations
    private let file: PDFFile
    private let layers: OptionalContent

    /// The maximum number of links on a page; a malicious one may have any number.
    private static let maximumLinks = 10_000

    init(_ file: PDFFile, _ destinations: Destinations, layers: OptionalContent) {
        (self.file, self.destinations, self.layers) = (file, destinations, layers)
    }

    /// Returns the links on the visible part of a page. Page numbers begin with 1.
    ///
    /// - Parameters:
    ///   - paths: the positions of all pages.
    ///   - removed: the places of annotations that do not count.
    /// - Throws: `.tooLarge` if it has more than any book needs.
    mutating func links(
        on page: PageNode, number: Int, of paths: [PageTree.Path], showing box: PageBox, without removed: Set<Int> = []
    ) throws(AdapterError) -> [PageLink] {
        let geometry = PageGeometry(page, showing: box)
        let annotations = page["Annots"]
        guard annotations.count <= LinkReader.maximumLinks else {
            throw AdapterError(.tooLarge, "the page has more than \(LinkReader.maximumLinks) annotations")
        }
        var links: [PageLink] = []
        for (place, annotation) in annotations.items.enumerated()
        where annotation["Subtype"].name == "Link" && !removed.contains(place) {
            guard Annotation.canBeUsed(annotation, layers), let rect = PDFBox(annotation["Rect"].numbers) else {
                continue
            }
            let area = geometry.area(of: rect).intersection(.page)
            guard !area.isEmpty, let target = target(of: annotation, number, paths, box) else { continue }
            links.append(PageLink(area, to: target))
        }
        return links
    }

    /// Returns the target of a link; nil if it has none.
    private mutating func target(
        of link: PDFObject, _ number: Int, _ paths: [PageTree.Path], _ box: PageBox
    ) -> LinkTarget? {
        if let destination = destinations.destination(of: link) {
            guard paths.indices.contains(destination.page - 1) else { return nil }
            return .page(destination.page, at: file.place(of: destination, paths, box))
        }
        let action = link["A"]
        switch action["S"].name {
        case "URI":
            guard let bytes = action["URI"].string else { return nil }
            let text = String(validating: bytes, as: UTF8.self) ?? action["URI"].text ?? ""
            return WebAddress(text).map(LinkTarget.address) ?? .other("an address that is not of the web")
        case "Named":
            let pages = ["FirstPage": 1, "PrevPage": number - 1, "NextPage": number + 1, "LastPage": paths.count]
            return action["N"].name.flatMap { pages[$0] }.flatMap {
                paths.indices.contains($0 - 1) ? .page($0, at: nil) : nil
            }
        case "GoToR", "GoToE": return .other("another document")
        case "Launch": return .other("a program or a file")
        case "JavaScript": return .other("a script")
        default: return nil
        }
    }
}

extension PDFFile {
    /// Returns the place on its page that a destination names, as a person sees the page.
    ///
    /// - Parameter paths: the positions of all pages.
    func place(of destination: PDFDestination, _ paths: [PageTree.Path], _ box: PageBox) -> PagePoint? {
        guard destination.left != nil || destination.top != nil, paths.indices.contains(destination.page - 1),
            let page = try? page(at: paths[destination.page - 1])
        else { return nil }
        let geometry = PageGeometry(page, showing: box)
        let point = geometry.place(
            x: destination.left ?? geometry.shown.left, y: destination.top ?? geometry.shown.top)
        func onPage(_ share: Double) -> Double { min(max(share, 0), 1) }
        return PagePoint(across: onPage(point.across), down: onPage(point.down))
    }
}

extension Annotation {
    /// Whether an annotation is active: a link need not have a border for that.
    static func canBeUsed(_ annotation: PDFObject, _ layers: OptionalContent) -> Bool {
        let (hidden, noView) = (1 << 1, 1 << 5)
        return (annotation["F"].integer ?? 0) & (hidden | noView) == 0 && !layers.hides(annotation["OC"])
    }
}
