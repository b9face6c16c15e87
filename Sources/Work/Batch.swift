public import AdapterKit
public import Conversion
internal import Files
public import PageModel

/// A run of several books, one after the other. An error in one book does not stop the others.
public final class Batch {
    private let registry: Registry
    private let books: [BatchBook]
    private let collection: (any BookCollection)?
    private let folder: String?
    private let isNextToInputs: Bool
    /// The books that cannot be converted because they would share an output, with the errors to report.
    private let clashes: [OutputClash]
    /// The file that gets a report on each book; nil for none.
    public var reports: ReportStream?
    /// The sandbox layers for worker processes that this system lacks, for the reports.
    public var missingSandbox: [String] = []
    private var result: BatchResult
    private var createdFolder: String?
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
    /// - Throws: `.usage`, also if every book shares its output with another one.
    public init(
        _ registry: Registry, _ jobs: [Job], collection: (any BookCollection)? = nil, folder: String? = nil,
        sideFiles: SideFiles? = nil, skipsExisting: Bool = false,
        isNextToInputs: Bool = false
    ) throws(AdapterError) {
        self.registry = registry
        self.collection = collection
        self.isNextToInputs = isNextToInputs
        result = BatchResult(jobs, skipsExisting: skipsExisting)
        self.folder = result.isDryRun ? nil : folder
        var books = jobs.enumerated().map { place, job in
            var job = job
            job.collection = collection
            return BatchBook(job, at: place, of: jobs.count, registry)
        }
        BatchBook.setParts(of: &books)
        self.books = books
        try sideFiles?.validate(for: books)
        // A book that is its own output, which is to be skipped, takes no name from another one.
        clashes = OutputClash.all(in: books.filter { !(skipsExisting && $0.isDone && $0.isItsOwnOutput) })
        if !clashes.isEmpty, others.isEmpty { throw OutputClash.error(clashes, others: [], registry) }
        if skipsExisting { try refuseSkipping() }
    }

    /// The books that share their output with no other one.
    private var others: [BatchBook] {
        let clashing = Set(clashes.flatMap(\.books).map(\.number))
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
        guard let folder, createdFolder == nil, !FileStatus.isFolder(folder) else { return }
        try Folder.make(folder)
        createdFolder = folder
    }

    /// Converts all books. It can be called once.
    ///
    /// - Parameter onEvent: receives events from any task.
    /// - Throws: the `AdapterError` of the book, if there is only one; that of the collection; `CancellationError`.
    public func run(onEvent: @escaping @Sendable (BatchEvent) -> Void = { _ in }) async throws -> BatchResult {
        try prepare()
        defer { close() }
        refuseClashes(onEvent)
        for book in others {
            do {
                if try skip(book, onEvent) { continue }
                try await convert(book, onEvent)
            } catch var error as AdapterError {
                // Among several books, an error has to name its book.
                if books.count > 1 { error.file = error.file ?? book.job.inputs.first?.name }
                write(onEvent) { reports throws(AdapterError) in try reports.append(error, about: book.job) }
                if books.count == 1 { throw error }
                onEvent(.failed(book, error))
                result.failed += 1
            }
        }
        onEvent(.completed(result))
        try finishCollection()
        return result
    }

    private var hintForExisting: Message {
        isNextToInputs ? "use -o to write to another path" : "use --force to replace it"
    }

    /// Reports the books that would share an output, before the first one is converted.
    private func refuseClashes(_ onEvent: (BatchEvent) -> Void) {
        guard let first = clashes.first?.books.first else { return }
        let error = OutputClash.error(clashes, others: others, registry)
        for book in clashes.flatMap(\.books) {
            write(onEvent) { reports throws(AdapterError) in try reports.append(error, about: book.job) }
            result.failed += 1
        }
        onEvent(.failed(first, error))
    }

    /// Returns whether the output of a book exists, so that the book is only counted. Among several books, this is
    /// reported once for all of them.
    ///
    /// - Throws: `.exists` for the only book, if that is not to be skipped and can never be replaced.
    private func skip(_ book: BatchBook, _ onEvent: (BatchEvent) -> Void) throws(AdapterError) -> Bool {
        guard book.isDone, result.skipsExisting || !book.isItsOwnOutput else { return false }
        let path = book.job.destination.path
        if !result.skipsExisting {
            // Otherwise the conversion reports it, after faults in options. The plan of a dry run states it.
            if books.count == 1, !isNextToInputs || result.isDryRun { return false }
            let hint = books.count == 1 ? hintForExisting : BatchResult.hintForExisting
            let error = AdapterError(.exists, "already exists", hint: hint, file: path)
            if books.count == 1 { throw error }
            write(onEvent) { reports throws(AdapterError) in try reports.append(error, about: book.job) }
        }
        result.existing.append(path)
        return true
    }

    /// Ends the batch: completes the collection, which has the finished books, and removes the created folder if no
    /// book was finished. `run` does so too; a caller needs it after `prepare` if `run` may not be reached.
    public func close() {
        try? finishCollection()
        if let createdFolder, result.finished == 0 { Folder.removeEmpty(createdFolder) }
        createdFolder = nil
    }

    private func finishCollection() throws(AdapterError) {
        if isCollectionFinished { return }
        isCollectionFinished = true
        try collection?.finish()
    }

    private func convert(_ book: BatchBook, _ onEvent: @escaping @Sendable (BatchEvent) -> Void) async throws {
        onEvent(.began(book))
        defer { onEvent(.ended(book)) }
        var report = try await Conversion(registry, book.job) { onEvent(.converting(book, $0)) }.run()
        report.missingSandbox = missingSandbox
        if book.job.isDryRun { report.blocker = book.blocker(registry, hintForExisting) }
        result.add(report, of: book)
        onEvent(.finished(book, report))
        let finished = report
        write(onEvent) { reports throws(AdapterError) in try reports.append(finished) }
    }

    /// Writes to the file of reports. If that fails, for example on a full disk, the books are converted nevertheless,
    /// and the error is reported once.
    private func write(
        _ onEvent: (BatchEvent) -> Void, _ append: (ReportStream) throws(AdapterError) -> Void
    ) {
        guard let reports, !result.reportFailed else { return }
        do throws(AdapterError) {
            try append(reports)
        } catch {
            result.reportFailed = true
            onEvent(.reportFailed(error))
        }
    }
}
