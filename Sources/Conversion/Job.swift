public import AdapterKit
public import Directions
public import Files
internal import OrderedWork
public import PageModel

/// A conversion to one book.
public struct Job: Sendable {
    /// The inputs. Several inputs become one book, in this order.
    public var inputs: [Input]
    /// The other inputs of a batch, which must not be replaced either.
    public var protected = ProtectedInputs([])
    /// The id of the source for the inputs; nil to recognize each.
    public var source: String?
    /// The id of the sink.
    public var sink: String
    public var destination: Destination
    /// The output of several books that receives this book, if it stays open for the others. Its destination is that of the job.
    /// The caller that opened it finishes it.
    public var collection: (any BookCollection)?
    /// The selected pages; nil for all.
    public var selection: PageSelection?
    /// The reading direction; nil for that of the source.
    public var direction: Direction?
    /// The metadata that overrides that of the source.
    public var metadataOptions = MetadataOptions()
    /// Whether metadata inferred from the input's name is written, if neither the user nor the source gives it.
    public var writesGuess = false
    /// The encoding of images that cannot or must not stay as they are.
    public var encoding: EncodingRequest
    /// Whether a page that would have to be re-encoded or rendered ends the run.
    public var isLossless: Bool
    /// The rule by which the book becomes several volumes; nil for one output.
    public var volumes: VolumeSplit?
    /// The most bytes of the output, for which jisui finds the quality; nil for any number.
    public var targetSize: Int?
    /// The values of adapters' settings, by name, as the user gave them. A setting that applies to neither the source, a
    /// transform nor the sink is an error.
    public var settings: [String: String]
    /// Whether the run has other books with the same settings. A setting may then apply to other sources only.
    public var isOneOfSeveral = false
    /// Whether the name of the output comes from the requested format.
    public var isNamedByFormat = false
    /// Whether the inputs' password comes from `--password-file`.
    public var hasPasswordFile = false
    /// The options that are known to have no effect, regardless of the result of the run.
    public var unusedOptions: [UnusedOption] = []
    /// The choices that jisui made before the run and reported to the user; the report contains them.
    public var notes: [Warning] = []
    /// The limits of a source and a page. The limit on memory applies to all pages in work together; it is at least 64 MB for
    /// each of `width`.
    public var limits: Limits
    /// The number of pages that are processed concurrently.
    public var width: Int
    /// Whether only the plan is requested.
    public var isDryRun: Bool
    /// Whether a warning ends the run.
    public var isStrict: Bool
    /// Whether the report contains digests of pages and of the output, which is read back to compute them.
    public var findsDigests = false
    /// Whether the output is read back and compared with the expected pages before it appears.
    public var verifies = false
    /// The language of the files that people read, such as the contact sheet.
    public var language = MessageLanguage.english

    public init(
        inputs: [Input], source: String? = nil, sink: String, destination: Destination,
        selection: PageSelection? = nil, direction: Direction? = nil,
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
    /// Whether the output is read back.
    public var isReadBack: Bool { (verifies || findsDigests) && !isDryRun && !destination.isStandardOutput }

    /// A new budget of the memory that all pages in work may take.
    var memoryBudget: MemoryBudget { MemoryBudget(limits, width: width) }
}

extension MemoryBudget {
    /// Creates the budget for the pages of a book, with `width` pages in work.
    package convenience init(_ limits: Limits, width: Int) {
        self.init(bytes: max(limits.memory, width * (64 << 20)))
    }
}

/// An event during a run, for the user interface.
public enum ConversionEvent: Sendable {
    /// An analysis of so many pages begins, before the conversion: this one of so many. Not every one takes place.
    case analyzing(step: Int, of: Int, pages: Int)
    /// A transform has analyzed this many of the pages before the conversion.
    case previewed(pages: Int, of: Int)
    /// Work on a page has begun: its analysis or its conversion.
    case began(page: String)
    /// Work on a page has ended, successfully or not.
    case ended(page: String)
    /// This reading direction was inferred, because it is not stated.
    case directed(ReadingDirection)
    /// The book is open, and this many pages will be converted.
    case opened(pageCount: Int)
    /// This many pages are done.
    case finished(pages: Int)
    /// All pages are done, and the sink composes the output; a long strip takes a while.
    case completing
    /// The output is complete, and is read back.
    case readingBack
    case warned(Warning)
}
