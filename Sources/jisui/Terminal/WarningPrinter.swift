internal import AdapterKit
internal import Synchronization

/// Prints the warnings of one run: all of them, or the first few and how many more there are.
final class WarningPrinter: Sendable {
    private let file: String
    private let most: Int
    private let count = Mutex(0)

    init(file: String, all: Bool) {
        self.file = file
        most = all ? .max : 12
    }

    func print(_ warning: Warning) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number <= most { Messages.warning(warning, file: file) }
    }

    func finish() {
        let more = count.withLock { $0 } - most
        if more > 0 { Messages.note("jisui: \(more) more warnings; --verbose shows them, --report lists them") }
    }
}
