internal import PageModel
internal import Synchronization

/// The progress bar on the terminal. It shows this book's pages, pages per second, the time left, and the position in a batch.
///
/// There is only one terminal, so the bar is static. Nothing is shown unless stderr is a terminal.
enum ProgressBar {
    /// The progress of the current book.
    struct State {
        var isShown = false
        var label = ""
        /// The current activity other than converting pages; empty while pages are converted.
        var activity = ""
        var done = 0
        var total = 0
        var started = ContinuousClock.now
        var drawn: ContinuousClock.Instant?
    }

    private static let state = Mutex(State())
    private static let width = 24
    /// The minimum number of columns for a label before the bar and the numbers are shortened.
    private static let minimumLabelWidth = 12

    /// Begins a book.
    ///
    /// - Parameter label: its name, with its position in a batch.
    static func begin(_ label: String, total: Int) {
        show(State(isShown: true, label: Terminal.safe(label), total: total))
    }

    /// Shows the progress of analysis before any page is converted.
    static func showAnalysis(_ label: String, at done: Int, of total: Int) {
        guard Terminal.errorIsTerminal else { return }
        state.withLock { state in
            if state.activity.isEmpty || done < state.done {
                state = State(isShown: true, label: Terminal.safe(label), activity: "analyzing pages", total: total)
            }
        }
        advance(to: done)
    }

    /// Shows that all pages are done, and the output is being written.
    static func complete() {
        state.withLock { state in
            guard state.isShown else { return }
            state.activity = "writing"
            draw(&state)
        }
    }

    static func advance(to done: Int) {
        state.withLock { state in
            guard state.isShown else { return }
            state.done = done
            if let drawn = state.drawn, ContinuousClock.now - drawn < .milliseconds(80), done < state.total { return }
            draw(&state)
        }
    }

    static func end() {
        state.withLock { state in
            if state.isShown { Terminal.writeError("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    /// Clears the bar's line while `body` writes.
    static func withBarHidden(_ body: () -> Void) {
        state.withLock { state in
            if state.isShown { Terminal.writeError("\r\u{1B}[K") }
            body()
        }
    }

    /// Shows the bar immediately, because the first page may take a while.
    private static func show(_ book: State) {
        guard Terminal.errorIsTerminal else { return }
        state.withLock { state in
            state = book
            draw(&state)
        }
    }

    private static func draw(_ state: inout State) {
        let now = ContinuousClock.now
        state.drawn = now
        let seconds = (now - state.started) / .seconds(1)
        Terminal.writeError("\r\u{1B}[K" + line(state, seconds: seconds, columns: Terminal.columns))
    }

    /// Returns the visible line. It leaves the last column free, because some terminals wrap there.
    ///
    /// - Parameter seconds: the time since the book was begun.
    static func line(_ state: State, seconds: Double, columns: Int) -> String {
        let room = max(0, columns - 1)
        let numbers = numbers(state, seconds)
        // The first that leaves room for a label, or else the shortest.
        let shown = numbers.first { Terminal.width(of: $0) + 1 + minimumLabelWidth <= room } ?? numbers.last ?? ""
        let label = Terminal.cut(state.label, to: room - Terminal.width(of: shown) - 1)
        return Terminal.cut(label.isEmpty ? shown : "\(label) \(shown)", to: room)
    }

    /// Returns the progress of the book, with less and less detail.
    private static func numbers(_ state: State, _ seconds: Double) -> [String] {
        if state.done >= state.total, !state.activity.isEmpty { return [state.activity] }
        let count = "\(state.done)/\(state.total)"
        if !state.activity.isEmpty { return ["\(state.activity) \(count)", count] }
        let filled = state.total == 0 ? 0 : width * state.done / state.total
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
        guard state.done > 0, seconds > 0 else { return ["[\(bar)] \(count)", count] }
        let rate = Double(state.done) / seconds
        let left = clock(Int(clamping: (Double(state.total - state.done) / rate).rounded(.up), to: 0...359_999))
        let speed = "\(Int(clamping: rate, to: 0...999_999)) pages/s"
        return [
            "[\(bar)] \(count)  \(speed)  \(left) left", "\(count)  \(speed)  \(left) left", "\(count)  \(left) left",
            count,
        ]
    }

    private static func clock(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
