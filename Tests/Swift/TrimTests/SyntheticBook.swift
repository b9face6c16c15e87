import AdapterKit
import AdapterTestKit
import PageModel
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
    /// By what decision files know the pages; nil if by their names alone.
    var digests: [String]?
    let effects = Effects()

    init(_ pages: [SyntheticPage], resolution: Resolution? = nil) {
        self.pages = pages
        self.resolution = resolution
    }

    func preview(of page: Page, pixels: Int, as shade: Shade) async throws -> PagePreview {
        let raster = pages[page.id - 1].raster
        return PagePreview(
            raster: raster, size: raster.size, grid: grid, resolution: resolutions[page.id] ?? resolution,
            damage: damage[page.id])
    }

    func trimmed(
        _ given: [String: String], isDryRun: Bool = false, mayReplace: Bool = false, pages count: Int? = nil,
        report: @escaping @Sendable (Warning) -> Void = { _ in }
    ) async throws -> [Page] {
        let trim = Trim()
        let sequence = PageSequence(
            book: BookMetadata(),
            pages: (0..<(count ?? pages.count)).map { index in
                Page(id: index + 1, name: "page \(index + 1)") { throw AdapterError(.damaged, "only for looking at") }
            })
        let request = TransformRequest(
            previews: self, book: SourceBook(sequence.pages, imageDigests: digests), width: 2, mayReplace: mayReplace,
            isDryRun: isDryRun, effects: effects, report: report)
        let settings = try Settings(trim.descriptor.settings, given: given)
        return try await trim.apply(to: sequence, settings, request).pages
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
