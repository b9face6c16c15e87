internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// A page of the output.
struct PDFPage {
    /// The content of the page.
    enum Content {
        /// An image, by its place in the spool.
        case picture(Int, PictureLayout)
        case copy(CopiedPage)
        case spread(PDFSpread)
    }

    let page: Page
    let content: Content
    /// The invisible text over images, or the text recognized on copied pages without text.
    let text: TextLayers.Layer?
    /// The links on an image; a copied page has its own.
    let links: [PageLink]
    /// The pages of documents that it shows as images.
    let replaced: [ReplacedPage]
    /// The part of it that its image covers. The rest is blank paper.
    let shownPart: PageArea

    /// Its visible part, in its coordinates; nil for a copied page.
    var shown: PDFBox? {
        switch content {
        case .picture(_, let layout): layout.shown
        case .copy: nil
        case .spread(let spread): spread.shown
        }
    }

    /// Its visible part with the blank paper around the image; nil for a copied page.
    var paper: PDFBox? {
        guard let shown else { return nil }
        let (width, height) = (shown.width / shownPart.width, shown.height / shownPart.height)
        let (left, top) = (shown.left - shownPart.left * width, shown.top + shownPart.top * height)
        return PDFBox(left: left, bottom: top - height, right: left + width, top: top)
    }

    /// Returns the place on it of a point on the page's source, in its own coordinates. It is nil unless the page shows one page
    /// of a document.
    func point(at place: PagePoint, _ copier: PageCopier) throws(AdapterError) -> (x: Double, y: Double)? {
        if case .copy(let copy) = content { return try copier.geometry(of: copy).place(of: place, copy.framing) }
        guard let shown, replaced.count == 1, copies.isEmpty else { return nil }
        return shown.point(at: replaced[0].place(of: place))
    }

    /// The pages of documents that it shows.
    var copies: [CopiedPage] {
        switch content {
        case .picture: []
        case .copy(let copy): [copy]
        case .spread(let spread):
            spread.parts.compactMap { if case .copy(let copy) = $0.content { copy } else { nil } }
        }
    }

    /// Whether all of it is copied from documents.
    var isCopied: Bool {
        switch content {
        case .picture: false
        case .copy: true
        case .spread(let spread): copies.count == spread.parts.count
        }
    }

    /// A short description that distinguishes it from others.
    var description: String {
        let roles = page.roles.isEmpty ? "" : " \(page.roles.map(\.rawValue))"
        let layer = (text.map { " \($0.checksum)" } ?? "") + (links.isEmpty ? "" : " \(links)") + roles
        return switch content {
        case .picture(let index, let layout):
            "\(index) \(PDFValue(layout.media)) \(String(decoding: layout.content, as: UTF8.self))" + layer
        case .copy(let copy): "\(copy)\(layer)"
        case .spread(let spread): "\(spread)\(layer)"
        }
    }
}

extension PDFBox {
    /// Returns the coordinates of a point whose position is given as shares of the box.
    func point(at place: PagePoint) -> (x: Double, y: Double) {
        (left + place.across * width, top - place.down * height)
    }
}
