internal import Glibc
internal import Synchronization

/// A bar on the terminal: this book's pages, pages a second, the time left, and the place in a batch.
///
/// There is one terminal, so there is one bar. Nothing is shown unless stderr is a terminal.
enum ProgressBar {
    private struct State {
        var isShown = false
        var label = ""
        var done = 0
        var total = 0
        var started = ContinuousClock.now
        var drawn: ContinuousClock.Instant?
    }

    private static let state = Mutex(State())
    private static let width = 24

    /// Begins a book.
    ///
    /// - Parameter label: its name, with its place when there are several.
    static func begin(_ label: String, total: Int) {
        guard Terminal.errorIsTerminal else { return }
        state.withLock { $0 = State(isShown: true, label: Terminal.safe(label), total: total) }
    }

    static func advance(to done: Int) {
        state.withLock { state in
            guard state.isShown else { return }
            state.done = done
            let now = ContinuousClock.now
            if let drawn = state.drawn, now - drawn < .milliseconds(80), done < state.total { return }
            state.drawn = now
            Terminal.writeError("\r\u{1B}[K" + line(state, now: now))
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

    private static func line(_ state: State, now: ContinuousClock.Instant) -> String {
        let filled = state.total == 0 ? 0 : width * state.done / state.total
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
        let seconds = (now - state.started) / .seconds(1)
        let rate = seconds > 0 ? Double(state.done) / seconds : 0
        let left = rate > 0 ? Int((Double(state.total - state.done) / rate).rounded(.up)) : 0
        let numbers = "[\(bar)] \(state.done)/\(state.total)  \(Int(rate.rounded())) pages/s  \(clock(left)) left"
        let room = max(0, Terminal.columns - numbers.count - 2)
        let label = state.label.count > room ? state.label.prefix(max(0, room - 1)) + "…" : state.label[...]
        return "\(label) \(numbers)"
    }

    private static func clock(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// The terminal jisui talks to, if it does.
enum Terminal {
    static let errorIsTerminal = isatty(errorDescriptor) == 1 && environment("TERM") != "dumb"

    /// Standard error as the program got it.
    private static let errorDescriptor = dup(STDERR_FILENO)

    /// Keeps C libraries from printing to standard error what they should have returned ("some font thing
    /// failed"). With JISUI_DEBUG set everything is let through.
    static func silenceLibraries() {
        guard environment("JISUI_DEBUG") == nil, errorDescriptor >= 0 else { return }
        let nowhere = open("/dev/null", O_WRONLY)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// The width of the terminal in characters.
    static var columns: Int {
        var size = winsize()
        guard ioctl(errorDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A variable of the environment, if it is set and not empty.
    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Text as it may be shown: names in archives can hold what moves the cursor or turns the line around.
    static func safe(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    static func writeError(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(errorDescriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
