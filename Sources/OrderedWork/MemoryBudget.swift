internal import Synchronization

/// A limit on the memory of concurrent work: it lets work begin only while the total stays within the limit.
///
/// Work begins in the order of its requests. A request above the limit starts when all other work has finished. Callers
/// decide whether so much memory is allowed; every request is eventually granted.
package final class MemoryBudget: Sendable {
    private struct State {
        var used = 0
        /// The next turn to begin.
        var next = 0
        /// The turn of the next request that comes without one.
        var last = 0
        var waiting: [Int: (bytes: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var isCancelled = false
    }

    private let bytes: Int
    private let state = Mutex(State())
    /// The budget that this one shares with others; nil for none.
    private let common: MemoryBudget?
    /// The bytes that are reserved in the common budget.
    private let shared = Mutex(0)

    /// The common budget of all budgets that a task creates.
    @TaskLocal private static var ofTask: MemoryBudget?

    /// - Parameter bytes: the total memory limit.
    package init(bytes: Int) {
        self.bytes = bytes
        common = MemoryBudget.ofTask
    }

    /// Performs work whose own budgets share another one, so that several such works stay within its limit together.
    ///
    /// Each must have one element at a time in work. With several, two works could wait for each other.
    ///
    /// - Throws: the errors of `body`.
    package static func sharing<Result>(_ common: MemoryBudget, _ body: () async throws -> Result) async throws
        -> Result
    {
        try await $ofTask.withValue(common, operation: body)
    }

    deinit {
        // After an error, reserved memory is not returned.
        common?.leave(shared.withLock { $0 })
    }

    /// Performs work that takes a number of bytes, after all earlier requests have begun.
    ///
    /// - Throws: `CancellationError`; the errors of `body`.
    package func withReservation<Result>(for bytes: Int, _ body: () async throws -> Result) async throws -> Result {
        let turn = state.withLock { state in
            defer { state.last += 1 }
            return state.last
        }
        try await enter(turn, bytes)
        defer { leave(bytes) }
        return try await body()
    }

    /// Waits until enough memory is free.
    ///
    /// - Parameters:
    ///   - turn: counts from 0. Every turn must come, because later ones wait for it.
    ///   - bytes: the memory, which `leave` returns.
    /// - Throws: `CancellationError`. From then on no caller waits, because a turn may be missing.
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
        guard let common else { return }
        let turn = common.state.withLock { state in
            defer { state.last += 1 }
            return state.last
        }
        shared.withLock { $0 += bytes }
        try await common.enter(turn, bytes)
    }

    /// Returns the memory that `enter` reserved.
    func leave(_ bytes: Int) {
        if let common {
            shared.withLock { $0 -= bytes }
            common.leave(bytes)
        }
        let ready = state.withLock { state in
            state.used -= bytes
            return admitted(&state)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Removes the requests from the queue for which enough memory is free now.
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
