internal import Imaging
internal import OrderedWork
internal import PageModel

/// A page with its size: enough to pair it and to place it next to another.
struct SizedPage: Sendable {
    let page: Page
    /// The size after the page's edits; nil if it is unknown without decoding, or the page cannot be read.
    let size: PixelSize?
    /// The page's JPEG, if the page is that JPEG, upright and with no edits.
    let plainJPEG: EncodedPicture?
    /// Whether its pixels would have to be rendered.
    let isDrawn: Bool

    init(_ page: Page) async throws {
        self.page = page
        do {
            let picture = try await page.examine()
            size = picture.size.map { page.edits.applied(to: $0) }
            if case .drawn? = picture.representations.first { isDrawn = true } else { isDrawn = false }
            if case .encoded(let encoded)? = picture.representations.first, encoded.encoding == .jpeg,
                page.edits.isEmpty,
                encoded.pending.isEmpty, encoded.orientation == .upright
            {
                plainJPEG = encoded
            } else {
                plainJPEG = nil
            }
        } catch {
            try error.throwIfCancelled()
            // The run examines the page again, and reports its defects.
            (size, plainJPEG, isDrawn) = (nil, nil, false)
        }
    }

    /// Returns the pages of a book.
    static func all(_ pages: [Page], width: Int) async throws -> [SizedPage] {
        try await mapInOrder(pages, width: width) { try await SizedPage($0) }
    }

    /// Returns the places of the pages in a JPEG that jisui merged from several; nil for any other image.
    func mergedPages() async throws -> [PixelRect]? {
        guard let plainJPEG, plainJPEG.hasMergeMark, let bytes = try? await plainJPEG.read().bytes else { return nil }
        let pages = JPEGMetadata.mergedPages(in: bytes)
        return pages.isEmpty ? nil : pages
    }

    /// Whether it shows a whole spread.
    func showsSpread(_ ratio: Double) -> Bool { page.showsSpread(size, ratio: ratio) }

    /// Whether it shows a whole spread and has the aspect ratio of one, so that it can be split or rotated.
    ///
    /// Sources mark upright pages as double as well.
    func isWideSpread(_ ratio: Double) -> Bool {
        guard let size else { return false }
        return size.isWide(ratio: ratio) || page.isDoublePage && size.isWide()
    }
}
