import AdapterKit
import PageModel
import Scratch
import Trim

/// Made-up pages as a book, and what trim makes of it.
struct SyntheticBook: PreviewProvider {
    var pages: [SyntheticPage]
    var resolution: Resolution?
    /// The resolutions of pages that differ, by their numbers.
    var resolutions: [Int: Resolution] = [:]
    var grid: CutGrid?
    /// What is wrong with the pages' data, by their numbers.
    var damage: [Int: Message] = [:]
    /// The colors of the paper of pages in color, by their numbers.
    var papers: [Int: RGB] = [:]
    /// By what decision files know the pages; nil if by their names alone.
    var digests: [String]?
    /// The pages that are rendered from a PDF, by their numbers.
    var rendered: [Int: RenderedPage] = [:]
    /// The parts of pages that are their scans, by their numbers; all of the others.
    var scans: [Int: PageArea] = [:]
    let effects = OptionEvidence()

    init(_ pages: [SyntheticPage], resolution: Resolution? = nil) {
        self.pages = pages
        self.resolution = resolution
    }

    func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
        let raster = pages[page.id - 1].raster
        var preview = PagePreview(
            raster: raster, size: raster.size, grid: grid, resolution: resolutions[page.id] ?? resolution,
            damage: damage[page.id])
        preview.scan = scans[page.id] ?? .page
        preview.paper = papers[page.id]
        return preview
    }

    func trimmed(
        _ given: [String: String], isDryRun: Bool = false, mayReplace: Bool = false, pages count: Int? = nil,
        report: @escaping @Sendable (Warning) -> Void = { _ in }
    ) async throws -> [Page] {
        let trim = Trim()
        let sequence = PageSequence(
            book: BookMetadata(),
            pages: (0..<(count ?? pages.count)).map { index in
                rendered[index + 1]?.page(index + 1)
                    ?? Page(id: index + 1, name: "page \(index + 1)") {
                        throw AdapterError(.damaged, "only for looking at")
                    }
            })
        var request = TransformRequest(
            previews: self, book: SourceBook(sequence.pages, imageDigests: digests), width: 2, mayReplace: mayReplace,
            isDryRun: isDryRun, report: report)
        request.effects = effects
        let settings = try Settings(trim.descriptor.settings, given: given)
        return try await trim.apply(to: sequence, settings, request).pages
    }
}

/// A page of a PDF, as its source lists it. The preview of the book shows it after its edits.
struct RenderedPage: Sendable {
    /// Its size before its edits.
    var size = SyntheticPage.size
    var edits: [PageEdit] = []
    /// Whether it is a scan, whose image its source can extract.
    var isScan = false
    /// The objects over its scan, in pixels of the page before its edits; nil for none.
    var objects: [PixelRect]?
    /// Reads its text.
    var text: @Sendable () async throws -> [TextLine]

    /// - Parameter words: the places of words, in pixels of the page before its edits.
    init(words: [PixelRect], size: PixelSize = SyntheticPage.size, edits: [PageEdit] = []) {
        (self.size, self.edits) = (size, edits)
        let (width, height) = (Double(size.width), Double(size.height))
        text = {
            words.map { word in
                let area = PageArea(
                    left: Double(word.x) / width, top: Double(word.y) / height,
                    right: Double(word.x + word.width) / width, bottom: Double(word.y + word.height) / height)
                return TextLine([TextWord("word", area)])
            }
        }
    }

    func page(_ number: Int) -> Page {
        let (size, isScan, overlay) = (size, isScan, overlay)
        var page = Page(id: number, name: "page \(number)", edits: edits) {
            let drawn = DrawnPicture(width: Double(size.width), height: Double(size.height), resolution: 72) {
                throw AdapterError(.damaged, "only for looking at")
            }
            var scan = EncodedPicture(encoding: .jpeg, size: size) { [] }
            scan.overlay = overlay
            var picture = Picture(size: size, representations: (isScan ? [.encoded(scan)] : []) + [.drawn(drawn)])
            picture.hasText = true
            picture.document = DocumentPage(
                format: "pdf", path: "book.pdf", index: number - 1, width: drawn.width, height: drawn.height)
            return picture
        }
        page.text = text
        return page
    }

    private var overlay: PictureOverlay? {
        guard let objects else { return nil }
        var overlay = PictureOverlay("text")
        overlay.draw = { [size] pixels in
            let factor = Double(pixels) / Double(min(size.width, size.height))
            func scaled(_ length: Int) -> Int { Int(clamping: Double(length) * factor, to: 0...10_000) }
            var drawing = SyntheticPage.clean(size: PixelSize(width: scaled(size.width), height: scaled(size.height)))
            for object in objects {
                drawing.fill(
                    PixelRect(
                        x: scaled(object.x), y: scaled(object.y), width: max(1, scaled(object.width)),
                        height: max(1, scaled(object.height))), 0)
            }
            return drawing.raster
        }
        return overlay
    }
}

extension Page {
    /// What is kept of it; nil for all.
    var kept: PixelRect? {
        if case .move(.keep(let rect, _))? = edits.first { rect } else { nil }
    }
}

extension PixelRect {
    /// Whether no edge is further from another rectangle's than that.
    func isNear(_ other: PixelRect?, _ tolerance: Int = 2) -> Bool {
        guard let other else { return false }
        let distances = [
            x - other.x, y - other.y, x + width - other.x - other.width, y + height - other.y - other.height,
        ]
        return distances.allSatisfy { abs($0) <= tolerance }
    }
}
