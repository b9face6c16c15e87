public import PageModel

/// Writes books of one kind.
public protocol SinkAdapter: Sendable {
    var card: AdapterCard { get }
    /// Whether the output is one file or a folder of files.
    var form: OutputForm { get }
    /// The picture formats that readers of this output show; others are converted where that loses nothing.
    ///
    /// nil when any format will do.
    var displays: Set<ImageEncoding>? { get }

    /// Begins to write one book.
    ///
    /// - Parameter pageCount: the most pages that will come; damaged ones may stay away.
    /// - Throws: `.exists` or `.unwritable` before anything is written.
    func begin(_ book: BookFacts, pageCount: Int, at destination: Destination, settings: Settings)
        throws(AdapterError) -> any SinkSession
}

/// What an output is to the file system.
public enum OutputForm: Hashable, Sendable {
    case file
    case folder
}
