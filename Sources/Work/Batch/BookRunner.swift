internal import AdapterKit
internal import Audit
internal import Conversion
internal import Files
internal import PageModel

/// The outcome of a book.
enum BookOutcome: Sendable {
    case finished(Report)
    case failed(AdapterError)
    /// Another process finished the same output meanwhile.
    case existing
}

/// An error of the journal. It ends the run, because a later run could not continue it.
struct JournalFailure: Error {
    let error: AdapterError

    static func wrapping(_ body: () throws(AdapterError) -> Void) throws(JournalFailure) {
        do throws(AdapterError) {
            try body()
        } catch {
            var error = error
            error.hint = error.hint ?? "finished books are complete; repeat the command to continue"
            throw JournalFailure(error: error)
        }
    }
}

/// The conversion of single books of a batch, with everything that the books share.
struct BookRunner: Sendable {
    let registry: Registry
    let journal: Journal?
    let created: CreatedFolders
    /// The folder of all outputs; nil if they have none.
    let folder: String?
    let hintForExisting: Message
    let skipsExisting: Bool
    let missingSandbox: [String]
    let processor = SharedProcessorTime()

    /// Converts a book, and writes its line to the journal.
    ///
    /// - Parameter onEvent: receives the events of the book's conversion, its beginning and its end.
    /// - Throws: a `JournalFailure`; any error that is not an `AdapterError`, such as a `CancellationError`.
    func convert(_ book: BatchBook, _ onEvent: @escaping @Sendable (BatchEvent) -> Void) async throws -> BookOutcome {
        onEvent(.began(book))
        defer { onEvent(.ended(book)) }
        let draft = book.job.isDryRun ? nil : journal.map { JournalDraft(book, $0) }
        let turn = processor.begin()
        do {
            var report = try await attempt(book, onEvent)
            report.missingSandbox = missingSandbox
            if book.job.isDryRun { report.blocker = book.blocker(registry, report, hintForExisting) }
            try note(draft?.finished(report, processorSeconds: processor.end(turn)))
            return .finished(report)
        } catch var error as AdapterError {
            let seconds = processor.end(turn)
            // Another process may work on the same books.
            if error.code == .exists, skipsExisting || journal != nil, book.isDone || book.isWholeDone {
                try note(draft?.found())
                return .existing
            }
            // Among several books, an error has to name its book.
            if !book.isAlone { error.file = error.file ?? book.job.inputs.first?.name }
            try note(draft?.failed(error, processorSeconds: seconds))
            return .failed(error)
        }
    }

    /// Converts a book. If another process has removed its empty folder meanwhile, it is converted again.
    private func attempt(_ book: BatchBook, _ onEvent: @escaping @Sendable (BatchEvent) -> Void) async throws -> Report
    {
        let path = book.job.destination.path
        func convert() async throws -> Report {
            if !book.job.isDryRun, let folder { try created.makeParents(of: path, below: folder) }
            return try await Conversion(registry, book.job) { onEvent(.converting(book, $0)) }.run()
        }
        do {
            return try await convert()
        } catch let error as AdapterError
            where error.code == .unwritable && folder != nil && !FileStatus.isFolder(FileName.parent(of: path))
        {
            return try await convert()
        }
    }

    private func note(_ entry: JournalEntry?) throws(JournalFailure) {
        guard let entry, let journal else { return }
        try JournalFailure.wrapping { () throws(AdapterError) in try journal.append(entry) }
    }
}
