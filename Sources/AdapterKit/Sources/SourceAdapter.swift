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
    public var path: String
    /// The password, if one was given.
    public var password: String?

    public init(path: String, password: String? = nil) {
        self.path = path
        self.password = password
    }

    /// The last component of the path without its extension: the title when the book has none of its own.
    public var stem: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }
}

/// A book as its source lists it.
public struct OpenedBook: Sendable {
    public var sequence: PageSequence
    /// What is wrong with the input although its pages can be read.
    public var warnings: [Warning]
    /// The names of files and entries that are no pages: junk, texts, thumbnails.
    public var skipped: [String]

    public init(sequence: PageSequence, warnings: [Warning] = [], skipped: [String] = []) {
        self.sequence = sequence
        self.warnings = warnings
        self.skipped = skipped
    }
}
