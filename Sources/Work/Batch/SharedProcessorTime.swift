internal import Files
internal import Synchronization

/// The processor time of books that are converted side by side.
///
/// The system measures that of the whole process. While several books are in work, each gets an equal share of it, so the
/// sum is exact and the parts are estimates.
final class SharedProcessorTime: Sendable {
    private struct State {
        var turns: [Int: Double] = [:]
        var next = 0
        var measured = 0.0

        mutating func share() {
            let now = SystemClock.processorSeconds
            let part = (now - measured) / Double(max(1, turns.count))
            measured = now
            for turn in turns.keys { turns[turn]? += part }
        }
    }

    private let state = Mutex(State())

    /// Begins the time of a book, and returns its number for `end`.
    func begin() -> Int {
        state.withLock { state in
            state.share()
            state.turns[state.next] = 0
            defer { state.next += 1 }
            return state.next
        }
    }

    func end(_ turn: Int) -> Double {
        state.withLock { state in
            state.share()
            return state.turns.removeValue(forKey: turn) ?? 0
        }
    }
}
