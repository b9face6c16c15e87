import AdapterKit
import Files
import FolderSink
import PageModel

/// A sink of folders, in which something happens to the pages between writing and reading back.
struct FaultySink: SinkAdapter {
    private final class Session: SinkSession {
        private let session: any SinkSession
        private let held: HeldOutput?
        private let fault: @Sendable (String) throws -> Void

        init(_ session: any SinkSession, _ held: HeldOutput?, _ fault: @escaping @Sendable (String) throws -> Void) {
            (self.session, self.held, self.fault) = (session, held, fault)
        }

        func add(_ page: FinishedPage) throws(AdapterError) -> String { try session.add(page) }

        func finish() async throws {
            try await session.finish()
            if let path = held?.path { try fault(path) }
        }
    }

    private let sink = FolderSink()
    /// Gets the path of the folder.
    let fault: @Sendable (String) throws -> Void

    var descriptor: AdapterDescriptor { sink.descriptor }

    func form(_ settings: Settings) -> OutputForm { sink.form(settings) }

    func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        sink.capabilities(request)
    }

    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        Session(try sink.begin(request), request.destination.held, fault)
    }
}
