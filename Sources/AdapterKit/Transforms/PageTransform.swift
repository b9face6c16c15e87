public import Files
public import PageModel

/// A change to a page sequence: its order, its sides, the edits of its pages.
///
/// It changes no pixels by itself: the run applies the edits of a page when it converts the page.
///
/// It may examine reduced pages through the previews in the request.
public protocol PageTransform: Sendable {
    var descriptor: AdapterDescriptor { get }

    /// Returns the passes that the settings request, each with its stage; empty if they request nothing.
    ///
    /// It reads no file and no page: passes do this when they run.
    ///
    /// - Throws: `.usage` for settings that are invalid or have no effect together.
    func passes(_ settings: Settings) throws(AdapterError) -> [Pass]

    /// The features that it adds to pages, if it does nothing else. It is skipped if no output can hold them. Empty for
    /// a transform that changes pages.
    var addedFeatures: Set<SinkCapabilities.Feature> { get }

    /// The counts of its findings. A report has each of them, even with 0 pages.
    var counts: [FindingCount] { get }

    /// Returns a note on the findings about a converted book; nil if there is nothing to say about them together.
    func note(on pages: [JudgedPage]) -> Warning?
}

/// A converted page with the findings about its images.
public struct JudgedPage: Sendable {
    /// The page's place in the output, from 1.
    public var number: Int
    /// The findings about its image, and about those of the pages that were merged into it.
    public var findings: [any PageFinding]
    /// Whether a requested crop is made; see `PageFinding.counts`.
    public var isCut: Bool

    public init(number: Int, findings: [any PageFinding], isCut: Bool) {
        (self.number, self.findings, self.isCut) = (number, findings, isCut)
    }
}

extension PageTransform {
    public var addedFeatures: Set<SinkCapabilities.Feature> { [] }

    public var counts: [FindingCount] { [] }

    public func note(on pages: [JudgedPage]) -> Warning? { nil }

    /// Applies all passes that the settings request, without other transforms.
    public func apply(
        to sequence: PageSequence, _ settings: Settings, _ request: TransformRequest
    ) async throws -> PageSequence {
        var result = sequence
        for pass in try passes(settings).inOrderOfStages { result = try await pass.apply(to: result, request) }
        return result
    }
}

/// The tools that a pass of a transform may use, and the conditions of the run.
public struct TransformRequest: Sendable {
    /// The provider of reduced pages.
    public var previews: any PreviewProvider
    /// The book that the run reads, by which decision files recognize their book; nil if they do not.
    public var book: SourceBook?
    /// The maximum number of pages examined at once.
    public var width: Int
    /// Whether files that it writes may replace others.
    public var mayReplace: Bool
    /// The value of `--page-timeout` in seconds; nil without the option.
    public var pageTimeout: Int?
    /// The limits for the pixels and bytes of an image that a transform makes.
    public var limits = Limits()
    /// The language of the files that a transform writes for people.
    public var language = MessageLanguage.english
    /// Whether only the plan is needed.
    public var isDryRun: Bool
    /// The list of files that have temporary names while files are written.
    public var temporaryFiles: TemporaryFiles
    /// The events that a transform notes for the rules of its descriptor.
    public var effects = OptionEvidence()
    /// Reports a choice that a transform made for the whole book, one line each.
    public var report: @Sendable (Warning) -> Void

    public init(
        previews: any PreviewProvider, book: SourceBook? = nil, width: Int = 1, mayReplace: Bool = false,
        isDryRun: Bool = false, temporaryFiles: TemporaryFiles = TemporaryFiles(),
        report: @escaping @Sendable (Warning) -> Void = { _ in }
    ) {
        self.previews = previews
        self.book = book
        self.width = width
        self.mayReplace = mayReplace
        self.isDryRun = isDryRun
        self.temporaryFiles = temporaryFiles
        self.report = report
    }

    /// Returns the destination of a file that the transform writes.
    public func destination(_ path: String) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: temporaryFiles)
    }
}
