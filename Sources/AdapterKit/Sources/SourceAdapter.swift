public import Files
public import PageModel

/// A reader of books of one kind.
public protocol SourceAdapter: Sendable {
    var descriptor: AdapterDescriptor { get }

    /// Returns whether an input is of this kind. The content decides first: a name alone proves nothing.
    func recognize(_ probe: Probe) -> Recognition

    /// Returns the path of the file that opens a book, if a file is only another part of it.
    func openingPart(of path: String) -> String?

    /// Returns the paths of the other files that a book has if it opens with a file: the inverse of `openingPart`.
    func otherParts(of path: String) -> [String]

    /// Lists the pages in reading order, without reading their images. A damaged page does not throw here.
    ///
    /// Such a page throws when it is examined or read.
    ///
    /// - Parameter settings: the adapter's values.
    /// - Throws: for an unreadable input or a limit.
    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook
}

extension SourceAdapter {
    public func openingPart(of path: String) -> String? { nil }

    public func otherParts(of path: String) -> [String] { [] }
}

/// The result of a source's examination of an input.
public enum Recognition: Hashable, Sendable {
    /// A mismatch.
    case no
    /// A match with this certainty out of 100, judged by content alone.
    case maybe(Int)
    /// A known format that is not readable; the text completes the sentence "it is …".
    case declined(Message)

    /// The certainty of a verified signature.
    public static let certain = Recognition.maybe(90)
    /// The certainty of a known container whose contents may belong to another source.
    public static let plausible = Recognition.maybe(25)
}

/// A file or folder to read.
public struct Input: Hashable, Sendable {
    /// The path under which it is opened.
    public var path: String
    /// The name in messages and reports: the path, unless the input has no path of its own.
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

extension Input {
    /// Makes an input of the contents of standard input.
    ///
    /// - Parameter spool: the data. It must exist as long as the input is read.
    /// - Throws: `.unwritable` where /proc is not mounted.
    public init(standardInput spool: SpoolFile, password: String? = nil) throws(AdapterError) {
        self.init(path: try spool.path(), name: StandardStreams.inputName, password: password)
    }
}

extension AdapterError {
    /// Returns the same error with the file filled in: an input's name replaces a missing name or the path under which
    /// the input is open.
    public func about(_ input: Input) -> AdapterError {
        var copy = self
        if file == nil || file == input.path { copy.file = input.name }
        return copy
    }
}

/// A book as its source lists it.
public struct OpenedBook: Sendable {
    public var sequence: PageSequence
    /// The problems of an input whose pages can still be read.
    public var warnings: [Warning]
    /// The names of files and entries that are not pages: junk, texts, thumbnails.
    public var skipped: [String]
    /// Determines the active features of the document, which may require an examination of all pages.
    public var activeContent: (@Sendable () async throws -> ActiveContent)?
    /// The events noted for the rules of the source's descriptor; some are known only when pages are examined. If
    /// several books became one, each has its own.
    public var effects: [OptionEvidence] = []

    public init(sequence: PageSequence, warnings: [Warning] = [], skipped: [String] = []) {
        self.sequence = sequence
        self.warnings = warnings
        self.skipped = skipped
    }
}

/// The limits beyond which an adapter must refuse an input; it never truncates instead.
public struct Limits: Hashable, Sendable {
    /// The maximum number of pages in a book.
    public var pages: Int
    /// The maximum number of entries in an archive, pages or not.
    public var entries: Int
    /// The maximum number of bytes of one page's encoded image.
    public var entryBytes: Int
    /// The maximum number of bytes of all pages' encoded images.
    public var totalBytes: Int
    /// The maximum number of pixels of one image that is decoded or rendered.
    public var pixels: Int
    /// The maximum number of bytes of memory for the work on one page, as estimated in advance.
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

/// The first bytes of an input, shared by all sources so that nothing is read twice.
public struct Probe: Sendable {
    /// The number of bytes in `head`, unless the file is shorter.
    public static let headCount = 4096

    public let path: String
    public let isFolder: Bool
    /// The file's extension in lower case, without the dot; empty when it has none.
    public let pathExtension: String
    /// The first bytes of the file; empty for a folder.
    public let head: [UInt8]
    private let file: ReadableFile?

    /// - Throws: `.unreadable` for a missing or inaccessible file.
    public init(path: String) throws(AdapterError) {
        self.path = path
        guard let status = FileStatus(of: path) else {
            // The shell leaves a pattern alone if it is quoted, or if nothing matches it.
            let hint: Message? = path.contains("*") ? "jisui expands no patterns; leave out the quotes" : nil
            throw .system(.unreadable, "cannot be opened", hint: hint, file: path)
        }
        isFolder = status.kind == .folder
        if !isFolder && status.kind != .file {
            throw AdapterError(
                .unreadable, "is neither a file nor a folder",
                hint: "save the data to a file first: jisui has to read it out of order", file: path)
        }
        let file = isFolder ? nil : try ReadableFile(path: path)
        self.file = file
        head = try file?.read(at: 0, upTo: Probe.headCount) ?? []
        pathExtension = FileName.extension(of: path)
    }

    /// Returns the last `count` bytes of the file, or all of a shorter file.
    public func tail(_ count: Int) throws(AdapterError) -> [UInt8] {
        guard let file else { return [] }
        return try file.read(at: max(0, file.size - count), upTo: count)
    }
}
