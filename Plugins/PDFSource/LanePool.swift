internal import Synchronization

/// Readers of one file, of which each serves one task at a time: as many as there are tasks at work.
///
/// Neither qpdf nor poppler may be used by two threads at once on one document, and waiting in turn for one
/// document would keep all processors but one idle.
final class LanePool<Lane: Sendable>: Sendable {
    private let idle: Mutex<[Lane]>
    private let open: @Sendable () async throws -> Lane

    /// - Parameter open: opens the file once more.
    init(open: @escaping @Sendable () async throws -> Lane) {
        idle = Mutex([])
        self.open = open
    }

    /// Lends a lane to `body`.
    func withLane<Result: Sendable>(_ body: (Lane) async throws -> Result) async throws -> Result {
        var lane = idle.withLock { $0.popLast() }
        if lane == nil { lane = try await open() }
        guard let lane else { preconditionFailure("open gives a lane or throws") }
        defer { idle.withLock { $0.append(lane) } }
        return try await body(lane)
    }
}
