internal import Synchronization

/// Lets pieces of work begin only as long as the memory they take together stays within a bound.
///
/// Work begins in the order in which it asks. One that takes more than the bound by itself begins when nothing else is at
/// work: whether that much may be taken at all is for others to decide, and whoever asks is always let in some day.
public final class MemoryBudget: Sendable {
    private struct State {
        var used = 0
        /// The turn that is next to begin.
        var next = 0
        /// The turn that will be given to who asks without one.
        var last = 0
        var waiting: [Int: (bytes: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var isCancelled = false
    }

    private let bytes: Int
    private let state = Mutex(State())

    /// - Parameter bytes: what may be taken in all.
    public init(bytes: Int) {
        self.bytes = bytes
    }

    /// Does something that takes a number of bytes, after everything that asked before has begun.
    ///
    /// - Throws: `CancellationError`; what `body` throws.
    public func withRoom<Result>(for bytes: Int, _ body: () async throws -> Result) async throws -> Result {
        let turn = state.withLock { state in
            defer { state.last += 1 }
            return state.last
        }
        try await enter(turn, bytes)
        defer { leave(bytes) }
        return try await body()
    }

    /// Waits until there is room.
    ///
    /// - Parameters:
    ///   - turn: counts from 0, and every turn has to come: those after it wait for it.
    ///   - bytes: to be given back with `leave`.
    /// - Throws: `CancellationError`. From then on nobody waits any more, since a turn may be missing.
    func enter(_ turn: Int, _ bytes: Int) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.waiting[turn] = (bytes, continuation)
                    return admitted(&state)
                }
                for continuation in ready { continuation.resume() }
            }
        } onCancel: {
            let ready = state.withLock { state in
                state.isCancelled = true
                return admitted(&state)
            }
            for continuation in ready { continuation.resume() }
        }
        try Task.checkCancellation()
    }

    /// Gives back what `enter` took.
    func leave(_ bytes: Int) {
        let ready = state.withLock { state in
            state.used -= bytes
            return admitted(&state)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Takes those out of the queue for whom there is room now.
    private func admitted(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        if state.isCancelled {
            defer { state.waiting = [:] }
            state.used += state.waiting.values.reduce(0) { $0 + $1.bytes }
            return state.waiting.values.map(\.continuation)
        }
        var ready: [CheckedContinuation<Void, Never>] = []
        while let first = state.waiting[state.next], state.used == 0 || first.bytes <= bytes - state.used {
            state.waiting[state.next] = nil
            state.used += first.bytes
            state.next += 1
            ready.append(first.continuation)
        }
        return ready
    }
}
