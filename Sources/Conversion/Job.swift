public import AdapterKit
public import PageModel

/// One book to be made.
public struct Job: Sendable {
    /// What is read; several inputs become one book, one after the other.
    public var inputs: [Input]
    /// What else the program reads, and so must not be replaced: the other inputs of a batch.
    public var protected = ProtectedInputs([])
    /// The id of the source that reads them; nil to recognise each.
    public var source: String?
    /// The id of the sink.
    public var sink: String
    public var destination: Destination
    /// The output of several books that this one goes to, where that is kept open for the others; its destination is the
    /// job's. Whoever opened it finishes it.
    public var collection: (any BookCollection)?
    /// Which pages are taken; nil for all.
    public var selection: PageSelection?
    /// The reading direction; nil for what the source says.
    public var direction: Direction?
    /// What is said of the book, whatever the source says.
    public var facts = BookFacts()
    /// Whether what the input's name suggests is said of the book as well, where nothing else says it.
    public var writesGuess = false
    /// What is asked of every page's picture.
    public var edits: [Edit]
    /// How pictures are encoded that cannot stay as they are, or shall not.
    public var encoding: EncodingRequest
    /// Whether a page that would have to be encoded anew or drawn ends the run.
    public var isLossless: Bool
    /// The values of adapters' settings, by name, as they were given.
    public var settings: [String: String]
    /// Whether a setting that nothing on the way from the source to the sink knows is a mistake.
    public var settingsMustApply = false
    /// Whether there are other books with the same settings, of which some may be for other sources.
    public var isOneOfSeveral = false
    /// Whether the name of the output comes from the format that was asked for.
    public var isNamedByFormat = false
    /// The options that are known to do nothing, whatever comes of the run.
    public var idle: [IdleOption] = []
    /// What was chosen for the user before the run, and told: it belongs in the report.
    public var notes: [Warning] = []
    /// How much a source and a page may take. All pages at work together may take as much memory as `limits` allows for
    /// one, or 64 MB for each of `width`, if that is more.
    public var limits: Limits
    /// How many pages are worked on at once.
    public var width: Int
    /// Whether only the plan is wanted.
    public var isDryRun: Bool
    /// Whether a warning ends the run.
    public var isStrict: Bool
    /// Whether the report tells digests of pages and of the output: the output is read back for them.
    public var findsDigests = false
    /// Whether the output is read back and compared with what was meant before it appears.
    public var verifies = false

    public init(
        inputs: [Input], source: String? = nil, sink: String, destination: Destination,
        selection: PageSelection? = nil, direction: Direction? = nil, edits: [Edit] = [],
        encoding: EncodingRequest = EncodingRequest(), isLossless: Bool = false, settings: [String: String] = [:],
        limits: Limits = Limits(), width: Int = 1,
        isDryRun: Bool = false, isStrict: Bool = false
    ) {
        self.inputs = inputs
        self.source = source
        self.sink = sink
        self.destination = destination
        self.selection = selection
        self.direction = direction
        self.edits = edits
        self.encoding = encoding
        self.isLossless = isLossless
        self.settings = settings
        self.limits = limits
        self.width = width
        self.isDryRun = isDryRun
        self.isStrict = isStrict
    }
}

extension Job {
    /// A new budget of the memory that all pages at work may take.
    var memoryBudget: MemoryBudget { MemoryBudget(limits, width: width) }
}

extension MemoryBudget {
    /// What the pages of a book may take, of which some are worked on at once.
    convenience init(_ limits: Limits, width: Int) {
        self.init(bytes: max(limits.memory, width * (64 << 20)))
    }
}

/// What happens during a run, for whoever shows it.
public enum ConversionEvent: Sendable {
    /// Before they are worked on, this many of the pages have been looked at by a transform.
    case lookedAt(pages: Int, of: Int)
    /// Work on a page has begun: it is looked at, or made.
    case began(page: String)
    /// Work on a page has ended, whatever came of it.
    case ended(page: String)
    /// This was taken for the reading direction, which nothing states.
    case directed(ReadingDirection)
    /// The book is open and this many pages will be worked on.
    case opened(pageCount: Int)
    /// This many pages are done.
    case finished(pages: Int)
    /// All pages are done, and the sink makes the output of them; for a long strip that takes a while.
    case completing
    case warned(Warning)
}
