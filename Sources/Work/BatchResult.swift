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
    /// Whether the file of reports is incomplete because it could not be written.
    public internal(set) var reportFailed = false
    /// The number of finished books whose title is the name of their input.
    private var named = 0
    /// The options that had no effect, in the words of the first book, with the number of books.
    private var unused: [(option: UnusedOption, books: Int)] = []

    init(_ jobs: [Job]) {
        bookCount = jobs.count
        isDryRun = jobs.first?.isDryRun == true
    }

    /// The options that had no effect on any book.
    public var unusedOptions: [UnusedOption] {
        unused.filter { $0.books == finished }.map(\.option)
            // A book that failed may have been opened with the password.
            .filter { failed == 0 || $0.name != UnusedOption.passwordFile.name }
    }

    /// The note on titles that are names of inputs; nil if no book got such a title.
    public var namedTitles: Message? {
        guard named > 0 else { return nil }
        return named == 1
            ? "took the input's name as the title of 1 book, because nothing states one"
            : "took the inputs' names as the titles of \(named) books, because nothing states them"
    }

    /// The numbers in one line: "23 books: 21 done, 1 of them with warnings, 2 failed".
    public var tally: Message {
        var parts: [Message] = [isDryRun ? "\(finished) planned" : "\(finished) done"]
        if withWarnings > 0 { parts.append("\(withWarnings) of them with warnings") }
        if blocked > 0 { parts.append("\(blocked) of them blocked") }
        if failed > 0 { parts.append("\(failed) failed") }
        return "\(bookCount) books: \(parts.joined(separator: ", "))"
    }

    /// Counts a finished book.
    mutating func add(_ report: Report) {
        finished += 1
        if !report.warnings.isEmpty { withWarnings += 1 }
        if report.blocker != nil { blocked += 1 }
        if report.namedTitle != nil { named += 1 }
        for option in report.idle {
            if let place = unused.firstIndex(where: { $0.option.name == option.name }) {
                unused[place].books += 1
            } else {
                unused.append((option, 1))
            }
        }
    }
}
