internal import AdapterKit
internal import LayoutAnalysis
internal import OrderedWork
internal import PageModel

/// The limits of the analysis of a book. No separate measurement of these values is recorded.
enum BookAnalysisLimits {
    /// The minimum length of a preview's shorter side, in pixels; previews are not reduced below it. A page then takes
    /// about 8.5 ms of one core after decoding, and a character of a dense page is 8 pixels high.
    static let minimumPixels = 600
    /// The minimum share of text pages among the printed pages of a book of text.
    static let minimumTextShare = 0.7
}

/// The analysis of a book's pages, repeated for those that look like art in a book of text.
struct BookAnalysis {
    private let request: TransformRequest
    private let thumbnails: Bool
    private let options: TrimOptions?
    private let deskewing: @Sendable (Page) -> Deskewing

    /// - Parameters:
    ///   - thumbnails: whether to make thumbnails of the pages.
    ///   - options: the options of the crop boxes; nil if the boxes are known.
    ///   - deskewing: the rotation of each page before it is analyzed.
    init(
        _ request: TransformRequest, thumbnails: Bool, options: TrimOptions?,
        deskewing: @escaping @Sendable (Page) -> Deskewing
    ) {
        (self.request, self.thumbnails, self.options, self.deskewing) = (request, thumbnails, options, deskewing)
    }

    /// Returns the reading of each page, or the reason that it is unreadable.
    func inspections(of pages: [Page]) async throws -> [PageInspection] {
        var inspections = try await analyze(pages, isAmongText: false)
        let art = BookAnalysis.artAmongText(inspections.map(\.page))
        for (index, inspection) in zip(art, try await analyze(art.map { pages[$0] }, isAmongText: true)) {
            if inspection.page?.letterHeight != nil { inspections[index] = inspection }
        }
        addSingleObjects(to: &inspections)
        fillInkedPages(in: &inspections)
        return inspections
    }

    /// Adds the objects over scans that are on one page only. Others are stamps, or numbers of a viewer.
    private func addSingleObjects(to inspections: inout [PageInspection]) {
        let objects = inspections.map { $0.page?.objects ?? [] }
        for (index, single) in ScanObject.single(objects).enumerated() where !single.isEmpty {
            guard case .read(var reading) = inspections[index] else { continue }
            reading.words.add(single.map { $0.box(on: reading.size) })
            inspections[index] = .read(reading)
        }
    }

    /// Keeps pages whole that are printed in one color or gray up to their edges.
    private func fillInkedPages(in inspections: inout [PageInspection]) {
        let paper = BookPaperColor(inspections.compactMap(\.page))
        for (index, inspection) in inspections.enumerated() {
            guard case .read(var reading) = inspection, paper.isInked(reading) else { continue }
            reading.fillPage()
            inspections[index] = .read(reading)
        }
    }

    /// Returns the indexes of pages that look like art with specks in a book of text.
    ///
    /// Such a page is a title with an ornament, or the last lines of a chapter above a tailpiece. Pages without specks are
    /// analyzed correctly as art.
    private static func artAmongText(_ pages: [PageReading?]) -> [Int] {
        let printed = pages.indices.filter { pages[$0]?.kind == .printed }
        let art = printed.filter { pages[$0]?.letterHeight == nil }
        guard Double(printed.count - art.count) >= BookAnalysisLimits.minimumTextShare * Double(printed.count) else {
            return []
        }
        return art.filter { pages[$0]?.isSpeckledArt ?? false }
    }

    private func analyze(_ pages: [Page], isAmongText: Bool) async throws -> [PageInspection] {
        try await mapInOrder(pages, width: request.width) { page in
            try await self.analyze(page, isAmongText: isAmongText)
        }
    }

    private func analyze(_ page: Page, isAmongText: Bool) async throws -> PageInspection {
        let pixels = BookAnalysisLimits.minimumPixels
        let seen = try await request.look(at: page, pixels: pixels, as: .ink, for: "deskew")
        let isShown = thumbnails && seen.preview != nil
        let shown =
            isShown ? try await request.look(at: page, pixels: pixels, as: .brightness, for: "deskew") : nil
        switch (seen, shown) {
        case (.unseen(let reason, let damage, _), _), (_, .unseen(let reason, let damage, _)?):
            return .unreadable(because: reason, damage: damage)
        case (.seen(let whole), _):
            let preview = whole.ofScan
            var reading = PageReading(
                preview, shownAs: shown?.preview?.raster, deskewing(page), isAmongText: isAmongText,
                on: try await table(in: preview, of: page))
            if let options, options.mode != nil {
                reading.words = try await PrintedWords(
                    of: page, preview, outside: reading,
                    mayLeaveOut: options.leavesOutNumbers || options.leavesOutHeads)
                reading.objects = try await ScanObject.objects(on: page)
            }
            return .read(reading)
        }
    }

    /// Returns the page on a table; nil if the image is not a photograph of one.
    private func table(in preview: PagePreview, of page: Page) async throws -> TablePhotograph? {
        guard TablePhotograph.isPossible(preview.raster) else { return nil }
        let seen = try await request.look(
            at: page, pixels: BookAnalysisLimits.minimumPixels, as: .brightness, for: "deskew")
        return seen.preview.flatMap { TablePhotograph(ink: preview.raster, brightness: $0.ofScan.raster) }
    }
}
