internal import Conversion
internal import Synchronization

/// Passes on the events of books that are converted side by side. Warnings wait until those of all earlier books have been
/// passed on, so that the lines of a book stay together. Other events, such as those of pages, are passed on at once.
final class EventOrder: Sendable {
    private struct State {
        /// The place of the book whose warnings are passed on.
        var front = 0
        var waiting: [Int: [BatchEvent]] = [:]
    }

    private let onEvent: @Sendable (BatchEvent) -> Void
    private let state = Mutex(State())

    init(_ onEvent: @escaping @Sendable (BatchEvent) -> Void) {
        self.onEvent = onEvent
    }

    /// - Parameter place: the place of the event's book.
    func post(_ event: BatchEvent, of place: Int) {
        guard EventOrder.isLine(event) else { return onEvent(event) }
        state.withLock { state in
            if place == state.front { onEvent(event) } else { state.waiting[place, default: []].append(event) }
        }
    }

    /// Passes on the warnings of the next book.
    func advance() {
        state.withLock { state in
            state.front += 1
            for event in state.waiting.removeValue(forKey: state.front) ?? [] { onEvent(event) }
        }
    }

    private static func isLine(_ event: BatchEvent) -> Bool {
        switch event {
        case .converting(_, .warned), .converting(_, .directed): true
        default: false
        }
    }
}
