internal import AdapterKit
internal import PageModel

/// Looks at the pages of a book, and once more at those that look like art in a book of text.
struct Looking {
    private let request: TransformRequest
    private let thumbnails: Bool
    private let deskews: Bool

    /// - Parameters:
    ///   - thumbnails: whether pictures of the pages are wanted.
    ///   - deskews: whether to deskew pages before they are read.
    init(_ request: TransformRequest, thumbnails: Bool, deskews: Bool) {
        (self.request, self.thumbnails, self.deskews) = (request, thumbnails, deskews)
    }

    /// Previews are not reduced below this length of their shorter side, in pixels.
    private static let leastPixels = 600

    /// What is seen on each page, or why it cannot be read.
    func inspections(of pages: [Page]) async throws -> [PageInspection] {
        var inspections = try await look(at: pages, isAmongText: false)
        let art = Looking.artAmongText(inspections.map(\.page))
        for (index, inspection) in zip(art, try await look(at: art.map { pages[$0] }, isAmongText: true)) {
            if inspection.page?.letterHeight != nil { inspections[index] = inspection }
        }
        return inspections
    }

    /// The places of pages that look like art in a book of text, but like art with specks in it: a title with an ornament, the
    /// last lines of a chapter above a tailpiece. Those without are read well as they are.
    private static func artAmongText(_ pages: [PageReading?]) -> [Int] {
        let printed = pages.indices.filter { pages[$0]?.kind == .printed }
        let art = printed.filter { pages[$0]?.letterHeight == nil }
        guard Double(printed.count - art.count) >= leastShareOfText * Double(printed.count) else { return [] }
        return art.filter { pages[$0]?.isSpeckledArt ?? false }
    }

    /// Fewer pages of text do not make a book of text.
    private static let leastShareOfText = 0.7

    private func look(at pages: [Page], isAmongText: Bool) async throws -> [PageInspection] {
        var inspections: [PageInspection] = []
        try await forEachInOrder(pages, width: request.width) { page in
            try await self.look(at: page, isAmongText: isAmongText)
        } body: {
            inspections.append($0)
        }
        return inspections
    }

    private func look(at page: Page, isAmongText: Bool) async throws -> PageInspection {
        do {
            let preview = try await request.previews.preview(of: page, pixels: Looking.leastPixels, as: .ink)
            // A part that is missing looks like paper, and print could be cut.
            if let damage = preview.damage { return .unreadable(because: "its data is damaged", damage: damage) }
            let shown =
                thumbnails
                ? try await request.previews.preview(of: page, pixels: Looking.leastPixels, as: .brightness).raster
                : nil
            return .read(PageReading(preview, shownAs: shown, deskews: deskews, isAmongText: isAmongText))
        } catch let error as CancellationError {
            throw error
        } catch let error as AdapterError where error.code != .damaged {
            // What fails in a run that is interrupted says nothing of the page.
            try Task.checkCancellation()
            return .unreadable(because: error.message)
        } catch {
            try Task.checkCancellation()
            return .unreadable(
                because: "it cannot be decoded", damage: (error as? AdapterError)?.message ?? "\(error)")
        }
    }
}
