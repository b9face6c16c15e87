internal import AdapterKit
internal import Conversion
internal import Files
public import PageModel

extension HotFolder {
    /// The outcome of a book that was ready.
    private enum Outcome {
        case done
        case failed
        /// Another try may succeed.
        case failedForNow
        /// It changed meanwhile, and is converted when it is settled again.
        case torn
        /// It was converted before with other contents.
        case changed
    }

    /// The use of the journal for some books. A book that changed while it was read is converted again in any case.
    public func journalUse(for books: [FoundBooks.Book]) -> JournalUse {
        guard books.contains(where: { torn.contains($0.path) }) else { return journal }
        return JournalUse(journal.journal, updates: true, retriesFailed: journal.retriesFailed)
    }

    /// Returns books in groups: those that changed while they were read are converted on their own.
    public func groups(of books: [FoundBooks.Book]) -> [[FoundBooks.Book]] {
        let isTorn = { torn.contains($0.path) } as (FoundBooks.Book) -> Bool
        return [books.filter { !isTorn($0) }, books.filter(isTorn)].filter { !$0.isEmpty }
    }

    /// Notes that books cannot be converted: nothing more is done with them until they change.
    public mutating func refuse(_ books: [FoundBooks.Book]) -> [AdapterError] { books.flatMap { end($0, .failed) } }

    /// Notes the outcomes of a batch, and moves the sources.
    ///
    /// - Returns: the errors that the batch did not report.
    public mutating func note(_ books: [FoundBooks.Book], _ batch: Batch, _ result: BatchResult) -> [AdapterError] {
        let converted = Dictionary(batch.books.map { ($0.job.inputs.first?.path ?? "", $0) }) { first, _ in first }
        let clashing = batch.clashing
        return books.flatMap { book in
            guard let own = converted[book.path] else { return [AdapterError]() }
            return end(book, clashing.contains(own.number) ? .failed : outcome(of: own, result))
        }
    }

    private func outcome(of book: BatchBook, _ result: BatchResult) -> Outcome {
        guard let entry = journal.journal.entry(for: book.journalKey) else {
            if result.existing.contains(book.job.destination.path) { return result.skipsExisting ? .done : .failed }
            // A run that stops early leaves books.
            return result.stop == nil ? .failed : .failedForNow
        }
        if entry.failure?.isTemporary == true { return .failedForNow }
        let isUnchanged = entry.inputs.allSatisfy(\.isUnchanged)
        if entry.failure != nil { return isUnchanged ? .failed : .torn }
        if isUnchanged { return .done }
        // Without a digest, it changed while it was read.
        if entry.inputs.contains(where: { $0.sha256 == nil }) { return .torn }
        return journal.updates ? .torn : .changed
    }

    private mutating func end(_ book: FoundBooks.Book, _ outcome: Outcome) -> [AdapterError] {
        // A book that was removed needs nothing more.
        guard let stamps = stamps(of: book) else { return [] }
        var (errors, folder): ([AdapterError], String?) = ([], nil)
        switch outcome {
        case .done: folder = folders.done
        case .failed: folder = folders.failed
        case .changed:
            folder = folders.failed
            errors.append(
                AdapterError(
                    .exists, "changed after it was converted", hint: "use --update to convert such books again",
                    file: book.path))
        case .failedForNow:
            delay(book)
            return []
        case .torn:
            torn.insert(book.path)
            return []
        }
        torn.remove(book.path)
        delays[book.path] = nil
        handled[book.path] = stamps
        guard let folder else { return errors }
        do throws(AdapterError) {
            try folders.move(book, stem: registry.stem(of: Input(path: book.path)), to: folder)
            handled[book.path] = nil
        } catch {
            if error.isTemporary {
                handled[book.path] = nil
                delay(book)
            }
            errors.append(error)
        }
        return errors
    }
}
