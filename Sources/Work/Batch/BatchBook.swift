internal import AdapterKit
internal import Audit
public import Conversion
internal import Files
internal import PageModel

/// A book of a batch.
public struct BatchBook: Sendable {
    public internal(set) var job: Job
    /// The place in the batch, from 1.
    public let number: Int
    /// The number of books in the batch.
    public let count: Int
    /// Whether the run converts nothing else, so that messages need not name the book.
    public let isAlone: Bool
    /// The part of the batch that the book takes, from 0 to 1.
    public internal(set) var part = 0.0...1.0
    /// Whether the output gets several books.
    public var isInCollection: Bool { form == .collection }
    /// The form of the output; nil if its options are invalid, which its conversion reports.
    let form: OutputForm?
    /// The paths of the volumes that the book may become; nil for one output.
    let volumes: VolumePaths?

    /// The name of the book's first input.
    public var name: String { job.inputs.first?.name ?? "" }

    /// - Parameters:
    ///   - place: the place in the batch, from 0.
    ///   - isAlone: whether the run converts nothing else.
    init(_ job: Job, at place: Int, of count: Int, isAlone: Bool = false, _ registry: Registry) {
        self.job = job
        number = place + 1
        self.count = count
        self.isAlone = isAlone
        let sink = try? registry.sink(job.sink)
        let settings = try? sink.map { sink throws(AdapterError) in
            try sink.descriptor.values(given: job.settings)
        }
        form = settings.flatMap { sink?.form($0) }
        volumes = job.volumes == nil ? nil : settings.flatMap { settings in sink.map { job.volumePaths($0, settings) } }
    }

    /// Sets the parts of books by the sizes of their files. A book that is done takes none. If an input is a folder, whose
    /// size is unknown, all books take equal parts.
    static func setParts(of books: inout [BatchBook]) {
        let sizes = books.map { book -> Int? in
            if book.isDone { return 0 }
            return book.job.inputs.reduce(1) { sum, input in
                guard let sum, let file = FileStatus(of: input.path), file.kind == .file else { return nil }
                return sum.addingReportingOverflow(file.byteCount).partialValue
            }
        }
        let areEqual = sizes.contains(nil)
        let weights = sizes.map { areEqual ? $0 == 0 ? 0.0 : 1 : Double($0 ?? 0) }
        let whole = weights.reduce(0, +)
        guard whole > 0 else { return }
        var start = 0.0
        for index in books.indices {
            let end = index == books.count - 1 ? 1 : min(1, start + weights[index] / whole)
            books[index].part = start...max(start, end)
            start = end
        }
    }

    /// Whether an input of the book is at the place of its output.
    var isItsOwnOutput: Bool { job.inputs.contains { FileIdentity.areSame($0.path, job.destination.path) } }

    /// Whether an earlier run may have made the output. If the pages or the chapters decide the volumes, one output of the
    /// whole book is not enough yet. It may be older than the volumes.
    var isDone: Bool {
        if let volumes, !job.destination.mayReplace, !volumes.existing.isEmpty { return true }
        return switch job.volumes {
        case .pages, .chapters: false
        case .bytes, nil: isWholeDone
        }
    }

    /// Whether an earlier run may have made one output of the whole book. Then its path has a file or a folder, as its form
    /// requires. An empty one, hidden files aside, does not count, nor one that may be replaced.
    var isWholeDone: Bool {
        let destination = job.destination
        guard !destination.isStandardOutput, !destination.mayReplace, let form, form != .collection else {
            return false
        }
        guard let there = FileStatus(of: destination.path) else { return false }
        switch there.kind {
        case .file: return form != .folder && there.byteCount > 0
        case .folder:
            let names = (try? FolderListing.names(in: destination.path)) ?? []
            return form == .folder && names.contains { !$0.hasPrefix(".") }
        case .link, .other: return false
        }
    }

    /// Returns the reason that the real run would fail after a successful dry run: an existing file that may not be
    /// replaced.
    ///
    /// - Parameters:
    ///   - report: the report of the dry run.
    ///   - hint: the hint for an output that exists.
    func blocker(_ registry: Registry, _ report: Report, _ hint: Message) -> Message? {
        let destination = job.destination
        if destination.isStandardOutput { return nil }
        if let volume = volumes?.existing.first, !destination.mayReplace { return "\(volume) already exists; \(hint)" }
        // Several volumes do not replace an output of the whole book.
        let isWhole = (report.plannedVolumes ?? 1) == 1
        guard isWhole, let there = FileStatus(of: destination.path, followsLinks: false) else {
            let parent = FileName.parent(of: destination.path)
            // For several books, jisui creates the folder.
            return job.isOneOfSeveral || FileStatus.isFolder(parent) ? nil : "no such folder: \(parent)"
        }
        // Books are added to the existing ones.
        if there.kind == .folder, isInCollection { return nil }
        if destination.mayReplace { return nil }
        guard FileStatus.isFolder(destination.path) else { return "it already exists; \(hint)" }
        // An empty folder is filled.
        guard (try? FolderListing.names(in: destination.path).isEmpty) == false else { return nil }
        let adding = ((try? registry.sink(job.sink)) as? any CollectingSink)?.collectionFlag
        return adding.map {
            "the folder is not empty; use --force to replace the pages in it, or --\($0.name) to add to a shelf"
        }
            ?? "the folder is not empty; use --force to replace the pages in it"
    }
}
