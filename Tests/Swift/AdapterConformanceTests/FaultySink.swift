import AdapterKit
import Files
import Glibc
import PageModel
import Synchronization

/// A sink that writes one file of pages one after the other; and every fault on demand.
struct FaultySink: SinkAdapter {
    enum Fault: CaseIterable, Sendable {
        case sortsByText
        case changesBytes
        case dropsLastPage
        case givesOneName
        case writesAtOnce
        case leavesSomething
        case replacesUnasked
        case replacesTooEarly
        case refusesAlways
        case writesTheTime
        case reportsUnreadable
    }

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: ["faulty"])
    var fault: Fault?

    func form(_ settings: Settings) -> OutputForm { .file }

    func capabilities(_ request: SinkRequest) -> SinkCapabilities { SinkCapabilities(formats: nil) }

    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let destination = request.destination
        let exists = access(destination.path, F_OK) == 0
        if exists && (fault == .refusesAlways || !destination.mayReplace && fault != .replacesUnasked) {
            throw AdapterError(.exists, "already exists")
        }
        if access(FileName.parent(of: destination.path), W_OK) != 0 {
            throw AdapterError(fault == .reportsUnreadable ? .unreadable : .unwritable, "there is no such folder")
        }
        if fault == .writesAtOnce && !exists || fault == .replacesTooEarly && exists {
            Session.write([], to: destination.path)
        }
        if fault == .leavesSomething { Session.write([], to: destination.path + ".part") }
        return Session(path: destination.path, fault: fault)
    }

    /// The pages of an output.
    static func read(_ path: String) throws -> [[UInt8]] {
        let file = try ReadableFile(path: path)
        var rest = try file.read(at: 0, exactly: file.size)[...]
        var pages: [[UInt8]] = []
        while rest.count > 1 {
            let count = Int(rest.removeFirst())
            if count == 0 { break }
            pages.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pages
    }
}

private final class Session: SinkSession {
    private let path: String
    private let fault: FaultySink.Fault?
    private var pages: [(name: String, bytes: [UInt8])] = []
    private static let written = Mutex<UInt8>(0)

    init(path: String, fault: FaultySink.Fault?) {
        self.path = path
        self.fault = fault
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        let name =
            fault == .givesOneName ? "page" : fault == .sortsByText ? "\(page.number)" : "\(page.number + 100_000)"
        let bytes = fault == .changesBytes && page.number == 7 ? picture.bytes.reversed() : picture.bytes
        pages.append((name, bytes))
        return name
    }

    func finish() {
        if fault == .dropsLastPage && pages.count == 100 { pages.removeLast() }
        if fault == .sortsByText { pages.sort { $0.name < $1.name } }
        var bytes: [UInt8] = []
        for page in pages { bytes += [UInt8(page.bytes.count)] + page.bytes }
        bytes.append(0)
        if fault == .writesTheTime {
            bytes.append(
                Session.written.withLock { count in
                    count &+= 1
                    return count
                })
        }
        Session.write(bytes, to: path)
        if fault == .leavesSomething { unlink(path + ".part") }
    }

    static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "wb") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
