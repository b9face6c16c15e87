import AdapterKit
import Files
import Glibc
import PageModel
import Synchronization

/// A source of books whose file is a signature, a count of pages and an image for each.
///
/// On demand it has a fault that a plug-in cannot have: `faulty.py` has the others.
struct FaultySource: SourceAdapter {
    /// The faults, with the words that the kit finds for each.
    enum Fault: String, CaseIterable, Sendable {
        case knowsByNameOnly = "not recognized by its content"
        case listsTooFew = "lists 4 pages, and has 5"
        case repeatsIDs = "ids do not ascend"
        case forgetsNames = "a page has no name"
        case outlineLeadsNowhere = "outline links to pages that do not exist"
        case mixesUpWhenBusy = "when all pages are read at once"
        case takesTooManyPages = "succeeded, and should have thrown 'too-large'"
        case takesTooManyBytes = "passes with"
        case refusesWithWrongCode = "threw 'damaged'"
        case cropsOutside = "cropped beyond its edges"
        case liesAboutSamples = "is announced as"
        case throwsOtherErrors = "is no AdapterError"
        case blamesCancellation = "when canceled threw"
        case isPoisonedByCancellation = "after a reading of it was canceled"
        case hidesDamage = "is bad, and is read without a word"
    }

    struct OtherError: Error {}

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: ["faulty"])
    var fault: Fault?
    /// What the faults need that must happen only once, or now and then.
    private let busy = Counter(), cancellations = Counter()

    init(_ fault: Fault? = nil) { self.fault = fault }

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
        guard bytes.starts(with: FaultySource.signature), bytes.count > 6 else {
            throw AdapterError(.damaged, "it ends too early")
        }
        let count = Int(bytes[6]) - (fault == .listsTooFew ? 1 : 0)
        guard count <= limits.pages || fault == .takesTooManyPages else {
            throw AdapterError(fault == .refusesWithWrongCode ? .damaged : .tooLarge, "too many pages")
        }
        var pages: [Page] = []
        var rest = bytes.dropFirst(7)
        for number in 1...max(1, count) {
            let length = Int(rest.first ?? 0)
            defer { rest = rest.dropFirst(1 + length) }
            let (id, name) = (fault == .repeatsIDs ? 1 : number, fault == .forgetsNames ? "" : "page \(number)")
            pages.append(Page(id: id, name: name) { [rest] in try examine(rest, limits) })
        }
        var book = BookMetadata()
        if fault == .outlineLeadsNowhere { book.outline = [OutlineItem(title: "Here", page: 99, level: 0)] }
        return OpenedBook(sequence: PageSequence(book: book, pages: pages))
    }

    /// - Parameter bytes: the count of a page's bytes, and these.
    private func examine(_ bytes: ArraySlice<UInt8>, _ limits: Limits) throws -> Picture {
        if fault == .isPoisonedByCancellation, cancellations.add(Task.isCancelled ? 1 : 0) > 0 {
            throw AdapterError(.unreadable, "the file was closed")
        }
        guard let count = bytes.first, bytes.count > count else {
            if fault == .throwsOtherErrors { throw OtherError() }
            guard fault == .hidesDamage else { throw AdapterError(.damaged, "it ends too early") }
            return Picture(size: nil, representations: [.encoded(picture([1], limits))])
        }
        let content = Array(bytes.dropFirst().prefix(Int(count)))
        let size = PixelSize(width: 8, height: content.count)
        let raster = Raster(size: size, format: .gray(bits: 1), samples: content)
        var sampled = SampledPicture(compression: "none", size: size, format: raster.format) {
            guard size.area <= limits.pixels else { throw AdapterError(.tooLarge, "too large") }
            return DecodedImage(raster: raster)
        }
        if fault == .liesAboutSamples { sampled.size.width = 7 }
        if fault == .cropsOutside { sampled.pending = [.crop(PixelRect(x: 0, y: 1, width: 8, height: content.count))] }
        return Picture(size: size, representations: [.encoded(picture(content, limits)), .sampled(sampled)])
    }

    private func picture(_ content: [UInt8], _ limits: Limits) -> EncodedPicture {
        EncodedPicture(encoding: .png, size: nil) {
            guard content.count <= limits.entryBytes || fault == .takesTooManyBytes else {
                throw AdapterError(.tooLarge, "too large")
            }
            guard fault == .mixesUpWhenBusy else { return content }
            let readers = busy.add()
            try await Task.sleep(for: .milliseconds(5))
            busy.add(-1)
            return content + [UInt8(readers)]
        }
    }
}

/// A number of events.
final class Counter: Sendable {
    private let count = Mutex(0)

    @discardableResult
    func add(_ number: Int = 1) -> Int {
        count.withLock { count in
            count += number
            return count
        }
    }
}
