import AdapterKit
import PageModel
import Scratch
import Spreads

/// Pages of given sizes, and what is made of them.
struct SyntheticSequence: PreviewProvider {
    var sizes: [PixelSize]
    var book = BookMetadata()
    var isDouble: Set<Int> = []
    /// Those that begin a book.
    var firstPages: Set<Int> = []
    var roles: [Int: [PageRole]] = [:]
    /// What each page is laid out on, if it is.
    var paper: Paper?
    /// What is seen of pages; all are white.
    var looks: [Int: Raster] = [:]
    /// The pages with damaged data.
    var damage: [Int: Message] = [:]
    /// The pages that cannot be read.
    var errors: [Int: AdapterError] = [:]
    /// By what decision files know the pages; nil if by their names alone.
    var digests: [String]?

    init(_ sizes: [PixelSize]) { self.sizes = sizes }

    /// - Parameter widths: of pages 30 pixels high.
    init(widths: [Int]) { sizes = widths.map { PixelSize(width: $0, height: 30) } }

    func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
        let size = try await page.examine().size.map { page.edits.applied(to: $0) } ?? PixelSize(width: 1, height: 1)
        if let error = errors[page.id] { throw error }
        let damage = damage[page.id]
        if let raster = looks[page.id] { return PagePreview(raster: raster, size: size, damage: damage) }
        let samples = [UInt8](repeating: 255, count: size.area)
        return PagePreview(
            raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: size, damage: damage)
    }

    var sequence: PageSequence {
        PageSequence(
            book: book,
            pages: sizes.enumerated().map { index, size in
                var page = Page(id: index + 1, name: "page \(index + 1)", label: "\(index + 1)") {
                    let picture = EncodedPicture(encoding: .jpeg, size: size, grid: PixelSize(width: 8, height: 8)) {
                        []
                    }
                    return Picture(size: size, representations: [.encoded(picture)], paper: paper)
                }
                page.roles = roles[index + 1] ?? []
                page.isDoublePage = isDouble.contains(index + 1)
                page.book = firstPages.count { $0 <= index + 1 }
                return page
            })
    }

    /// What the transform makes of it.
    func made(
        _ given: [String: String], of chosen: PageSequence? = nil, isDryRun: Bool = false, mayReplace: Bool = false,
        report: @escaping @Sendable (Warning) -> Void = { _ in }
    ) async throws -> PageSequence {
        let book = SourceBook(sequence.pages, imageDigests: digests)
        let spreads = Spreads()
        return try await spreads.apply(
            to: chosen ?? sequence, try Settings(spreads.descriptor.settings, given: given),
            TransformRequest(
                previews: self, book: book, width: 2, mayReplace: mayReplace, isDryRun: isDryRun, report: report))
    }
}

extension Page {
    /// The picture that is put together of others.
    func joined() async throws -> JoinedPicture? {
        if case .joined(let picture)? = try await examine().representations.first { picture } else { nil }
    }
}
