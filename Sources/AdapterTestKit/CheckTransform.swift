public import AdapterKit
internal import PageModel
internal import Synchronization

/// Checks the promises of every transform with books of 0 to 101 pages.
///
/// It must read no unneeded image, keep the pages' ids and names, and leave an empty book empty. Its result must be the
/// same each time. The same is true of its operations on pixels.
///
/// - Parameters:
///   - settings: the settings to apply. Nil selects the transform's defaults.
///   - mayRequestPreviews: whether the transform needs images. Otherwise it must not read any.
///   - changesImages: whether it must change the pixels of a page.
///   - watch: the observer of a transform that works in other processes.
public func checkTransform(
    _ transform: any PageTransform, settings: Settings? = nil, mayRequestPreviews: Bool = false,
    changesImages: Bool = false, watch: (any AdapterWatch)? = nil
) async -> [ConformanceFailure] {
    let settings = settings ?? Settings(defaultsOf: transform.descriptor)
    var failures: [ConformanceFailure] = []
    for count in [0, 1, 2, 3, 10, 101] {
        let check = TransformCheck(transform, settings, count: count, watch)
        let pages = await check.arrangement(mayRequestPreviews: mayRequestPreviews)
        if count == 3 { await check.operations(pages, areExpected: changesImages) }
        failures += check.findings.failures
        if check.findings.mayStop { break }
    }
    return failures
}

/// The state of a check: one transform and one book.
private struct TransformCheck {
    private let transform: any PageTransform
    private let settings: Settings
    private let sequence: PageSequence
    private let viewer = Viewer()
    let findings: Findings

    /// A provider that shows every page as a black frame on white paper; the tenth is unavailable.
    private final class Viewer: PreviewProvider {
        let count = Mutex(0)

        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
            count.withLock { $0 += 1 }
            if page.name.hasSuffix(" 10") { throw AdapterError(.damaged, "the page is damaged") }
            let size = PixelSize(width: 120, height: 160)
            let samples = (0..<size.area).map { index -> UInt8 in
                let (x, y) = (index % size.width, index / size.width)
                let depth = min(x - 20, 99 - x, y - 30, 129 - y)
                return (0..<4).contains(depth) ? 20 : 250
            }
            return PagePreview(raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: size)
        }
    }

    init(_ transform: any PageTransform, _ settings: Settings, count: Int, _ watch: (any AdapterWatch)?) {
        (self.transform, self.settings) = (transform, settings)
        findings = Findings(transform.descriptor, subject: "a book of \(count) pages", watch)
        let viewer = viewer
        let line = TextLine([TextWord("text", PageArea(left: 0.1, top: 0.1, right: 0.9, bottom: 0.2))])
        // Ascending ids with gaps, as after a selection of pages from a book.
        let pages = (0..<count).map { index in
            var page = Page(id: 3 * index + 2, name: "page \(index + 1)") {
                viewer.count.withLock { $0 += 1 }
                let picture = NumberedPicture.gif(index + 1).encoded
                return Picture(size: PixelSize(width: 6, height: 8), representations: [.encoded(picture)])
            }
            if index % 2 == 1 { page.text = { [line] } }
            if index % 4 == 3 { page.visibleText = page.text }
            return page
        }
        sequence = PageSequence(book: BookMetadata(title: "A book"), pages: pages)
    }

    private func apply(_ limits: Limits = Limits()) async throws -> PageSequence {
        var request = TransformRequest(previews: viewer, width: 2)
        request.limits = limits
        return try await transform.apply(to: sequence, settings, request)
    }

    /// Checks the pages of the changed book, and that the same book becomes the same each time; returns the pages.
    func arrangement(mayRequestPreviews: Bool) async -> [Page] {
        guard let result = await findings.attempt("applying it", { try await apply() }) else { return [] }
        let seen = viewer.count.withLock { $0 }
        findings.expect(mayRequestPreviews || seen == 0, "\(seen) images were looked at")
        let names = Dictionary(uniqueKeysWithValues: sequence.pages.map { ($0.id, $0.name) })
        let ids = result.pages.map(\.id)
        // A new page gets an id that is unused in the book: those above the highest.
        let strangers = ids.filter { names[$0] == nil && $0 <= names.keys.max() ?? 0 }
        findings.expect(strangers.isEmpty, "new pages got ids that other pages may have had: \(strangers)")
        findings.expect(Set(ids).count == ids.count, "several pages have one id")
        findings.expect(!sequence.pages.isEmpty || ids.isEmpty, "an empty book got \(ids.count) pages")
        // The name of a part of a page, or of several joined pages, begins with the page's name.
        let renamed = result.pages.filter { page in
            guard let name = names[page.id] else { return false }
            return page.name != name && !page.name.hasPrefix("\(name), ") && !page.name.hasPrefix("\(name) + ")
        }
        findings.expect(renamed.isEmpty, "pages were renamed: \(renamed.map(\.name))")
        let again = await findings.attempt("applying it again to the same book") { try await apply() }
        let isSame =
            again?.pages.map(\.id) == ids && again?.pages.map(\.edits) == result.pages.map(\.edits)
            && again?.book == result.book
        findings.expect(isSame, "applied twice to one book it gives two different ones")
        await findings.attempt("recognizing text") {
            for page in result.pages { _ = try await page.recognition?.read?(page) }
        }
        return result.pages
    }

    /// Checks that operations on pixels give the same image each time, of the size that they state.
    func operations(_ pages: [Page], areExpected: Bool) async {
        let operations = pages.flatMap { $0.edits.compactMap(\.operation) }
        findings.expect(!areExpected || !operations.isEmpty, "it changes the image of no page")
        var largest = 0
        for operation in operations {
            for sample in Self.samples {
                let what = "changing an image of \(sample.size) pixels, \(sample.format)"
                let images = await findings.attempt(what) {
                    (try await changed(sample, operation), try await changed(sample, operation))
                }
                guard let (first, second) = images else { return }
                findings.expect(first == second, "\(what) twice gives two different images")
                let size = operation.size(after: sample.size)
                findings.expect(first.size == size, "\(what) gives \(first.size) pixels, not \(size)")
                largest = max(largest, first.samples.count)
            }
            await findings.attempt("changing a preview") { try await operation.preview(of: Self.samples[0]) }
        }
        // An image file may be much smaller than its samples.
        guard findings.watch != nil, largest > 1 << 10 else { return }
        var limits = Limits()
        limits.entryBytes = 16
        await findings.isRefused("changing images with \(limits.entryBytes) bytes allowed", must: true) {
            for operation in try await apply(limits).pages.flatMap({ $0.edits.compactMap(\.operation) }) {
                for sample in Self.samples { _ = try await changed(sample, operation) }
            }
        }
    }

    private func changed(_ raster: Raster, _ operation: any PageOperation) async throws -> Raster {
        do { return try await operation.apply(to: raster) } catch is UnchangedPage { return raster }
    }

    /// Gray and color of 8 and 16 bits, and one pixel. No longer side is a multiple of a shorter one.
    private static let samples = [
        image(61, 43, .gray(bits: 8)), image(43, 61, .rgb(bits: 8)), image(17, 29, .gray(bits: 16)),
        image(29, 17, .rgb(bits: 16)), image(1, 1, .gray(bits: 8)),
    ]

    /// Mostly light, as paper is, with dark dots.
    private static func image(_ width: Int, _ height: Int, _ format: PixelFormat) -> Raster {
        let count = Raster.bytesPerRow(width: width, format: format) * height
        let samples = (0..<count).map { $0.isMultiple(of: 11) ? 20 : UInt8(200 + $0 % 50) }
        return Raster(size: PixelSize(width: width, height: height), format: format, samples: samples)
    }
}
