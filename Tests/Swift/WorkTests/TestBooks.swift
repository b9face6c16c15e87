import AdapterKit
import Audit
import ComicSink
import Conversion
import Files
import FolderSink
import FolderSource
import PageModel
import Scratch
import Synchronization
import WebSink
import Work

/// Books of one image in a folder of their own, and the adapters for them.
struct TestBooks {
    static let registry = Registry(
        sources: [FolderSource(), PictureSource()], sinks: [CBZSink(), FolderSink(), WebSink()])

    let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Writes an image, a copy of a fixture, and returns its path.
    @discardableResult
    func image(_ name: String, _ fixture: String = "gray.png") throws -> String {
        try scratch.write(name, try Scratch.Files.read("\(BuiltJisui.fixtures)/good/Imaging/\(fixture)"))
    }

    /// Returns the target of inputs, with a path in the folder.
    func target(
        _ output: String?, to id: String? = nil, for inputs: [String], settings: [String: String] = [:]
    ) throws(AdapterError) -> Target {
        try Target(
            Self.registry, output: output, to: id, settings: settings, format: nil, inputs: inputs,
            several: inputs.count > 1)
    }

    /// Returns jobs for inputs, each a book.
    func jobs(
        _ target: Target, _ paths: [String], mayReplace: Bool = false, configure: (inout Job) -> Void = { _ in }
    ) throws(AdapterError) -> [Job] {
        let inputs = paths.map { Input(path: $0) }
        return try target.jobs(
            for: inputs.map { [$0] }, mayReplace: mayReplace, protected: ProtectedInputs(paths),
            inputFolders: InputFolders(inputs), configure: configure)
    }
}

/// A writer of zips with some settings.
struct SettingSink: SinkAdapter {
    let descriptor: AdapterDescriptor
    private let zip = CBZSink()

    init(_ settings: [Setting]) {
        descriptor = AdapterDescriptor(id: "s", summary: "", extensions: [], settings: settings)
    }

    func form(_ settings: Settings) -> OutputForm { zip.form(settings) }

    func capabilities(_ request: SinkRequest) -> SinkCapabilities { zip.capabilities(request) }

    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession { try zip.begin(request) }
}

/// A list of the events of a batch.
final class EventList: Sendable {
    private let events = Mutex<[BatchEvent]>([])

    @Sendable func add(_ event: BatchEvent) { events.withLock { $0.append(event) } }

    /// The names of the events, without those of conversions.
    var names: [String] {
        events.withLock { $0 }.compactMap { event in
            switch event {
            case .began(let book): "began \(book.number) of \(book.count)"
            case .converting: nil
            case .finished(let book, _): "finished \(book.number)"
            case .failed(let book, _): "failed \(book.number)"
            case .refused(let books, _): "refused \(books.map { String($0.number) }.joined(separator: " and "))"
            case .ended(let book): "ended \(book.number)"
            case .reportFailed: "report failed"
            case .unreadable: "unreadable"
            case .completed(let result): result.tally.english
            }
        }
    }

    /// The sums after the last event.
    var totals: BatchTotals {
        events.withLock { $0 }.reduce(into: BatchTotals()) { $0.note($1) }
    }

    /// The reports on finished books.
    var reports: [Report] {
        events.withLock { $0 }.compactMap { if case .finished(_, let report) = $0 { report } else { nil } }
    }

    /// The errors of failed books.
    var errors: [AdapterError] {
        events.withLock { $0 }.compactMap { event in
            switch event {
            case .failed(_, let error), .refused(_, let error): error
            default: nil
            }
        }
    }
}
