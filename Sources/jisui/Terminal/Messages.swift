internal import AdapterKit
internal import Files
internal import PageModel
internal import Synchronization

/// A printer of the warnings of one run: all of them, or the first few and the number of the others.
final class WarningPrinter: Sendable {
    private let file: String?
    private let maximumLines: Int
    private let count = Mutex(0)

    init(file: String?, all: Bool) {
        self.file = file
        maximumLines = all ? .max : 12
    }

    func print(_ warning: Warning) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number <= maximumLines { Messages.warning(warning, file: file) }
    }

    func finish() {
        let more = count.withLock { $0 } - maximumLines
        if more > 0 { Messages.note("jisui: \(more) more warnings; --verbose shows them, --report lists them") }
    }
}

/// The functions that print all errors and warnings.
enum Messages {
    private struct Style {
        var isColored = Terminal.errorIsTerminal && Environment.text("NO_COLOR") == nil
        var isQuiet = false
    }

    private static let style = Mutex(Style())

    static func configure(quiet: Bool, noColor: Bool) {
        style.withLock { style in
            style.isQuiet = quiet
            if noColor { style.isColored = false }
        }
    }

    static func error(_ error: AdapterError) { self.error(error.text) }

    /// - Parameter lines: further lines to print below the message. Names in them must already be safe.
    static func error(_ message: Message, lines: String? = nil) {
        print("error", "31", message)
        if let lines { Terminal.writeError(Terminal.safeLines(lines) + "\n") }
    }

    static func warning(_ warning: Warning, file: String?) {
        if style.withLock({ $0.isQuiet }) { return }
        let text = explanation(of: warning, file: file)
        let line: Message = warning.hint.map { "\(text); \($0)" } ?? text
        warning.isNote ? note(line) : print("warning", "33", line)
    }

    /// Prints the one line that explains the exit status of a run with --quiet.
    ///
    /// - Parameter more: the number of further warnings.
    static func quietWarning(_ warning: Warning, file: String, more: Int) {
        let text = explanation(of: warning, file: file)
        let line: Message =
            switch more {
            case 0: text
            case 1: "\(text); and 1 more warning: use --report to list both"
            default: "\(text); and \(more) more warnings: use --report to list them"
            }
        print("warning", "33", line)
    }

    private static func explanation(of warning: Warning, file: String?) -> Message {
        // A page that is the input itself already has the name of the input.
        guard let file, warning.subject != FileName.last(of: file) else { return warning.explanation }
        return "\(file): \(warning.explanation)"
    }

    /// Prints a message that --quiet suppresses.
    static func note(_ message: Message) {
        if style.withLock({ $0.isQuiet }) { return }
        ProgressBar.withBarHidden { Terminal.writeLine(message.localized) }
    }

    /// Prints a line of the answer to a command, on standard output.
    static func answer(_ message: Message) { Swift.print(Terminal.safe(message.localized)) }

    private static func print(_ kind: Message, _ color: String, _ message: Message) {
        let kind = kind.localized
        let label = style.withLock { $0.isColored } ? "\u{1B}[\(color)m\(kind):\u{1B}[0m" : "\(kind):"
        ProgressBar.withBarHidden { Terminal.writeLine(message.localized, label: "jisui: \(label) ") }
    }
}
