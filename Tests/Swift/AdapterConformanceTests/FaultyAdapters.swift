import AdapterKit
import Files
import Glibc
import PageModel
import Scratch
import Synchronization

// Adapters that keep all promises, and on demand break one that a plug-in cannot break: `faulty.py` has the others. The
// value of a fault is the words that the kit finds for it.

/// A source of books whose file is a signature, a count of pages and an image for each.
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

    struct OtherError: Error {}

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: ["faulty"])
    var fault: Fault?
    /// What the faults need that must happen only once, or now and then.
    private let busy = Counter(), cancellations = Counter()

    init(_ fault: Fault? = nil) { self.fault = fault }

    static let signature = Array("FAULTY".utf8)
    private static let tooShort = AdapterError(.damaged, "it ends too early")

    /// A file of `count` pages.
    static func file(_ count: Int) -> [UInt8] {
        signature + [UInt8(count)]
            + (1...count).flatMap { [UInt8($0 + 4)] + [UInt8](repeating: UInt8($0), count: $0 + 4) }
    }

    func recognize(_ probe: Probe) -> Recognition {
        let isKnown =
            fault == .knowsByNameOnly ? probe.pathExtension == "faulty" : probe.head.starts(with: Self.signature)
        return isKnown ? .certain : .no
    }

    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        if fault == .blamesCancellation && Task.isCancelled { throw Self.tooShort }
        let file = try ReadableFile(path: input.path)
        let bytes = try file.read(at: 0, exactly: file.size)
        guard bytes.starts(with: Self.signature), bytes.count > 6 else { throw Self.tooShort }
        let count = Int(bytes[6]) - (fault == .listsTooFew ? 1 : 0)
        guard count <= limits.pages || fault == .takesTooManyPages else {
            throw AdapterError(fault == .refusesWithWrongCode ? .damaged : .tooLarge, "too many pages")
        }
        var rest = bytes.dropFirst(7)
        let pages = (1...max(1, count)).map { number in
            defer { rest = rest.dropFirst(1 + Int(rest.first ?? 0)) }
            let (id, name) = (fault == .repeatsIDs ? 1 : number, fault == .forgetsNames ? "" : "page \(number)")
            return Page(id: id, name: name) { [rest] in try examine(rest, limits) }
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
            guard fault == .hidesDamage else { throw Self.tooShort }
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
            let readers = busy.add(1)
            try await Task.sleep(for: .milliseconds(5))
            busy.add(-1)
            return content + [UInt8(readers)]
        }
    }
}

/// A number of events.
private final class Counter: Sendable {
    private let count = Mutex(0)

    /// Returns the number after a change.
    @discardableResult
    func add(_ number: Int) -> Int {
        count.withLock { count in
            count += number
            return count
        }
    }
}

/// A sink that writes one file of pages, each after the number of its bytes.
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

    init(_ fault: Fault? = nil) { self.fault = fault }

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
            try? Files.write(pages.flatMap { [UInt8($0.bytes.count)] + $0.bytes } + [0], to: path)
            if fault == .leavesSomething { unlink(path + ".part") }
        }
    }

    /// The pages of an output.
    static func read(_ path: String) throws -> [[UInt8]] {
        var rest = try Files.read(path)[...]
        var pages: [[UInt8]] = []
        while let count = rest.popFirst(), count > 0 {
            pages.append(Array(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        return pages
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

    init(_ fault: Fault? = nil) { self.fault = fault }

    func passes(_ settings: Settings) -> [Pass] {
        [
            Pass(.arrange) { sequence, _ in
                var result = sequence
                result.pages.reverse()
                switch fault {
                case .looks: _ = try? await sequence.pages.first?.examine()
                case .failsOnOnePage where result.pages.count == 1:
                    throw AdapterError(.unsupported, "one page is no book")
                case .fillsEmptyBooks where result.pages.isEmpty:
                    result.pages = [Page(id: 1, name: "new") { Picture(size: nil, representations: []) }]
                case .renumbers:
                    result.pages = result.pages.enumerated().map {
                        Page(id: $0 + 1, name: $1.name, examine: $1.examine)
                    }
                case .renames: for index in result.pages.indices { result.pages[index].name += "!" }
                case .changesSize:
                    for index in result.pages.indices { result.pages[index].edits = [.change(Shrinking())] }
                default: break
                }
                return result
            }
        ]
    }

    /// An operation whose result has another size than it states.
    private struct Shrinking: PageOperation {
        static let id = "faulty"

        var note: Note { Note(.operation, ["name": "faulty"]) }

        func encode(to encoder: any Encoder) {}

        func apply(to raster: Raster) -> Raster {
            Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [0])
        }
    }
}
