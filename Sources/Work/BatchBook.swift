internal import AdapterKit
public import Conversion
internal import Files
internal import PageModel

/// A book of a batch.
public struct BatchBook: Sendable {
    public let job: Job
    /// The place in the batch, from 1.
    public let number: Int
    /// The number of books in the batch.
    public let count: Int
    /// Whether the output gets several books.
    public let isInCollection: Bool

    /// The name of the book's first input.
    public var name: String { job.inputs.first?.name ?? "" }

    /// - Parameter place: the place in the batch, from 0.
    init(_ job: Job, at place: Int, of count: Int, _ registry: Registry) {
        self.job = job
        number = place + 1
        self.count = count
        isInCollection = (try? BatchBook.form(of: job, registry)) == .collection
    }

    private static func form(of job: Job, _ registry: Registry) throws(AdapterError) -> OutputForm {
        let sink = try registry.sink(job.sink)
        return sink.form(try Settings(sink.descriptor.settings, given: job.settings))
    }

    /// Returns the reason that the real run would fail after a successful dry run: an existing file that may not be
    /// replaced.
    func blocker(_ registry: Registry) -> Message? {
        let destination = job.destination
        if destination.isStandardOutput { return nil }
        guard let there = FileStatus(of: destination.path, followsLinks: false) else {
            let parent = FileName.parent(of: destination.path)
            // For several books, jisui creates the folder.
            return job.isOneOfSeveral || FileStatus.isFolder(parent) ? nil : "no such folder: \(parent)"
        }
        // Books are added to the existing ones.
        if there.kind == .folder, isInCollection { return nil }
        if destination.mayReplace { return nil }
        guard FileStatus.isFolder(destination.path) else { return "it already exists; use --force to replace it" }
        // An empty folder is filled.
        guard (try? FolderListing.names(in: destination.path).isEmpty) == false else { return nil }
        let adding = ((try? registry.sink(job.sink)) as? any CollectingSink)?.collectionFlag
        return adding.map {
            "the folder is not empty; use --force to replace the pages in it, or --\($0.name) to add to a shelf"
        }
            ?? "the folder is not empty; use --force to replace the pages in it"
    }
}
