public import PageModel

/// Reads books of one kind.
public protocol SourceAdapter: Sendable {
    var card: AdapterCard { get }

    /// Says whether an input is of this kind, by content first: a name alone proves nothing.
    func recognise(_ probe: Probe) -> Recognition

    /// Lists the pages in reading order, without reading their pictures.
    ///
    /// - Parameter settings: the values of the card's settings.
    /// - Throws: when the input as a whole cannot be read, or exceeds `limits`. A single bad page does not
    ///   throw here: it throws when it is examined or read.
    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook
}

/// What a source says of an input it was shown.
public enum Recognition: Hashable, Sendable {
    /// Not mine.
    case no
    /// Mine, with this much certainty out of 100, judged by content alone.
    case maybe(Int)
    /// I know what it is and will not read it as it stands; finishes the sentence "it is …".
    case declined(String)

    /// A signature was verified.
    public static let certain = Recognition.maybe(90)
    /// The container is mine; what is in it may be someone else's.
    public static let plausible = Recognition.maybe(25)
}

/// What is to be read.
public struct Input: Hashable, Sendable {
    /// Where it is opened.
    public var path: String
    /// What it is called in messages and reports: its path, unless it has none of its own.
    public var name: String
    /// The password, if one was given.
    public var password: String?

    /// - Parameter name: nil for the path.
    public init(path: String, name: String? = nil, password: String? = nil) {
        self.path = path
        self.name = name ?? path
        self.password = password
    }
}

/// A book as its source lists it.
public struct OpenedBook: Sendable {
    public var sequence: PageSequence
    /// What is wrong with the input although its pages can be read.
    public var warnings: [Warning]
    /// The names of files and entries that are no pages: junk, texts, thumbnails.
    public var skipped: [String]
    /// Finds out what the document can do besides showing pages, which may take looking at all of them.
    public var activeContent: (@Sendable () async throws -> ActiveContent)?
    /// What the source's settings did, as the rules on its card ask; some of it shows only when pages are examined. Of several
    /// books that became one, each has its own.
    public var effects: [Effects] = []

    public init(sequence: PageSequence, warnings: [Warning] = [], skipped: [String] = []) {
        self.sequence = sequence
        self.warnings = warnings
        self.skipped = skipped
    }
}

/// How much an adapter may take before it must refuse; it never truncates instead.
public struct Limits: Hashable, Sendable {
    /// Pages in a book.
    public var pages: Int
    /// Entries in an archive, pages or not.
    public var entries: Int
    /// Bytes of one page's encoded picture.
    public var entryBytes: Int
    /// Bytes of all pages' encoded pictures.
    public var totalBytes: Int
    /// Pixels of one picture that is decoded or drawn.
    public var pixels: Int
    /// Bytes of memory that the work on one page may take, as they are estimated beforehand.
    public var memory: Int

    public init(
        pages: Int = 50_000, entries: Int = 100_000, entryBytes: Int = 2 << 30, totalBytes: Int = 64 << 30,
        pixels: Int = 250_000_000, memory: Int = 1_000_000_000
    ) {
        self.pages = pages
        self.entries = entries
        self.entryBytes = entryBytes
        self.totalBytes = totalBytes
        self.pixels = pixels
        self.memory = memory
    }
}

/// A first look at an input, shared by all recognisers: nothing is read twice.
public struct Probe: Sendable {
    /// The number of bytes in `head`, where the file has as many.
    public static let headCount = 4096

    public let path: String
    public let isFolder: Bool
    /// The file's extension in lower case, without the dot; empty when it has none.
    public let pathExtension: String
    /// The first bytes of the file; empty for a folder.
    public let head: [UInt8]
    private let file: ReadableFile?

    /// - Throws: `.unreadable` when there is no such file or it may not be read.
    public init(path: String) throws(AdapterError) {
        self.path = path
        guard let status = FileStatus(of: path) else { throw .system(.unreadable, "cannot be opened", file: path) }
        isFolder = status.kind == .folder
        if !isFolder && status.kind != .file {
            throw AdapterError(
                .unreadable, "is neither a file nor a folder",
                advice: "save the data to a file first: jisui has to read it out of order", file: path)
        }
        let file = isFolder ? nil : try ReadableFile(path: path)
        self.file = file
        head = try file?.read(at: 0, upTo: Probe.headCount) ?? []
        pathExtension = FileName.extension(of: path)
    }

    /// The last `count` bytes of the file, or all of it when it is shorter.
    public func tail(_ count: Int) throws(AdapterError) -> [UInt8] {
        guard let file else { return [] }
        return try file.read(at: max(0, file.size - count), upTo: count)
    }
}
