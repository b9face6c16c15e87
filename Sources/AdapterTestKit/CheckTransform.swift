public import AdapterKit
internal import PageModel
internal import Synchronization

/// Checks the promises of every transform with books of 0 to 101 pages.
///
/// It must read no unneeded image, keep the pages' ids and names, and leave an empty book empty. Its result must be the
/// same each time.
///
/// - Parameters:
///   - transform: the transform to check.
///   - settings: the settings to apply. Nil selects the transform's defaults.
///   - mayRequestPreviews: whether the transform needs images. Otherwise it must not read any.
/// - Returns: the broken promises; empty for a conforming transform.
public func checkTransform(
    _ transform: any PageTransform, settings: Settings? = nil, mayRequestPreviews: Bool = false
) async -> [ConformanceFailure] {
    let settings = settings ?? (try? Settings(transform.descriptor.settings, given: [:])) ?? Settings()
    var failures: [ConformanceFailure] = []
    for count in [0, 1, 2, 3, 10, 101] {
        let check = TransformCheck(transform, settings, count: count)
        await check.run(mayRequestPreviews: mayRequestPreviews)
        failures += check.findings.failures
    }
    return failures
}

/// The state of a check: one transform and one book.
private struct TransformCheck {
    private let transform: any PageTransform
    private let settings: Settings
    private let sequence: PageSequence
    private let previewCounter = PreviewCounter()
    let findings: Findings

    /// The number of image accesses.
    private final class PreviewCounter: Sendable {
        let count = Mutex(0)
    }

    /// A provider that shows every page as a black frame on white paper; the tenth is unavailable.
    private struct Viewer: PreviewProvider {
        let previewCounter: PreviewCounter

        func preview(of page: Page, pixels: Int, as shade: Shade) async throws -> PagePreview {
            previewCounter.count.withLock { $0 += 1 }
            if page.name.hasSuffix(" 10") { throw AdapterError(.damaged, "the page is damaged") }
            let size = PixelSize(width: 120, height: 160)
            let samples = (0..<size.area).map { index -> UInt8 in
                let (x, y) = (index % size.width, index / size.width)
                let isInside = (20..<100).contains(x) && (30..<130).contains(y)
                let isFrame = isInside && !((24..<96).contains(x) && (34..<126).contains(y))
                return isFrame ? 20 : 250
            }
            return PagePreview(raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: size)
        }
    }

    init(_ transform: any PageTransform, _ settings: Settings, count: Int) {
        self.transform = transform
        self.settings = settings
        findings = Findings(transform.descriptor, subject: "a book of \(count) pages")
        let previewCounter = previewCounter
        // Ascending ids with gaps, as after a selection of pages from a book.
        let pages = (0..<count).map { index in
            Page(id: 3 * index + 2, name: "page \(index + 1)") {
                previewCounter.count.withLock { $0 += 1 }
                let size = PixelSize(width: 6, height: 8)
                return Picture(size: size, representations: [.encoded(NumberedPicture.gif(index + 1).encoded)])
            }
        }
        sequence = PageSequence(book: BookMetadata(title: "A book"), pages: pages)
    }

    func run(mayRequestPreviews: Bool) async {
        let (transform, settings, sequence) = (transform, settings, sequence)
        let request = TransformRequest(previews: Viewer(previewCounter: previewCounter), width: 2)
        let result = await findings.attempt("applying it") {
            try await transform.apply(to: sequence, settings, request)
        }
        guard let result else { return }
        let seen = previewCounter.count.withLock { $0 }
        findings.expect(mayRequestPreviews || seen == 0, "\(seen) images were looked at")
        let known = Set(sequence.pages.map(\.id))
        let ids = result.pages.map(\.id)
        // A new page gets an id that is unused in the book: those above the highest.
        let strangers = ids.filter { !known.contains($0) && $0 <= known.max() ?? 0 }
        findings.expect(strangers.isEmpty, "new pages got ids that other pages may have had: \(strangers)")
        findings.expect(Set(ids).count == ids.count, "several pages have one id")
        if sequence.pages.isEmpty { findings.expect(ids.isEmpty, "an empty book got \(ids.count) pages") }
        let names = Dictionary(sequence.pages.map { ($0.id, $0.name) }) { first, _ in first }
        // The name of a part of a page, or of several joined pages, begins with the page's name.
        let renamed = result.pages.filter { page in
            guard let name = names[page.id] else { return false }
            return page.name != name && !page.name.hasPrefix("\(name), ") && !page.name.hasPrefix("\(name) + ")
        }
        findings.expect(renamed.isEmpty, "pages were renamed: \(renamed.map(\.name))")
        let again = await findings.attempt("applying it again to the same book") {
            try await transform.apply(to: sequence, settings, request)
        }
        findings.expect(
            again?.pages.map(\.id) == ids && again?.pages.map(\.edits) == result.pages.map(\.edits)
                && again?.book == result.book, "applied twice to one book it gives two different ones")
    }
}
