internal import PageModel
internal import Synchronization
internal import Work

/// Everything that follows a batch of many books: its overview, the events for another program, and the metrics.
final class BatchWatch: Sendable {
    private struct State {
        var totals = BatchTotals()
        var printed = ContinuousClock.now
    }

    private let isQueue: Bool
    private let isQuiet: Bool
    private let stream: ProgressStream?
    private let metrics: MetricsFile?
    private let state = Mutex(State())

    /// The time between two lines without a terminal.
    private static let interval = Duration.seconds(10)

    init(isQueue: Bool, isQuiet: Bool, _ stream: ProgressStream?, _ metrics: MetricsFile?) {
        (self.isQueue, self.isQuiet, self.stream, self.metrics) = (isQueue, isQuiet, stream, metrics)
    }

    /// Whether the overview replaces the progress of single books.
    var showsOverview: Bool { isQueue && !isQuiet }

    @Sendable func note(_ event: BatchEvent) {
        let (totals, isDue) = state.withLock { state in
            state.totals.note(event)
            let isDue = ContinuousClock.now - state.printed >= BatchWatch.interval
            if isDue { state.printed = .now }
            return (state.totals, isDue)
        }
        stream?.note(event, totals)
        metrics?.note(totals, isLast: event.isLast)
        guard showsOverview else { return }
        if event.isLast {
            ProgressBar.end()
        } else if Terminal.errorIsTerminal {
            ProgressBar.show(overview: BatchWatch.overview(totals))
        } else if isDue {
            Messages.note(Message(verbatim: BatchWatch.overview(totals)[0]))
        }
    }

    /// Returns the line about a run: books and pages done, rate, bytes, time left and failures, with less and less detail.
    static func overview(_ totals: BatchTotals) -> [String] {
        let books = "\(totals.done + totals.failed)/\(totals.books)"
        let rate = "\((totals.booksPerSecond * 10).rounded() / 10)"
        let count: Message = "\(books) books"
        let failed: [Message] = totals.failed > 0 ? ["\(totals.failed) failed"] : []
        let left: [Message] = totals.secondsLeft.map { ["\(ProgressBar.clock($0)) left"] } ?? []
        let parts: [[Message]] = [
            [count, "\(totals.pages) pages", "\(rate) books/s", ByteCount(totals.inputBytes).text] + left + failed,
            [count, "\(totals.pages) pages"] + left + failed,
            [count] + left + failed,
            [count],
        ]
        return parts.map { $0.map(\.localized).joined(separator: ", ") }
    }
}

extension BatchEvent {
    /// Whether no event about a book follows.
    fileprivate var isLast: Bool {
        if case .completed = self { true } else { false }
    }
}
