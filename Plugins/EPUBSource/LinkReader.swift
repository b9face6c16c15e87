internal import PageModel

/// A reader for the link targets on a page.
///
/// Links are rectangles over the image in the same SVG, as `EPUBSink` writes them, or links around the whole image.
struct LinkReader {
    private let anchors: [PageContent.Anchor]
    private let path: String
    private let container: EPUBContainer
    private let pages: [String: Int]

    /// - Parameters:
    ///   - anchors: the anchors of the page's document. It shows one image.
    ///   - path: the path of that document.
    ///   - pages: the numbers of pages by the paths of their documents.
    init(_ anchors: [PageContent.Anchor], path: String, in container: EPUBContainer, pages: [String: Int]) {
        (self.anchors, self.path, self.container, self.pages) = (anchors, path, container, pages)
    }

    /// - Parameter picture: the page's image.
    func links(on picture: Picture) -> [PageLink] {
        guard case .encoded(let encoded)? = picture.representations.first else {
            return []
        }
        // A part of the image may be all of the page.
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

    /// Returns the target of an address; nil if it is neither in the book nor an external address.
    private func target(of link: String) -> LinkTarget? {
        if let page = container.path(of: link, in: path).flatMap({ pages[$0] }) { return .page(page, at: nil) }
        if let address = WebAddress(link) { return .address(address) }
        let scheme = link.prefix { $0 != ":" && $0 != "/" && $0 != "#" }
        guard link.dropFirst(scheme.count).first == ":" else { return nil }
        return .other(scheme.lowercased() == "javascript" ? "a script" : "an address that is not of the web")
    }
}
