import AdapterKit
import Files
import Glibc
import PageModel

/// A sink that writes one file of pages one after the other; and every fault on demand.
struct FaultySink: SinkAdapter {
    /// The faults, with the words that the kit finds for each.
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
        let (path, mayReplace) = (request.destination.path, request.destination.mayReplace)
        let exists = access(path, F_OK) == 0
        if exists && (fault == .refusesAlways || !mayReplace && fault != .replacesUnasked) {
            throw AdapterError(.exists, "already exists")
        }
        if access(FileName.parent(of: path), W_OK) != 0 {
            throw AdapterError(fault == .reportsUnreadable ? .unreadable : .unwritable, "there is no such folder")
        }
        if fault == (exists ? .replacesTooEarly : .writesAtOnce) { FaultySink.write([], to: path) }
        if fault == .leavesSomething { FaultySink.write([], to: path + ".part") }
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
            FaultySink.write(pages.flatMap { [UInt8($0.bytes.count)] + $0.bytes } + [0], to: path)
            if fault == .leavesSomething { unlink(path + ".part") }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "wb") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// The pages of an output.
    static func read(_ path: String) throws -> [[UInt8]] {
        let file = try ReadableFile(path: path)
        var rest = try file.read(at: 0, exactly: file.size)[...]
        var pages: [[UInt8]] = []
        while let count = rest.popFirst(), count > 0 {
            pages.append(Array(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        return pages
    }
}
