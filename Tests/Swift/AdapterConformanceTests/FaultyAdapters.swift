import AdapterKit
import Files
import PageModel
import Scratch
import Synchronization

// Adapters that keep all promises, and on demand break one that a plug-in cannot break: `faulty.py` has the others. The
// value of a fault is the words that the kit finds for it.

/// A source of a book of five pages, whose file is a signature.
struct FaultySource: SourceAdapter {
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

    private struct OtherError: Error {}

    /// The pages that are being read, and the readings that were canceled.
    private final class Counts: Sendable {
        let busy = Atomic(0), canceled = Atomic(0)
    }

    static let file = Array("FAULTY".utf8)
    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: ["faulty"])
    var fault: Fault?
    private let counts = Counts()

    func recognize(_ probe: Probe) -> Recognition {
        let isKnown = fault == .knowsByNameOnly ? probe.pathExtension == "faulty" : probe.head.starts(with: Self.file)
        return isKnown ? .certain : .no
    }

    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        if fault == .blamesCancellation && Task.isCancelled { throw AdapterError(.damaged, "it ends too early") }
        let isWhole = try ReadableFile(path: input.path).size == Self.file.count
        var pages = (1...5).map { number in
            let (id, name) = (fault == .repeatsIDs ? 1 : number, fault == .forgetsNames ? "" : "page \(number)")
            let content = [UInt8](repeating: UInt8(number), count: isWhole ? 9 : 0)
            return Page(id: id, name: name) { try examine(content, limits) }
        }
        guard pages.count <= limits.pages || fault == .takesTooManyPages else {
            throw AdapterError(fault == .refusesWithWrongCode ? .damaged : .tooLarge, "too many pages")
        }
        if fault == .listsTooFew { pages.removeLast() }
        var book = BookMetadata()
        if fault == .outlineLeadsNowhere { book.outline = [OutlineItem(title: "Here", page: 99, level: 0)] }
        return OpenedBook(sequence: PageSequence(book: book, pages: pages))
    }

    /// - Parameter content: the bytes of the page, of which a damaged file has none.
    private func examine(_ content: [UInt8], _ limits: Limits) throws -> Picture {
        let isCanceled = Task.isCancelled ? 1 : 0
        if fault == .isPoisonedByCancellation, counts.canceled.add(isCanceled, ordering: .relaxed).newValue > 0 {
            throw AdapterError(.unreadable, "the file was closed")
        }
        if content.isEmpty && fault == .throwsOtherErrors { throw OtherError() }
        if content.isEmpty && fault != .hidesDamage { throw AdapterError(.damaged, "it ends too early") }
        let encoded = EncodedPicture(encoding: .png, size: nil) {
            guard content.count <= limits.entryBytes || fault == .takesTooManyBytes else {
                throw AdapterError(.tooLarge, "too large")
            }
            guard fault == .mixesUpWhenBusy else { return content }
            let busy = counts.busy.add(1, ordering: .relaxed).newValue
            try await Task.sleep(for: .milliseconds(5))
            counts.busy.subtract(1, ordering: .relaxed)
            return content + [UInt8(busy)]
        }
        let size = PixelSize(width: 8, height: content.count)
        let raster = Raster(size: size, format: .gray(bits: 1), samples: content)
        var sampled = SampledPicture(compression: "none", size: size, format: raster.format) {
            guard size.area <= limits.pixels else { throw AdapterError(.tooLarge, "too large") }
            return DecodedImage(raster: raster)
        }
        if fault == .liesAboutSamples { sampled.size.width = 7 }
        if fault == .cropsOutside { sampled.pending = [.crop(PixelRect(x: 0, y: 1, width: 8, height: 9))] }
        return Picture(size: size, representations: [.encoded(encoded), .sampled(sampled)])
    }
}

/// A sink that writes one file of the pages, which are GIFs.
struct FaultySink: SinkAdapter {
    enum Fault: String, CaseIterable, Sendable {
        case sortsByText = "the output has page 10"
        case changesBytes = "bytes that belong to no page"
        case dropsLastPage = "99 of 100 pages could be read back"
        case givesOneName = "pages got the same names"
        case writesAtOnce = "something is at the destination before finish"
        case leavesSomething = "a session given up after 0 pages leaves"
        case replacesUnasked = "succeeded, and should have thrown 'exists'"
        case replacesTooEarly = "the output is wrong after a session that was given up"
        case refusesAlways = "replacing it threw 'exists'"
        case reportsUnreadable = "threw 'unreadable'"
    }

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: ["faulty"])
    var fault: Fault?

    func form(_ settings: Settings) -> OutputForm { .file }

    func capabilities(_ request: SinkRequest) -> SinkCapabilities { SinkCapabilities(formats: nil) }

    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let (path, exists) = (request.destination.path, !FileStatus.isMissing(request.destination.path))
        if exists && (fault == .refusesAlways || !request.destination.mayReplace && fault != .replacesUnasked) {
            throw AdapterError(.exists, "already exists")
        }
        guard FileStatus.isFolder(FileName.parent(of: path)) else {
            throw AdapterError(fault == .reportsUnreadable ? .unreadable : .unwritable, "there is no such folder")
        }
        if fault == (exists ? .replacesTooEarly : .writesAtOnce) { try? Files.write([], to: path) }
        if fault == .leavesSomething { try? Files.write([], to: path + ".part") }
        return Session(path, fault)
    }

    private final class Session: SinkSession {
        private let (path, fault): (String, Fault?)
        private var pages: [(name: String, bytes: [UInt8])] = []

        init(_ path: String, _ fault: Fault?) { (self.path, self.fault) = (path, fault) }

        func add(_ page: FinishedPage) throws(AdapterError) -> String {
            let bytes = try page.encoded().bytes
            let number = fault == .sortsByText ? page.number : page.number + 100_000
            let name = fault == .givesOneName ? "page" : "\(number)"
            pages.append((name, fault == .changesBytes && page.number == 7 ? bytes.reversed() : bytes))
            return name
        }

        func finish() {
            if fault == .dropsLastPage && pages.count == 100 { pages.removeLast() }
            if fault == .sortsByText { pages.sort { $0.name < $1.name } }
            try? Files.write(pages.flatMap(\.bytes), to: path)
        }
    }

    /// The pages of an output. A GIF has a semicolon at its end, and these have no other.
    static func read(_ path: String) throws -> [[UInt8]] {
        let end = UInt8(ascii: ";")
        return try Files.read(path).split(separator: end).map { $0 + [end] }
    }
}

/// A transform that turns the order round.
struct FaultyTransform: PageTransform {
    enum Fault: String, CaseIterable, Sendable {
        case looks = "images were looked at"
        case renumbers = "new pages got ids that other pages may have had"
        case renames = "pages were renamed"
        case fillsEmptyBooks = "an empty book got 1 pages"
        case failsOnOnePage = "one page is no book"
        case changesSize = "gives 1x1 pixels, not"
    }

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: [])
    var fault: Fault?

    func passes(_ settings: Settings) -> [Pass] { [Pass(.arrange) { sequence, _ in try await changed(sequence) }] }

    private func changed(_ sequence: PageSequence) async throws -> PageSequence {
        var result = sequence
        result.pages.reverse()
        switch fault {
        case .looks: _ = try? await sequence.pages.first?.examine()
        case .failsOnOnePage where result.pages.count == 1: throw AdapterError(.unsupported, "one page is no book")
        case .fillsEmptyBooks where result.pages.isEmpty:
            result.pages = [Page(id: 1, name: "new") { Picture(size: nil, representations: []) }]
        case .renumbers:
            result.pages = result.pages.enumerated().map { Page(id: $0 + 1, name: $1.name, examine: $1.examine) }
        case .renames: for index in result.pages.indices { result.pages[index].name += "!" }
        case .changesSize: for index in result.pages.indices { result.pages[index].edits = [.change(Shrinking())] }
        default: break
        }
        return result
    }

    /// An operation whose result has another size than it states.
    private struct Shrinking: PageOperation {
        static let id = "faulty"

        var note: Note { Note(.operation, ["name": "faulty"]) }

        func apply(to raster: Raster) -> Raster {
            Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [0])
        }
    }
}
