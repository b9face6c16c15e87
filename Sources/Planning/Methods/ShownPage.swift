package import PageModel

/// A source page that a finished page shows.
package struct ShownPage: Sendable {
    package let page: Page
    /// The map from its points to those of the finished page.
    package var map: PageMap
    /// Whether it is a document page that is copied unchanged, so that it has its own text and links.
    package var isCopied = false
}

extension [ShownPage] {
    /// Returns the parts of a page in the order in which it is read.
    func inReadingOrder(of whole: Page) -> [ShownPage] {
        let places = Dictionary(whole.parts.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return sorted { places[$0.page.id] ?? 0 < places[$1.page.id] ?? 0 }
    }
}

extension PageMap {
    /// Makes the map from a stored image to a framing of it.
    init(ofStored framing: Framing) { self.init(from: Framing(framing.source), to: framing) }

    init(from shown: Framing, _ operations: PixelOperations) {
        self.init(from: shown, to: operations.framing)
        for edit in operations.retouches { append(edit) }
    }

    /// Appends the operations on an upright image.
    mutating func append(_ operations: PixelOperations) {
        if !operations.framing.isWhole { append(Edit.crop(operations.framing.rect)) }
        for edit in operations.retouches { append(edit) }
    }
}

extension EncodedPicture {
    /// The part of the stored image that is the page; nil if the size is unknown.
    var shown: Framing? { size.flatMap { Framing($0, orientation, edits: pending) } }

    /// Returns the page that the image shows alone, in a framing; none if its size is unknown.
    func shown(on page: Page, in framing: Framing) -> [ShownPage] {
        shown.map { [ShownPage(page: page, map: PageMap(from: $0, to: framing))] } ?? []
    }
}

extension Picture {
    package var joinedParts: [JoinedPicture.Part] {
        for case .joined(let joined) in representations { return joined.parts }
        return []
    }
}

extension Picture.Representation {
    var shown: Framing? {
        switch self {
        case .encoded(let picture): picture.shown
        case .sampled(let picture): Framing(picture.size, edits: picture.pending)
        case .drawn(let picture): Framing(picture.size)
        case .joined: nil
        }
    }
}
