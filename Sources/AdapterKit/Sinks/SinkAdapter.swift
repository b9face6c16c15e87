public import Files
public import PageModel

/// A writer of books of one kind.
///
/// Abilities that only some sinks have are protocols of their own: `CollectingSink`, `AccompaniedSink`, `AttachingSink` and
/// `CopyingSink`.
public protocol SinkAdapter: Sendable {
    var descriptor: AdapterDescriptor { get }

    /// Returns the form of the output in the file system, with these settings.
    func form(_ settings: Settings) -> OutputForm

    /// Returns the extension, without a dot, of outputs that are named after their inputs.
    func fileExtension(_ settings: Settings) -> String

    /// Returns the features that the output itself can express.
    ///
    /// They depend only on the settings, the destination and the requested encoding. jisui asks before it selects and changes
    /// pages.
    ///
    /// - Throws: `.usage` when the sink cannot fulfill the request.
    func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities

    /// Begins to write one book.
    ///
    /// - Throws: `.exists` or `.unwritable` before anything is written.
    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession
}

extension SinkAdapter {
    public func fileExtension(_ settings: Settings) -> String { descriptor.extensions.first ?? descriptor.id }
}

/// The form of an output in the file system.
public enum OutputForm: Hashable, Sendable {
    /// One file that is written sequentially, so that it can also go to standard output.
    case stream
    /// One file with a part that is overwritten at the end.
    case file
    case folder
    /// A folder of several books, to which this one is added.
    case collection
}

/// A book that is being written. One task at a time uses it, in this order: `add` for each page, `compose`, `finish`.
///
/// Nothing is at the destination until `finish` returns, unless that is standard output. A session that is released
/// without it leaves no files.
public protocol SinkSession: AnyObject {
    /// Adds the next page, in reading order, and returns its name in the output.
    func add(_ page: FinishedPage) throws(AdapterError) -> String

    /// Composes the output from the pages' images, in sinks that need all of them for that.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`.
    func compose() async throws -> SinkFindings

    /// Publishes the whole output at its destination.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`.
    func finish() async throws
}

extension SinkSession {
    public func compose() -> SinkFindings { SinkFindings() }
}

/// The findings that need all pages.
public struct SinkFindings: Sendable {
    /// The changes to pages' images, by the pages' numbers. They replace the capabilities' `composition`.
    public var compositions: [Int: Composition]
    /// The problems for users of the output.
    public var warnings: [Warning]

    public init(compositions: [Int: Composition] = [:], warnings: [Warning] = []) {
        self.compositions = compositions
        self.warnings = warnings
    }
}

/// A request to write a book, without the pages themselves.
public struct SinkRequest: Sendable {
    public var book: BookMetadata
    /// The maximum number of pages; damaged ones may be missing.
    public var pageCount: Int
    /// The page that is the front cover, as `Page.id`; nil if none is marked: then it is the first.
    public var cover: Int?
    /// Whether the user gave metadata that the sources do not have. A sink that copies a source's own metadata must
    /// change them then.
    public var overridesSource = false
    public var destination: Destination
    /// The values of the sink's own settings.
    public var settings: Settings
    /// The encoding of images, for a sink that makes its own.
    public var encoding: EncodingRequest
    /// Whether a sink that cannot keep every pixel must refuse.
    public var isLossless: Bool
    public var limits: Limits
    /// The maximum number of concurrent tasks of a sink.
    public var width: Int
    /// The events that a sink notes for the rules of its descriptor.
    public var effects = OptionEvidence()

    public init(
        book: BookMetadata, pageCount: Int, cover: Int? = nil, destination: Destination,
        settings: Settings = Settings(), encoding: EncodingRequest = EncodingRequest(), isLossless: Bool = false,
        limits: Limits = Limits(), width: Int = 1
    ) {
        self.book = book
        self.pageCount = pageCount
        self.cover = cover
        self.destination = destination
        self.settings = settings
        self.encoding = encoding
        self.isLossless = isLossless
        self.limits = limits
        self.width = width
    }
}
