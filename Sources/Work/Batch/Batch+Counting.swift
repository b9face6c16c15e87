internal import Conversion
internal import Files
internal import PageModel

/// The outcome of each book of a batch.
extension Batch {
    /// Reports the books that would share an output, before the first one is converted.
    ///
    /// - Throws: a `JournalFailure`.
    func refuse(_ onEvent: (BatchEvent) -> Void) throws {
        let clashing = clashing
        let refused = books.filter { clashing.contains($0.number) }
        if refused.isEmpty { return }
        let error = OutputClash.error(clashes, others: others, registry)
        for book in refused {
            report(.failed(error), of: book, onEvent)
            result.failed += 1
            try noteInJournal(refused: book, error)
        }
        onEvent(.refused(refused, error))
    }

    /// Writes a line about a book that would share its output, unless the journal has it as done.
    private func noteInJournal(refused book: BatchBook, _ error: AdapterError) throws {
        guard let journal = journal?.journal, !result.isDryRun else { return }
        if let entry = journal.entry(for: book.journalKey), entry.failure == nil { return }
        var error = error
        // Without the other book, the next run converts it.
        error.isTemporary = true
        try JournalFailure.wrapping { () throws(AdapterError) in
            try journal.append(JournalDraft(book, journal).failed(error, processorSeconds: 0))
        }
    }

    /// Returns the books to convert. The others are only counted: those whose outputs exist, and those that the journal
    /// contains.
    ///
    /// - Throws: `.exists` for the only book, if that is not to be skipped and can never be replaced; a `JournalFailure`.
    func chosen(of books: [BatchBook], _ onEvent: (BatchEvent) -> Void) throws -> [BatchBook] {
        var chosen: [BatchBook] = []
        for var book in books {
            switch journal?.decision(on: book) ?? .convert {
            case .convert:
                if try !skip(book, onEvent) { chosen.append(book) }
            case .convertAgain:
                book.job.destination.mayReplace = true
                chosen.append(book)
            case .done(let isOfOtherRecipe):
                result.doneBefore.append(book.job.destination.path)
                if isOfOtherRecipe { result.doneOtherwise += 1 }
            case .failed(let entry): result.failedBefore.append(entry)
            case .found:
                result.found.append(book.job.destination.path)
                if let journal = journal?.journal, !result.isDryRun {
                    try JournalFailure.wrapping { () throws(AdapterError) in
                        try journal.append(JournalDraft(book, journal).found())
                    }
                }
            }
        }
        return chosen
    }

    /// Returns whether the output of a book exists, so that the book is only counted. Among several books, this is
    /// reported once for all of them.
    ///
    /// - Throws: `.exists` for the only book, if that is not to be skipped and can never be replaced.
    private func skip(_ book: BatchBook, _ onEvent: (BatchEvent) -> Void) throws -> Bool {
        guard book.isDone, result.skipsExisting || !book.isItsOwnOutput else { return false }
        let path = book.job.destination.path
        if !result.skipsExisting {
            // Otherwise the conversion reports it, after faults in options. The plan of a dry run states it.
            if isAlone, !isNextToInputs || result.isDryRun { return false }
            let hint = isAlone ? hintForExisting : BatchResult.hintForExisting
            let error = AdapterError(.exists, "already exists", hint: hint, file: path)
            if isAlone { throw error }
            report(.failed(error), of: book, onEvent)
            // Otherwise a later run would count this output as one of this run.
            if let journal = journal?.journal, !result.isDryRun {
                try JournalFailure.wrapping { () throws(AdapterError) in
                    try journal.append(JournalDraft(book, journal).failed(error, processorSeconds: 0))
                }
            }
        }
        result.existing.append(path)
        return true
    }

    /// Counts a book, and tells the user interface.
    ///
    /// - Throws: the error of the only book.
    func count(_ outcome: BookOutcome, of book: BatchBook, _ onEvent: (BatchEvent) -> Void) throws {
        switch outcome {
        case .finished(let report):
            result.add(report, of: book)
            onEvent(.finished(book, report))
        case .existing: result.existing.append(book.job.destination.path)
        case .failed(let error):
            if isAlone { throw error }
            onEvent(.failed(book, error))
            result.failed += 1
            if error.isTemporary { result.failedForNow += 1 }
            // On a full disk all further books would fail as well. With a journal, they are not lost.
            if journal != nil, error.isTemporary, error.code == .unwritable { result.stop = error }
        }
    }

    /// Writes the report on a book. If that fails, for example on a full disk, the books are converted nevertheless, and
    /// the error is reported once.
    func report(_ outcome: BookOutcome, of book: BatchBook, _ onEvent: (BatchEvent) -> Void) {
        guard let reports, !result.reportFailed else { return }
        do throws(AdapterError) {
            switch outcome {
            case .finished(let report): try reports.append(report)
            case .failed(let error): try reports.append(error, about: book.job)
            case .existing: break
            }
        } catch {
            result.reportFailed = true
            onEvent(.reportFailed(error))
        }
    }
}
