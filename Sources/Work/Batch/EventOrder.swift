public import Audit
public import Conversion
public import PageModel
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

/// An event of a batch, for the user interface.
public enum BatchEvent: Sendable {
    /// An input cannot be read. It may contain books, which are not among those of the batch.
    case unreadable(AdapterError)
    /// Work on a book has begun.
    case began(BatchBook)
    /// An event of the book's conversion. It may come from any task.
    case converting(BatchBook, ConversionEvent)
    /// A book was converted, or planned in a dry run.
    case finished(BatchBook, Report)
    /// A book could not be converted. The batch goes on with the next one.
    case failed(BatchBook, AdapterError)
    /// Books are not converted, because they would share an output. The error names all of them.
    case refused([BatchBook], AdapterError)
    /// Work on a book has ended, successfully or not.
    case ended(BatchBook)
    /// The file of reports could not be written. The books are converted nevertheless, and their reports are lost.
    case reportFailed(AdapterError)
    /// Work on all books has ended. Only the files about all books of a collection are still written.
    case completed(BatchResult)
}
