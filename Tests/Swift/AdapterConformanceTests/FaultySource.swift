import AdapterKit
import Files
import Glibc
import PageModel
import Synchronization

/// A source of books whose file is a signature, a count of pages and a picture for each; and every fault on demand.
struct FaultySource: SourceAdapter {
    enum Fault: CaseIterable, Sendable {
        case knowsByNameOnly
        case listsTooFew
        case repeatsIDs
        case forgetsNames
        case listsAnew
        case outlineLeadsNowhere
        case readsAnew
        case mixesUpWhenBusy
        case takesTooManyPages
        case takesTooManyBytes
        case refusesWithWrongCode
        case readsWhileListing
        case cropsOutside
        case liesAboutSamples
        case throwsOtherErrors
        case blamesCancellation
        case isPoisonedByCancellation
        case hidesDamage
        case changesItsInput
        case linksNowhere
    }

    struct OtherError: Error {}

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: ["faulty"])
    var fault: Fault?
    /// What the faults need that must happen only once, or now and then.
    private let counter = Counter()

    private final class Counter: Sendable {
        let busy = Mutex(0)
        let calls = Mutex(0)
        let isPoisoned = Mutex(false)

        func next() -> Int {
            calls.withLock { calls in
                calls += 1
                return calls
            }
        }
    }

    init(_ fault: Fault? = nil) {
        self.fault = fault
    }

    static let signature = Array("FAULTY".utf8)

    /// A file of `count` pages.
    static func file(_ count: Int) -> [UInt8] {
        signature + [UInt8(count)]
            + (1...count).flatMap { [UInt8($0 + 4)] + [UInt8](repeating: UInt8($0), count: $0 + 4) }
    }

    func recognize(_ probe: Probe) -> Recognition {
        if fault == .knowsByNameOnly { return probe.pathExtension == "faulty" ? .certain : .no }
        return probe.head.starts(with: FaultySource.signature) ? .certain : .no
    }

    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        if fault == .blamesCancellation && Task.isCancelled { throw AdapterError(.damaged, "it ends too early") }
        let file = try ReadableFile(path: input.path)
        let bytes = try file.read(at: 0, exactly: file.size)
        if fault == .changesItsInput { truncate(input.path, file.size + 1) }
        guard bytes.starts(with: FaultySource.signature), bytes.count > 6 else {
            throw AdapterError(.damaged, "it ends too early")
        }
        var count = Int(bytes[6])
        guard count <= limits.pages || fault == .takesTooManyPages else {
            throw AdapterError(fault == .refusesWithWrongCode ? .damaged : .tooLarge, "too many pages")
        }
        if fault == .listsTooFew { count -= 1 }
        var pages: [Page] = []
        var offset = 7
        for number in 1...max(1, count) {
            let start = offset
            let length = start < bytes.count ? Int(bytes[start]) : 0
            if fault == .readsWhileListing && length > limits.entryBytes { continue }
            let id = fault == .repeatsIDs ? 1 : number
            let name =
                fault == .forgetsNames ? "" : "page \(number)" + (fault == .listsAnew ? " \(counter.next())" : "")
            var page = Page(id: id, name: name) { try await examine(bytes, start, limits) }
            if fault == .linksNowhere {
                page.links = { [PageLink(PageArea(left: 0, top: 0, right: 1, bottom: 1), to: .page(99, at: nil))] }
            }
            pages.append(page)
            offset += 1 + length
        }
        var book = BookMetadata()
        if fault == .outlineLeadsNowhere { book.outline = [OutlineItem(title: "Here", page: 99, level: 0)] }
        return OpenedBook(sequence: PageSequence(book: book, pages: pages))
    }

    private func examine(_ bytes: [UInt8], _ start: Int, _ limits: Limits) async throws -> Picture {
        if fault == .isPoisonedByCancellation {
            if Task.isCancelled { counter.isPoisoned.withLock { $0 = true } }
            if counter.isPoisoned.withLock({ $0 }) { throw AdapterError(.unreadable, "the file was closed") }
        }
        guard start < bytes.count, start + Int(bytes[start]) < bytes.count else {
            if fault == .throwsOtherErrors { throw OtherError() }
            if fault == .hidesDamage {
                return Picture(size: nil, representations: [.encoded(picture([1], limits))])
            }
            throw AdapterError(.damaged, "it ends too early")
        }
        let content = Array(bytes[start + 1...start + Int(bytes[start])])
        let size = PixelSize(width: 8, height: content.count)
        let stated = fault == .liesAboutSamples ? PixelSize(width: 7, height: content.count) : size
        let pending: [Edit] =
            fault == .cropsOutside ? [.crop(PixelRect(x: 0, y: 1, width: 8, height: content.count))] : []
        let raster = Raster(size: size, format: .gray(bits: 1), samples: content)
        let sampled = SampledPicture(compression: "none", size: stated, format: raster.format, pending: pending) {
            guard size.area <= limits.pixels else { throw AdapterError(.tooLarge, "too large") }
            return DecodedImage(raster: raster)
        }
        return Picture(size: size, representations: [.encoded(picture(content, limits)), .sampled(sampled)])
    }

    private func picture(_ content: [UInt8], _ limits: Limits) -> EncodedPicture {
        EncodedPicture(encoding: .png, size: nil) {
            guard content.count <= limits.entryBytes || fault == .takesTooManyBytes else {
                throw AdapterError(.tooLarge, "too large")
            }
            if fault == .readsAnew { return content + [UInt8(truncatingIfNeeded: counter.next())] }
            if fault == .mixesUpWhenBusy {
                let others = counter.busy.withLock { busy in
                    busy += 1
                    return busy - 1
                }
                try await Task.sleep(for: .milliseconds(5))
                counter.busy.withLock { $0 -= 1 }
                return content + [UInt8(others)]
            }
            return content
        }
    }
}
