internal import AdapterKit
internal import Audit
internal import Conversion
internal import Directions
internal import Files
internal import PageModel
internal import Synchronization
internal import Work

/// A printer of the messages, the plans and the progress of a batch.
final class BatchPrinter: Sendable {
    private let isQuiet: Bool
    private let isVerbose: Bool
    /// Whether to print each page's plan, which is the purpose of a dry run.
    private let printsPages: Bool
    /// Whether the progress of single books is hidden, because an overview is shown.
    private let hidesBooks: Bool
    private let impliedOptions: Set<String>
    private let limit: DeviceLimit?
    /// The printers of the warnings of books, by the numbers of the books.
    private let warnings = Mutex<[Int: WarningPrinter]>([:])

    /// Whether the notes on a book are printed with it, and not once at the end of the batch.
    private func printsNotes(on book: BatchBook) -> Bool { book.isAlone || isVerbose }

    /// The maximum number of non-page files that are listed.
    private static let maximumNames = 50
    /// The usual share of a book's time after which its analysis ends, and its conversion if it is read back.
    private static let (analysisShare, conversionShare) = (0.4, 0.75)

    /// - Parameters:
    ///   - impliedOptions: the options that were not typed. A note that they had no effect would only disturb.
    ///   - limit: the largest file that the device takes.
    init(
        isQuiet: Bool, isVerbose: Bool, printsPages: Bool, hidesBooks: Bool = false, impliedOptions: Set<String> = [],
        limit: DeviceLimit? = nil
    ) {
        (self.impliedOptions, self.limit) = (impliedOptions, limit)
        self.hidesBooks = hidesBooks
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.printsPages = printsPages
    }

    @Sendable func show(_ event: BatchEvent) {
        switch event {
        case .began(let book):
            CrashReport.begin(book: book.name)
            if !isQuiet, !hidesBooks {
                ProgressBar.begin(place(of: book) + FileName.last(of: book.name), part: book.part)
            }
        case .converting(let book, let event): show(event, book)
        case .finished(let book, let report):
            warnings.withLock { $0.removeValue(forKey: book.number) }?.finish()
            summarize(report, book)
        case .ended(let book):
            if !hidesBooks { ProgressBar.end() }
            CrashReport.end(book: book.name)
        case .failed(let book, let error):
            warnings.withLock { $0.removeValue(forKey: book.number) }?.finish()
            Messages.error(error)
        case .reportFailed(let error), .unreadable(let error), .refused(_, let error): Messages.error(error)
        case .completed(let result):
            for line in result.journalNotes { Messages.note(line) }
            if let error = result.failedBeforeError { Messages.error(error) }
            if result.bookCount == 1 {
                for path in result.existing + result.doneBefore { Messages.note("\(path): done before") }
                return
            }
            if !isVerbose { for line in result.notes.lines { Messages.note(line) } }
            for option in shown(result.unusedOptions) { Messages.note(option.text) }
            if let error = result.existingError {
                if result.isDryRun { Messages.note(error.text) } else { Messages.error(error) }
            }
            Messages.note(result.tally)
        }
    }

    private func show(_ event: ConversionEvent, _ book: BatchBook) {
        switch event {
        case .began(let page): CrashReport.begin(page: page)
        case .ended(let page): CrashReport.end(page: page)
        case .analyzing(let step, let steps, let pages):
            ProgressBar.enter(
                .analyzing, until: BatchPrinter.analysisShare * Double(step) / Double(steps), pages: pages)
        case .previewed(let count, _): ProgressBar.advance(to: count)
        case .directed(let reading):
            if printsNotes(on: book) { Messages.warning(reading.note, file: book.isAlone ? nil : book.name) }
        case .opened(let count):
            ProgressBar.enter(.converting, until: book.job.isReadBack ? BatchPrinter.conversionShare : 1, pages: count)
        case .finished(let count): ProgressBar.advance(to: count)
        case .completing: ProgressBar.show(.writing)
        case .readingBack: ProgressBar.show(.checking)
        case .warned(let warning):
            if !warning.isNote || printsNotes(on: book) { printer(of: book).print(warning) }
        }
    }

    /// Returns the printer of a book's warnings. Those about a book of several inputs already name their file.
    private func printer(of book: BatchBook) -> WarningPrinter {
        warnings.withLock { printers in
            let printer =
                printers[book.number]
                ?? WarningPrinter(file: book.job.inputs.count == 1 ? book.name : nil, all: isVerbose)
            printers[book.number] = printer
            return printer
        }
    }

    /// Returns the place of a book among several: "[2/23] ".
    private func place(of book: BatchBook) -> String { book.count > 1 ? "[\(book.number)/\(book.count)] " : "" }

    /// Prints a note. Among several books, it has to name its book.
    private func note(_ text: Message, _ book: BatchBook) {
        Messages.note(book.isAlone ? text : "\(book.name): \(text)")
    }

    /// Prints a line of a dry run, to standard output unless that is reserved for the book.
    private func printPlan(_ line: Message, _ job: Job) {
        let line = Terminal.safe(line.localized)
        if job.destination.isStandardOutput { Terminal.writeError(line + "\n") } else { print(line) }
    }

    private func summarize(_ report: Report, _ book: BatchBook) {
        if printsNotes(on: book) {
            if let guess = report.guessNote { note(guess.message, book) }
            if let title = report.namedTitle { note(title, book) }
            for option in shown(report.unusedOptions) { note(option.text, book) }
            for finding in report.findingNotes { note(finding.message, book) }
        }
        if isVerbose, let guess = report.guess, !guess.isWritten {
            note("inferred from the file name: \(guess.guess); use --guess to write it to the output", book)
        }
        if isVerbose || printsPages { printPages(report, book) }
        if isVerbose {
            for name in report.skipped.prefix(BatchPrinter.maximumNames) {
                Messages.note("    skipped, not a page: \(name)")
            }
            let more = report.skipped.count - BatchPrinter.maximumNames
            if more > 0 { Messages.note("    and \(more) more; use --report to list them") }
        }
        let isShared = !book.isAlone && book.isInCollection
        var summary = Summary(report, book: isShared ? book.name : nil, isDryRun: report.isDryRun).text
        if let blocker = report.blocker { summary = "\(summary); but \(blocker)" }
        // Among several books, one word says that a book is verified.
        let isVerified = report.verification.map { $0.blocker == nil } ?? false
        let saysVerified = isVerified && !printsNotes(on: book)
        Messages.note(saysVerified ? "\(summary); verified" : summary)
        if let text = limit?.warning(report) { Messages.note(text) }
        if let verification = report.verification, !saysVerified { Messages.note(verification.text) }
        for other in report.alongside {
            guard let verification = other.verification, !saysVerified || verification.blocker != nil else { continue }
            Messages.note("\(other.to): \(verification.text)")
        }
    }

    /// Returns the options without an effect that a line is printed for.
    private func shown(_ options: [UnusedOption]) -> [UnusedOption] {
        options.filter { isVerbose || !impliedOptions.contains($0.name) }
    }

    private func printPages(_ report: Report, _ book: BatchBook) {
        guard report.isDryRun else {
            for line in PageLines(report.pages).texts { Messages.note(line) }
            return
        }
        if book.count > 1 { printPlan("\(place(of: book))\(book.name) -> \(report.output)", book.job) }
        for page in report.pages { printPlan(PageLine(page).text, book.job) }
    }
}
