public import PageModel

/// Writes books of one kind.
public protocol SinkAdapter: Sendable {
    var card: AdapterCard { get }

    /// What the output is to the file system, with these settings.
    func form(_ settings: Settings) -> OutputForm

    /// What the names end in, without a dot, of outputs that are named after their inputs.
    func fileExtension(_ settings: Settings) -> String

    /// The flag with which several books become one output, each added by itself; nil for a sink that has none.
    ///
    /// With it the output's form is `collection`.
    var collecting: Setting? { get }

    /// What the output can express by itself.
    ///
    /// - Throws: `.usage` when the sink cannot do what is asked.
    func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities

    /// Opens an output of several books, for a sink that has one.
    ///
    /// - Parameter settings: hold for the output as a whole.
    /// - Throws: `.usage` for settings that will not do.
    func collection(
        at destination: Destination, _ settings: Settings
    ) throws(AdapterError) -> (any BookCollection)?

    /// The ids of the sinks whose output of the same book goes along with this one's: files that lie in its folder.
    ///
    /// - Throws: `.usage` for settings that will not do.
    func formatsAlongside(_ settings: Settings) throws(AdapterError) -> [String]

    /// Makes what goes beside a page and needs no other page, such as a small picture of it; nil for nothing.
    ///
    /// It is asked for several pages at once, on any task, before they are added in their order: work that takes long is
    /// best done here. What it returns is the page's `companion`.
    func companion(of page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]?

    /// The bytes of memory that making the companion of a picture takes, as far as can be told before it is made.
    ///
    /// - Parameter picture: as it comes to the sink; of its bytes nothing is known yet.
    func companionMemory(_ picture: EncodedPicture, _ request: SinkRequest) -> Int

    /// What copies of pages of documents will lack, for a dry run, which begins nothing; a session tells it itself.
    func losses(copying planned: PlannedCopies, _ request: SinkRequest) -> [Warning]

    /// Begins to write one book.
    ///
    /// - Throws: `.exists` or `.unwritable` before anything is written.
    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession
}

extension SinkAdapter {
    public func fileExtension(_ settings: Settings) -> String { card.extensions.first ?? card.id }

    public var collecting: Setting? { nil }

    public func collection(
        at destination: Destination, _ settings: Settings
    ) throws(AdapterError) -> (any BookCollection)? { nil }

    public func formatsAlongside(_ settings: Settings) throws(AdapterError) -> [String] { [] }

    public func companion(of page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]? { nil }

    public func losses(copying planned: PlannedCopies, _ request: SinkRequest) -> [Warning] { [] }

    public func companionMemory(_ picture: EncodedPicture, _ request: SinkRequest) -> Int { 0 }
}

/// What an output is to the file system.
public enum OutputForm: Hashable, Sendable {
    /// One file that is written from its beginning to its end, so that it can go to standard output as well.
    case stream
    /// One file of which something is written over in the end.
    case file
    case folder
    /// A folder of several books, to which this one is added.
    case collection
}

/// One book being written. Used by one task at a time, in this order: `add` for each page, `compose`, `finish`.
///
/// Nothing is at the destination until `finish` returns, unless that is standard output; a session that is released without
/// it leaves nothing behind.
public protocol SinkSession: AnyObject {
    /// Takes the next page, in reading order, and returns the name it got in the output.
    func add(_ page: FinishedPage) throws(AdapterError) -> String

    /// Makes the output of the pages' pictures, where a sink composes them and needs all of them for that.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`.
    func compose() async throws -> SinkFindings

    /// Where the output of a sink that goes along with this one is to be written; it is there before `finish` is called.
    func destination(alongside sink: AdapterCard) -> Destination?

    /// Makes the whole output appear at its destination.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`.
    func finish() async throws
}

extension SinkSession {
    public func compose() -> SinkFindings { SinkFindings() }

    public func destination(alongside sink: AdapterCard) -> Destination? { nil }
}

/// What a sink can say only when it has all pages.
public struct SinkFindings: Sendable {
    /// What became of pages' pictures, by the pages' numbers. It takes the place of the capabilities' `composition`.
    public var compositions: [Int: Composition]
    /// What will trouble those who read the output.
    public var warnings: [Warning]

    public init(compositions: [Int: Composition] = [:], warnings: [Warning] = []) {
        self.compositions = compositions
        self.warnings = warnings
    }
}

/// What a sink is asked to write, besides the pages themselves.
public struct SinkRequest: Sendable {
    public var book: BookMetadata
    /// The most pages that will come; damaged ones may stay away.
    public var pageCount: Int
    /// The page that is the front cover, as `Page.id`; nil where none is marked: then it is the first.
    public var cover: Int?
    /// Whether facts of the book were given that its sources do not say: a sink that carries what a source says of itself
    /// has to change that then.
    public var overrulesSources = false
    public var destination: Destination
    /// The values of the sink's own settings.
    public var settings: Settings
    /// How pictures are to be encoded, for a sink that makes its own.
    public var encoding: EncodingRequest
    /// Whether a sink that cannot keep every pixel must refuse.
    public var isLossless: Bool
    public var limits: Limits
    /// How many pieces of work a sink may have under way at once.
    public var width: Int
    /// Where a sink notes what its settings did, as the rules on its card ask.
    public var effects = Effects()

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

/// Where a book is to appear.
public struct Destination: Sendable {
    public var path: String
    /// Whether what stands there now may be replaced.
    public var mayReplace: Bool
    /// Keeps a list of what exists under temporary names while the output is written.
    public var temporaryFiles: TemporaryFiles
    /// Whether the book goes to standard output; the path is then its name in messages.
    public internal(set) var isStandardOutput = false
    /// Takes the complete output before it appears; nil where it appears at once.
    public var held: HeldOutput?

    public init(path: String, mayReplace: Bool = false, temporaryFiles: TemporaryFiles = TemporaryFiles()) {
        self.path = path
        self.mayReplace = mayReplace
        self.temporaryFiles = temporaryFiles
    }
}
