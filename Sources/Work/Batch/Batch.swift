public import AdapterKit
public import Conversion
internal import Files
public import PageModel

/// A run of several books. An error in one book does not stop the others.
public final class Batch {
    let registry: Registry
    let books: [BatchBook]
    private let collection: (any BookCollection)?
    let folder: String?
    let isNextToInputs: Bool
    /// Whether the run consists of one book, whose error is that of the run.
    let isAlone: Bool
    /// The books that cannot be converted because they would share an output, with the errors to report.
    let clashes: [OutputClash]
    /// The file that gets a report on each book; nil for none.
    public var reports: ReportStream?
    /// The journal that gets a line for each book; nil for none.
    public var journal: JournalUse?
    /// The errors of inputs that cannot be read, which `run` reports before the first book.
    public var unreadable: [AdapterError] = []
    /// The sandbox layers for worker processes that this system lacks, for the reports.
    public var missingSandbox: [String] = []
    var result: BatchResult
    private let created = CreatedFolders()
    private var isCollectionFinished = false

    /// Checks that no output or side file replaces another one. This creates no file.
    ///
    /// - Parameters:
    ///   - registry: the adapters.
    ///   - jobs: the books, in their order.
    ///   - collection: the common output of all books; nil if each has its own. The batch finishes it.
    ///   - folder: the folder of the outputs, to be created if it does not exist.
    ///   - sideFiles: the files that are written in addition to the outputs.
    ///   - skipsExisting: whether books whose outputs exist are skipped without an error.
    ///   - isNextToInputs: whether the outputs are next to the inputs, where they never replace anything.
    ///   - isContinued: whether other batches of the same run come before or after this one.
    /// - Throws: `.usage`, also if every book shares its output with another one.
    public init(
        _ registry: Registry, _ jobs: [Job], collection: (any BookCollection)? = nil, folder: String? = nil,
        sideFiles: SideFiles? = nil, skipsExisting: Bool = false,
        isNextToInputs: Bool = false, isContinued: Bool = false
    ) throws(AdapterError) {
        self.registry = registry
        self.collection = collection
        self.isNextToInputs = isNextToInputs
        let isAlone = jobs.count == 1 && !isContinued
        self.isAlone = isAlone
        result = BatchResult(jobs, skipsExisting: skipsExisting)
        self.folder = result.isDryRun ? nil : folder
        var books = jobs.enumerated().map { place, job in
            var job = job
            job.collection = collection
            return BatchBook(job, at: place, of: jobs.count, isAlone: isAlone, registry)
        }
        BatchBook.setParts(of: &books)
        self.books = books
        try sideFiles?.validate(for: books)
        // A book that is its own output, which is to be skipped, takes no name from another one.
        clashes = OutputClash.all(in: books.filter { !(skipsExisting && $0.isDone && $0.isItsOwnOutput) })
        if !clashes.isEmpty, others.isEmpty { throw OutputClash.error(clashes, others: [], registry) }
        if skipsExisting { try refuseSkipping() }
    }

    /// The numbers of the books that would share their output with another one.
    var clashing: Set<Int> { Set(clashes.flatMap(\.books).map(\.number)) }

    /// The books that share their output with no other one.
    var others: [BatchBook] {
        let clashing = clashing
        return books.filter { !clashing.contains($0.number) }
    }

    /// - Throws: `.usage` if it cannot be known which outputs exist.
    private func refuseSkipping() throws(AdapterError) {
        guard let book = books.first else { return }
        if book.isInCollection {
            throw AdapterError(
                .usage,
                "a shelf finds books that it holds only after their conversion, so --skip-existing cannot be used",
                hint: "remove --skip-existing: the shelf refuses a book that it holds")
        }
        if book.job.destination.isStandardOutput {
            throw AdapterError(.usage, "--skip-existing needs the name of an output, not standard output")
        }
    }

    /// Creates the folder of the outputs. `run` does so too; a caller can report the error before it begins.
    ///
    /// - Throws: `.unwritable`.
    public func prepare() throws(AdapterError) {
        if let folder { try created.make(folder) }
    }

    /// Converts all books. It can be called once.
    ///
    /// - Parameter onEvent: receives events from any task.
    /// - Throws: the `AdapterError` of the book, if the run has only one; that of the collection or the journal;
    ///   `CancellationError`.
    public func run(onEvent: @escaping @Sendable (BatchEvent) -> Void = { _ in }) async throws -> BatchResult {
        try prepare()
        defer { close() }
        for error in unreadable { onEvent(.unreadable(error)) }
        result.unreadable = unreadable
        let runner = BookRunner(
            registry: registry, journal: journal?.journal, created: created, folder: folder,
            hintForExisting: hintForExisting, skipsExisting: result.skipsExisting, missingSandbox: missingSandbox)
        do {
            try refuse(onEvent)
            let chosen = try chosen(of: others, onEvent)
            let schedule = BookSchedule(chosen)
            if schedule.isSideBySide {
                try await convertSideBySide(chosen, schedule, runner, onEvent)
            } else {
                try await convertInTurn(chosen, runner, onEvent)
            }
            if let journal {
                try JournalFailure.wrapping { () throws(AdapterError) in try journal.journal.synchronize() }
            }
        } catch let failure as JournalFailure {
            throw failure.error
        }
        onEvent(.completed(result))
        try finishCollection()
        return result
    }

    private func convertInTurn(
        _ books: [BatchBook], _ runner: BookRunner, _ onEvent: @escaping @Sendable (BatchEvent) -> Void
    ) async throws {
        for (place, book) in books.enumerated() {
            let outcome = try await runner.convert(book, onEvent)
            report(outcome, of: book, onEvent)
            try count(outcome, of: book, onEvent)
            if result.stop != nil {
                result.left = books.count - place - 1
                return
            }
        }
    }

    /// Converts small books side by side, and counts them in their order.
    private func convertSideBySide(
        _ books: [BatchBook], _ schedule: BookSchedule, _ runner: BookRunner,
        _ onEvent: @escaping @Sendable (BatchEvent) -> Void
    ) async throws {
        let order = EventOrder(onEvent)
        try await withThrowingTaskGroup(of: (Int, BookOutcome).self) { group in
            var (started, counted) = (0, 0)
            var early: [Int: BookOutcome] = [:]
            func start() {
                while started < books.count, started - counted < schedule.window {
                    let (place, book) = (started, books[started])
                    started += 1
                    group.addTask {
                        try await schedule.perform(book) { book in
                            (place, try await runner.convert(book) { order.post($0, of: place) })
                        }
                    }
                }
            }
            start()
            while let (place, outcome) = try await group.next() {
                report(outcome, of: books[place], onEvent)
                early[place] = outcome
                while result.stop == nil, let outcome = early.removeValue(forKey: counted) {
                    try count(outcome, of: books[counted], onEvent)
                    counted += 1
                    order.advance()
                }
                if result.stop != nil {
                    result.left = books.count - counted
                    group.cancelAll()
                    return
                }
                start()
            }
        }
    }

    var hintForExisting: Message {
        isNextToInputs ? "use -o to write to another path" : "use --force to replace it"
    }

    /// Ends the batch: completes the collection, which has the finished books, and removes the created folder if no
    /// book was finished. `run` does so too; a caller needs it after `prepare` if `run` may not be reached.
    public func close() {
        try? finishCollection()
        created.removeEmpty()
    }

    private func finishCollection() throws(AdapterError) {
        if isCollectionFinished { return }
        isCollectionFinished = true
        try collection?.finish()
    }
}
