import AdapterKit
import PageModel
import Synchronization

/// A sink that remembers what it was given.
struct FakeSink: SinkAdapter {
    final class Memory: Sendable {
        struct State {
            /// How often the sink was asked for its capabilities.
            var asked = 0
            var begun = 0
            var pageCount = 0
            var book = BookMetadata()
            var settings = Settings()
            var pages: [FinishedPage] = []
            var compositions: [Int: Composition] = [:]
            var finished = 0
        }

        private let state = Mutex(State())

        var now: State { state.withLock { $0 } }

        func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    }

    private final class Session: SinkSession {
        private let memory: Memory
        let warnings: [Warning]

        init(_ memory: Memory, _ warnings: [Warning]) {
            self.memory = memory
            self.warnings = warnings
        }

        func add(_ page: FinishedPage) -> String {
            memory.change { $0.pages.append(page) }
            return if case .encoded(let picture) = page.content {
                "\(page.number).\(picture.encoding.fileExtension)"
            } else {
                "\(page.number)"
            }
        }

        func compose() -> SinkFindings {
            SinkFindings(compositions: memory.now.compositions, warnings: warnings)
        }

        func finish() {
            memory.change { $0.finished += 1 }
        }
    }

    let descriptor: AdapterDescriptor
    private let form: OutputForm
    let capabilities: SinkCapabilities
    let memory = Memory()
    /// What a session says before it finishes.
    var warnings: [Warning] = []

    init(
        settings: [Setting] = [], form: OutputForm = .file,
        _ capabilities: SinkCapabilities = SinkCapabilities(formats: [.jpeg, .png, .gif])
    ) {
        descriptor = AdapterDescriptor(id: "memory", summary: "test", extensions: ["mem"], settings: settings)
        self.form = form
        self.capabilities = capabilities
    }

    func form(_ settings: Settings) -> OutputForm { form }

    func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        memory.change { $0.asked += 1 }
        return capabilities
    }

    func begin(_ request: SinkRequest) -> any SinkSession {
        memory.change {
            $0.begun += 1
            $0.book = request.book
            $0.pageCount = request.pageCount
            $0.settings = request.settings
        }
        return Session(memory, warnings)
    }
}
