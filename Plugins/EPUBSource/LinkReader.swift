internal import AdapterKit
internal import Metadata
internal import PageModel

/// Reads where the parts of a page lead to: links that lie over its picture as rectangles of the same SVG, as `EPUBSink` writes
/// them, and links around the whole picture.
struct LinkReader {
    private let anchors: [PageContent.Anchor]
    private let path: String
    private let pages: [String: Int]

    /// - Parameters:
    ///   - anchors: of the page's document, which shows one picture.
    ///   - path: of that document.
    ///   - pages: the numbers of pages by the paths of their documents.
    init(_ anchors: [PageContent.Anchor], path: String, pages: [String: Int]) {
        (self.anchors, self.path, self.pages) = (anchors, path, pages)
    }

    /// - Parameter picture: the page's.
    func links(on picture: Picture) -> [PageLink] {
        guard case .encoded(let encoded)? = picture.representations.first else {
            return []
        }
        // A part of the picture may be all of the page.
        let map = encoded.uprightSize.map { size in
            var map = PageMap(size)
            for edit in encoded.pending { map.append(edit) }
            return map
        }
        let links = anchors.compactMap { anchor in
            target(of: anchor.link).map { PageLink(anchor.area ?? .page, to: $0) }
        }
        return map?.placed(links) ?? []
    }

    /// Where an address leads; nil when nowhere in the book, nor out of it.
    private func target(of link: String) -> PageLink.Target? {
        if let page = EPUBContainer.resolved(link, in: path).flatMap({ pages[$0] }) { return .page(page, at: nil) }
        if let address = WebAddress(link) { return .address(address) }
        let scheme = link.prefix { $0 != ":" && $0 != "/" && $0 != "#" }
        guard link.dropFirst(scheme.count).first == ":" else { return nil }
        return .other(scheme.lowercased() == "javascript" ? "a script" : "an address that is not of the web")
    }
}
