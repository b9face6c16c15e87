public import AdapterKit
internal import Audit
public import Conversion
public import PageModel

/// The result of a batch: the numbers of its books, and the options without effect.
public struct BatchResult: Sendable {
    public let bookCount: Int
    /// Whether the books were only planned.
    public let isDryRun: Bool
    /// The number of books that were converted, or planned in a dry run.
    public internal(set) var finished = 0
    /// The number of finished books with warnings.
    public internal(set) var withWarnings = 0
    /// The number of planned books whose real run would fail because the output exists.
    public internal(set) var blocked = 0
    public internal(set) var failed = 0
    /// The number of failed books that may succeed at another time.
    public internal(set) var failedForNow = 0
    /// The errors of inputs that could not be read, and whose books are unknown.
    public internal(set) var unreadable: [AdapterError] = []
    /// The paths of the outputs of books that are done by the journal.
    public internal(set) var doneBefore: [String] = []
    /// The number of these books that were made with another recipe or version.
    public internal(set) var doneOtherwise = 0
    /// The lines of the journal about books that failed for good.
    public internal(set) var failedBefore: [JournalEntry] = []
    /// The paths of complete outputs that had no line in the journal.
    public internal(set) var found: [String] = []
    /// The error that ended the run early, with the number of books that are left.
    public internal(set) var stop: AdapterError?
    public internal(set) var left = 0
    /// The paths of the outputs that exist, whose books were not converted.
    public internal(set) var existing: [String] = []
    /// Whether books whose outputs exist are skipped without an error.
    public let skipsExisting: Bool
    /// Whether the file of reports is incomplete because it could not be written.
    public internal(set) var reportFailed = false
    /// The notes on the finished books.
    public private(set) var notes = BatchNotes()
    /// The number of warnings about finished books.
    public private(set) var warningCount = 0
    /// The first of these warnings, with the name of its book.
    public private(set) var firstWarning: (book: String, warning: Warning)?
    /// The options that had no effect, in the words of the first book, with the number of books.
    private var unused: [(option: UnusedOption, books: Int)] = []

    init(_ jobs: [Job], skipsExisting: Bool) {
        self.skipsExisting = skipsExisting
        bookCount = jobs.count
        isDryRun = jobs.first?.isDryRun == true
    }

    /// The options that had no effect on any book.
    public var unusedOptions: [UnusedOption] {
        unused.filter { $0.books == finished }.map(\.option)
            // A book that failed may have been opened with the password.
            .filter { failed == 0 || $0.name != UnusedOption.passwordFile.name }
    }

    static let hintForExisting: Message = "use --skip-existing to continue without this error"

    /// The error that outputs exist, for all books together; nil without such outputs, or if they were to be skipped.
    public var existingError: AdapterError? { skipsExisting ? nil : BatchResult.error(existing: existing) }

    static func error(existing: [String]) -> AdapterError? {
        guard let first = existing.first else { return nil }
        if existing.count == 1 {
            return AdapterError(
                .exists, "done before, because the output exists", hint: BatchResult.hintForExisting, file: first)
        }
        return AdapterError(
            .exists, "\(existing.count) books were done before, because their outputs exist, such as \(first)",
            hint: BatchResult.hintForExisting)
    }

    /// The lines about the journal.
    public var journalNotes: [Message] {
        var notes: [Message] = []
        if let first = found.first {
            notes.append(
                found.count == 1
                    ? "\(first) was complete, but not in the journal; jisui added it"
                    : "\(found.count) outputs such as \(first) were complete, but not in the journal; jisui added them")
        }
        if doneOtherwise > 0 {
            notes.append(
                doneOtherwise == 1
                    ? "1 book was done with other options or another version; use --update to convert it again"
                    : "\(doneOtherwise) books were done with other options or another version; use --update to convert "
                        + "them again")
        }
        return notes
    }

    /// The error that books failed in an earlier run; nil without such books.
    public var failedBeforeError: AdapterError? {
        guard let first = failedBefore.first else { return nil }
        let cause = Message(verbatim: first.failure?.message ?? first.name)
        return failedBefore.count == 1
            ? AdapterError(
                .unreadable, "\(cause); this book failed in an earlier run", hint: "use --retry-failed to try it again")
            : AdapterError(
                .unreadable, "\(failedBefore.count) books failed in an earlier run, such as this: \(cause)",
                hint: "use --retry-failed to try them again")
    }

    /// The numbers in one line: "23 books: 18 done, 1 of them with warnings, 3 done before, 2 failed".
    public var tally: Message {
        var parts: [Message] = [isDryRun ? "\(finished) planned" : "\(finished) done"]
        if withWarnings > 0 { parts.append("\(withWarnings) of them with warnings") }
        if blocked > 0 { parts.append("\(blocked) of them blocked") }
        let before = existing.count + doneBefore.count + found.count
        if before > 0 { parts.append("\(before) done before") }
        if failed > 0 { parts.append("\(failed) failed") }
        if !failedBefore.isEmpty { parts.append("\(failedBefore.count) failed before") }
        if left > 0 { parts.append("\(left) left") }
        return "\(bookCount) books: \(parts.joined(separator: ", "))"
    }

    /// Counts a finished book.
    mutating func add(_ report: Report, of book: BatchBook) {
        finished += 1
        if let first = report.warnings.first {
            withWarnings += 1
            warningCount += report.warnings.count
            firstWarning = firstWarning ?? (book.name, first)
        }
        if report.blocker != nil { blocked += 1 }
        // Notes about the whole run, and options without effect, have lines of their own.
        notes.add(
            report.notes.filter { $0.code != UnusedOption.code && !book.job.notes.contains($0) }, of: book.name)
        for option in report.unusedOptions {
            if let place = unused.firstIndex(where: { $0.option.name == option.name }) {
                unused[place].books += 1
            } else {
                unused.append((option, 1))
            }
        }
    }
}
