internal import AdapterKit
internal import Audit
internal import Conversion
internal import Files
internal import PageModel

/// A journal, and the rules for the books that it contains.
public struct JournalUse: Sendable {
    public let journal: Journal
    /// Whether a book is converted again if its input, the recipe or the version changed, or its output is damaged.
    let updates: Bool
    /// Whether a book that failed for good is converted again.
    let retriesFailed: Bool

    public init(_ journal: Journal, updates: Bool, retriesFailed: Bool) {
        (self.journal, self.updates, self.retriesFailed) = (journal, updates, retriesFailed)
    }

    /// The treatment of a book.
    enum Decision {
        case convert
        /// The output is that of an earlier version of the input, of the recipe or of jisui, or damaged.
        case convertAgain
        /// - Parameter isOfOtherRecipe: whether the book was made with other options or another version.
        case done(isOfOtherRecipe: Bool)
        case failed(JournalEntry)
        /// The output is complete and has no line.
        case found
    }

    func decision(on book: BatchBook) -> Decision {
        let key = book.journalKey
        guard let entry = journal.entry(for: key) else {
            // The output of another book is not that of this one.
            let mayBeFound = journal.mayLackLines && journal.owner(ofOutput: key.output) == nil
            return mayBeFound && book.isDone && !book.isItsOwnOutput ? .found : .convert
        }
        let isSameRequest = entry.recipe == journal.recipe && entry.version == journal.version
        guard let failure = entry.failure else {
            guard updates else { return .done(isOfOtherRecipe: !isSameRequest) }
            let isCurrent = isSameRequest && entry.isOutputUnchanged && entry.inputs.allSatisfy(\.isUnchanged)
            return isCurrent ? .done(isOfOtherRecipe: false) : .convertAgain
        }
        // Another file, or another way to read it, is another try.
        let mayDiffer = failure.isTemporary || !isSameRequest || !entry.inputs.allSatisfy(\.isUnchanged)
        return mayDiffer || retriesFailed ? .convert : .failed(entry)
    }
}

extension BatchBook {
    var journalKey: JournalEntry.Key {
        JournalEntry.Key(
            inputs: job.inputs.map { BookFile.absolute($0.path) }, output: BookFile.absolute(job.destination.path))
    }
}

/// The line about a book while it is being converted.
struct JournalDraft: Sendable {
    private var entry: JournalEntry
    private let volumes: VolumePaths?
    private let began = ContinuousClock.now

    /// Examines the inputs, before they are read.
    init(_ book: BatchBook, _ journal: Journal) {
        volumes = book.volumes
        entry = JournalEntry(
            finished: 0, outcome: .done, inputs: book.job.inputs.map { BookFile(at: $0.path) },
            output: BookFile(path: BookFile.absolute(book.job.destination.path), nil), recipe: journal.recipe,
            version: journal.version)
    }

    /// Returns the line about a converted book.
    func finished(_ report: Report, processorSeconds: Double) -> JournalEntry {
        var entry = ended(processorSeconds)
        entry.outcome = report.warnings.isEmpty ? .done : .warnings
        entry.pages = report.pages.count
        for treatment in Treatment.allCases where report.count(treatment) > 0 {
            entry.treatments[treatment.rawValue] = report.count(treatment)
        }
        entry.warningCount = report.warnings.count
        entry.warnings = report.warnings.prefix(JournalEntry.maximumWarnings).map(\.explanation.english)
        entry.readOutput(report.volumes.map(\.output))
        return entry
    }

    /// Returns the line about a book that could not be converted.
    func failed(_ error: AdapterError, processorSeconds: Double) -> JournalEntry {
        var entry = ended(processorSeconds)
        entry.outcome = .failed
        entry.failure = JournalEntry.Failure(error)
        return entry
    }

    /// Returns the line about a book whose output was there.
    func found() -> JournalEntry {
        var entry = ended(0)
        entry.outcome = .found
        entry.recipe = nil
        entry.readOutput(volumes?.existing ?? [])
        return entry
    }

    private func ended(_ processorSeconds: Double) -> JournalEntry {
        var entry = entry
        entry.finished = SystemClock.secondsSince1970
        entry.processorSeconds = processorSeconds
        entry.seconds = (ContinuousClock.now - began) / .seconds(1)
        for index in entry.inputs.indices { entry.inputs[index].readDigest() }
        return entry
    }
}

extension JournalEntry {
    /// - Parameter volumes: the paths of the volumes; empty for one output.
    fileprivate mutating func readOutput(_ volumes: [String]) {
        func read(_ path: String) -> BookFile {
            var file = BookFile(at: path)
            file.readDigest()
            return file
        }
        self.volumes = volumes.map(read)
        if volumes.isEmpty {
            output = read(output.path)
        } else {
            output.bytes = self.volumes.reduce(0) { $0 + ($1.bytes ?? 0) }
        }
    }
}
