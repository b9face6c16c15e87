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
    /// - Throws: `.usage`.
    public init(
        _ registry: Registry, _ jobs: [Job], collection: (any BookCollection)? = nil, folder: String? = nil,
        sideFiles: SideFiles? = nil
    ) throws(AdapterError) {
        self.registry = registry
        self.collection = collection
        result = BatchResult(jobs)
        self.folder = result.isDryRun ? nil : folder
        books = jobs.enumerated().map { place, job in
            var job = job
            job.collection = collection
            return BatchBook(job, at: place, of: jobs.count, registry)
        }
        try sideFiles?.validate(for: books)
        try Batch.refuseSharedOutputs(books)
    }

    /// Rejects several books with the same output, and names the inputs of all of them.
    private static func refuseSharedOutputs(_ books: [BatchBook]) throws(AdapterError) {
        let jobs = books.filter { !$0.isInCollection }.map(\.job)
        // Compared by bytes: for the system, a precomposed letter differs from a letter with a combining accent.
        let sharing = Dictionary(grouping: jobs) { FileName.bytes(of: $0.destination.path) }.values
            .filter { $0.count > 1 }
        guard !sharing.isEmpty else { return }
        let list = sharing.map { ($0[0].destination.path, $0) }.sorted { $0.0 < $1.0 }.map { path, jobs -> Message in
            let names = jobs.map { Message(verbatim: $0.inputs[0].name) }
            return names.count == 2
                ? "\(names.listed()) would both become \(path)" : "\(names.listed()) would all become \(path)"
        }
        throw AdapterError(
            .usage, list.joined(separator: "; "), hint: "convert them into different folders")
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
        for book in books {
            do {
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
        if book.job.isDryRun { report.blocker = book.blocker(registry) }
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
