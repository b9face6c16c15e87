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

    /// Whether pages end up in pictures of the sink's own, so that it is for the sink to say how they are encoded.
    var makesPictures: Bool { get }

    /// Whether the output is one file or a folder of files, with these settings.
    func form(_ settings: Settings) -> OutputForm

    /// What the sink will make of every page's picture; nil when it keeps them as they come.
    ///
    /// - Throws: `.usage` when it cannot do what is asked.
    func foresight(_ request: SinkRequest) throws(AdapterError) -> Remake?

    /// Begins to write one book.
    ///
    /// - Throws: `.exists` or `.unwritable` before anything is written.
    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession
}

extension SinkAdapter {
    public var makesPictures: Bool { false }

    public func form(_ settings: Settings) -> OutputForm { form }

    public func foresight(_ request: SinkRequest) throws(AdapterError) -> Remake? { nil }
}

/// What an output is to the file system.
public enum OutputForm: Hashable, Sendable {
    case file
    case folder
}
