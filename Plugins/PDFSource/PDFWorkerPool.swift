internal import Synchronization

/// A worker that serves one task at a time.
protocol PDFWorker: Sendable {
    /// Whether it is still busy with an abandoned task.
    var isStuck: Bool { get }
}

/// A pool of workers that read one file, with one worker for each active task.
///
/// Neither qpdf nor poppler may be used by two threads at once on one document. Waiting for a single document would keep all
/// processors except one idle.
final class PDFWorkerPool<Member: PDFWorker>: Sendable {
    private let idle: Mutex<[Member]>
    private let open: @Sendable () async throws -> Member

    /// - Parameter open: a function that opens the file once more.
    init(open: @escaping @Sendable () async throws -> Member) {
        idle = Mutex([])
        self.open = open
    }

    /// Lends a worker to `body`. A worker that is stuck afterwards is not lent again: the next task would wait in vain.
    func withWorker<Result: Sendable>(_ body: (Member) async throws -> Result) async throws -> Result {
        var worker = idle.withLock { $0.popLast() }
        if worker == nil { worker = try await open() }
        guard let worker else { preconditionFailure("open returns a worker or throws") }
        defer { if !worker.isStuck { idle.withLock { $0.append(worker) } } }
        return try await body(worker)
    }
}
