internal import PageModel
internal import Synchronization

/// The progress bar on the terminal. It shows the current book with its phase, the share of the whole run that is done, and
/// the time left.
///
/// The share never decreases. There is only one terminal, so the bar is static. Nothing is shown unless stderr is a terminal.
enum ProgressBar {
    /// A part of the work on a book.
    enum Phase {
        case opening, analyzing, converting, writing, checking

        var name: Message {
            switch self {
            case .opening: "opening"
            case .analyzing: "analyzing"
            case .converting: "converting"
            case .writing: "writing"
            case .checking: "checking"
            }
        }
    }

    /// The progress of the run.
    struct State {
        var isShown = false
        /// The line about a run of many books, with less and less detail; it replaces everything else.
        var overview: [String] = []
        var label = ""
        var phase = Phase.opening
        /// The pages of the phase that are done; both numbers are 0 for a phase that does not count pages.
        var done = 0
        var total = 0
        /// The part of the run that the current book takes.
        var part = 0.0...1.0
        /// The part of the run that the current phase takes.
        var slot = 0.0...0.0
        /// The share of the run that is done, from 0 to 1.
        var share = 0.0
        var started = ContinuousClock.now
        var drawn: ContinuousClock.Instant?

        /// Enters a phase, which begins where the run is.
        ///
        /// - Parameter end: the share of the book that is done at its end.
        mutating func enter(_ phase: Phase, until end: Double, pages: Int) {
            self.phase = phase
            (done, total) = (0, pages)
            let target = part.lowerBound + end * (part.upperBound - part.lowerBound)
            slot = share...max(share, target)
        }

        mutating func advance(to count: Int) {
            // Another output of the same book.
            if phase == .writing, count < total { phase = .converting }
            done = min(count, total)
            guard total > 0 else { return }
            let wanted = slot.lowerBound + (slot.upperBound - slot.lowerBound) * Double(done) / Double(total)
            share = min(1, max(share, wanted))
        }
    }

    private static let state = Mutex(State())
    private static let width = 24
    /// The minimum number of columns for a label before the bar and the numbers are shortened.
    private static let minimumLabelWidth = 12
    /// The minimum share and the minimum number of seconds from which the time left is estimated.
    private static let minimumShare = 0.02
    private static let minimumSeconds = 1.0

    /// Begins a book.
    ///
    /// - Parameters:
    ///   - label: its name, with its position in a batch.
    ///   - part: the part of the run that it takes. A part that begins at 0 begins the run.
    static func begin(_ label: String, part: ClosedRange<Double> = 0...1) {
        guard Terminal.errorIsTerminal else { return }
        state.withLock { state in
            if part.lowerBound == 0 { state = State() }
            state.isShown = true
            (state.label, state.part) = (Terminal.safe(label), part)
            state.share = max(state.share, part.lowerBound)
            state.enter(.opening, until: 0, pages: 0)
            draw(&state)
        }
    }

    /// Enters a phase of the current book.
    ///
    /// - Parameters:
    ///   - end: the share of the book that is done at its end.
    ///   - pages: the number of its pages; 0 if they are not counted.
    static func enter(_ phase: Phase, until end: Double, pages: Int = 0) {
        update { $0.enter(phase, until: end, pages: pages) }
    }

    /// Shows another phase without a share of its own.
    static func show(_ phase: Phase) {
        update { $0.phase = phase }
    }

    static func advance(to done: Int) {
        state.withLock { state in
            guard state.isShown else { return }
            state.advance(to: done)
            if let drawn = state.drawn, ContinuousClock.now - drawn < .milliseconds(80), done < state.total { return }
            draw(&state)
        }
    }

    /// Shows a line about a run of many books.
    ///
    /// - Parameter overview: the line, with less and less detail.
    static func show(overview: [String]) {
        state.withLock { state in
            (state.isShown, state.overview) = (true, overview)
            if let drawn = state.drawn, ContinuousClock.now - drawn < .milliseconds(80) { return }
            draw(&state)
        }
    }

    private static func update(_ change: (inout State) -> Void) {
        state.withLock { state in
            guard state.isShown else { return }
            change(&state)
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

    private static func draw(_ state: inout State) {
        let now = ContinuousClock.now
        state.drawn = now
        let seconds = (now - state.started) / .seconds(1)
        Terminal.writeError("\r\u{1B}[K" + line(state, seconds: seconds, columns: Terminal.columns))
    }

    /// Returns the visible line. It leaves the last column free, because some terminals wrap there.
    ///
    /// - Parameter seconds: the time since the run was begun.
    static func line(_ state: State, seconds: Double, columns: Int) -> String {
        let room = max(0, columns - 1)
        if let shortest = state.overview.last {
            return Terminal.cut(state.overview.first { Terminal.width(of: $0) <= room } ?? shortest, to: room)
        }
        let numbers = numbers(state, seconds)
        // The first that leaves room for a label, or else the shortest.
        let shown = numbers.first { Terminal.width(of: $0) + 1 + minimumLabelWidth <= room } ?? numbers.last ?? ""
        let label = Terminal.cut(state.label, to: room - Terminal.width(of: shown) - 1)
        return Terminal.cut(label.isEmpty ? shown : "\(label) \(shown)", to: room)
    }

    /// Returns the progress, with less and less detail.
    private static func numbers(_ state: State, _ seconds: Double) -> [String] {
        let share = max(0, min(1, state.share))
        let filled = Int(clamping: Double(width) * share, to: 0...width)
        let bar = "[\(String(repeating: "=", count: filled))\(String(repeating: " ", count: width - filled))]"
        let percent = "\(Int(clamping: share * 100, to: 0...100))%"
        let name = state.phase.name.localized
        let phase = state.total == 0 || state.done >= state.total ? name : "\(name) \(state.done)/\(state.total)"
        guard share >= minimumShare, share < 1, seconds >= minimumSeconds else {
            return ["\(bar) \(percent)  \(phase)", "\(percent)  \(phase)", percent]
        }
        let rest = clock(seconds * (1 - share) / share)
        let left = ("\(rest) left" as Message).localized
        return [
            "\(bar) \(percent)  \(phase)  \(left)", "\(percent)  \(phase)  \(left)", "\(percent)  \(left)", percent,
        ]
    }

    /// Returns seconds as "2:05".
    static func clock(_ seconds: Double) -> String {
        let seconds = Int(clamping: seconds.rounded(.up), to: 0...359_999)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
