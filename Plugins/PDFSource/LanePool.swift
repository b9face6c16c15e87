internal import Synchronization

/// Something that serves one task at a time.
protocol Lane: Sendable {
    /// Whether it is still at work on a task that was given up.
    var isStuck: Bool { get }
}

/// Readers of one file, of which each serves one task at a time: as many as there are tasks at work.
///
/// Neither qpdf nor poppler may be used by two threads at once on one document, and waiting in turn for one
/// document would keep all processors but one idle.
final class LanePool<Member: Lane>: Sendable {
    private let idle: Mutex<[Member]>
    private let open: @Sendable () async throws -> Member

    /// - Parameter open: opens the file once more.
    init(open: @escaping @Sendable () async throws -> Member) {
        idle = Mutex([])
        self.open = open
    }

    /// Lends a lane to `body`. One that is stuck afterwards is not lent again: who had it next would wait in vain.
    func withLane<Result: Sendable>(_ body: (Member) async throws -> Result) async throws -> Result {
        var lane = idle.withLock { $0.popLast() }
        if lane == nil { lane = try await open() }
        guard let lane else { preconditionFailure("open gives a lane or throws") }
        defer { if !lane.isStuck { idle.withLock { $0.append(lane) } } }
        return try await body(lane)
    }
}
