internal import AdapterKit
internal import Conversion
internal import Files
public import PageModel

/// The plan of a batch, before the first book is opened.
public struct BatchPlan: Sendable {
    /// The action of a run for a book.
    public enum Action: String, Sendable, CaseIterable {
        case convert
        case convertAgain
        case skip
        case failedBefore
        /// The output exists and must not be replaced, or is that of another book too.
        case refuse
    }

    public struct Line: Sendable {
        public let action: Action
        public let input: String
        public let output: String
        /// The size of the inputs; nil if they cannot be read.
        public let bytes: Int?
    }

    public internal(set) var lines: [Line] = []
    /// The errors that are known before the first book is opened.
    public internal(set) var errors: [AdapterError] = []
    /// The bytes of the inputs of all books to convert. The outputs may need less.
    public var bytes: Int {
        lines.reduce(0) { [.convert, .convertAgain].contains($1.action) ? $0 + ($1.bytes ?? 0) : $0 }
    }
}

extension Batch {
    /// Returns the plan, from the names, the sizes and the journal alone.
    public func plan() -> BatchPlan {
        var plan = BatchPlan()
        plan.errors = unreadable
        let clashing = clashing
        var existing: [String] = []
        if !clashes.isEmpty { plan.errors.append(OutputClash.error(clashes, others: others, registry)) }
        for book in books {
            let action = clashing.contains(book.number) ? .refuse : action(on: book)
            let sizes = files(of: book).map { FileStamp(of: $0)?.byteCount }
            plan.lines.append(
                BatchPlan.Line(
                    action: action, input: book.name,
                    output: book.job.destination.path,
                    bytes: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }))
            if action != .refuse || clashing.contains(book.number) { continue }
            if book.isItsOwnOutput {
                plan.errors.append(.ownOutput(book.name))
            } else {
                existing.append(book.job.destination.path)
            }
        }
        if let error = BatchResult.error(existing: existing) { plan.errors.append(error) }
        return plan
    }

    /// The note that the inputs of the books to convert are larger than the room for their outputs; nil if they are not.
    public var roomNote: Message? {
        guard let book = books.first, !book.job.destination.isStandardOutput else { return nil }
        let place = folder.map { FileStatus.isFolder($0) ? $0 : FileName.parent(of: $0) }
        guard let free = Volume.freeBytes(in: place ?? FileName.parent(of: book.job.destination.path)) else {
            return nil
        }
        var bytes = 0
        for book in books where !book.isDone {
            for file in files(of: book) { bytes += FileStamp(of: file)?.byteCount ?? 0 }
        }
        guard bytes > free else { return nil }
        return
            "the books to convert have \(bytes / 1_000_000) MB, but only \(free / 1_000_000) MB are free for the outputs"
    }

    /// Returns the paths of all files and folders of a book.
    private func files(of book: BatchBook) -> [String] { book.job.inputs.flatMap { registry.files(of: $0.path) } }

    private func action(on book: BatchBook) -> BatchPlan.Action {
        switch journal?.decision(on: book) ?? .convert {
        case .convertAgain: return .convertAgain
        case .done, .found: return .skip
        case .failed: return .failedBefore
        case .convert: break
        }
        if book.isDone { return result.skipsExisting ? .skip : .refuse }
        return .convert
    }
}
