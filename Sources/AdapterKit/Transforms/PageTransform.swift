public import Files
public import PageModel

/// A change to a page sequence: its order, its sides, the edits of its pages.
///
/// It changes no pixels by itself: the run applies the edits of a page when it converts the page.
///
/// It may examine reduced pages through the previews in the request.
public protocol PageTransform: Sendable {
    var descriptor: AdapterDescriptor { get }

    /// Applies the settings to a sequence.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`. A page without a preview is not an error: it stays as it is.
    func apply(to sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence

    /// Returns the edits that its settings request of every page, without an analysis of the page.
    ///
    /// Those that only move pixels come before all transforms, and those that change pixels after them.
    func edits(_ settings: Settings) -> [PageEdit]

    /// The features that it adds to pages, if it does nothing else. It is skipped if no output can hold them. Empty for
    /// a transform that changes pages.
    var addedFeatures: Set<SinkCapabilities.Feature> { get }

    /// Whether a setting of its descriptor that a sink also has on its own activates the transform.
    ///
    /// - Parameter given: all given values, by name.
    func uses(_ setting: String, given: [String: String]) -> Bool

    /// Whether `--page-timeout` limits its work, apart from decoding and rendering pages.
    ///
    /// - Parameter given: all given values, by name.
    func usesPageTimeout(given: [String: String]) -> Bool

    /// Returns the use that it makes of the reading direction.
    func directionUse(_ settings: Settings) -> DirectionUse
}

extension PageTransform {
    public func edits(_ settings: Settings) -> [PageEdit] { [] }

    public var addedFeatures: Set<SinkCapabilities.Feature> { [] }

    public func uses(_ setting: String, given: [String: String]) -> Bool { true }

    public func usesPageTimeout(given: [String: String]) -> Bool { false }

    public func directionUse(_ settings: Settings) -> DirectionUse { .none }
}

/// A request to a transform, with the tools that it may use.
public struct TransformRequest: Sendable {
    /// The values of the transform's own settings.
    public var settings: Settings
    /// The frame into which pages will be scaled afterwards; nil if they keep their size.
    public var fit: FitBox?
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
    /// Whether only the plan is needed.
    public var isDryRun: Bool
    /// The list of files that have temporary names while files are written.
    public var temporaryFiles: TemporaryFiles
    /// The events that a transform notes for the rules of its descriptor.
    public var effects: Effects
    /// Reports a choice that a transform made for the whole book, one line each.
    public var report: @Sendable (Warning) -> Void

    public init(
        settings: Settings = Settings(), fit: FitBox? = nil, previews: any PreviewProvider, book: SourceBook? = nil,
        width: Int = 1, mayReplace: Bool = false, isDryRun: Bool = false,
        temporaryFiles: TemporaryFiles = TemporaryFiles(),
        effects: Effects = Effects(), report: @escaping @Sendable (Warning) -> Void = { _ in }
    ) {
        self.settings = settings
        self.fit = fit
        self.previews = previews
        self.book = book
        self.width = width
        self.mayReplace = mayReplace
        self.isDryRun = isDryRun
        self.temporaryFiles = temporaryFiles
        self.effects = effects
        self.report = report
    }

    /// Returns the destination of a file that the transform writes.
    public func destination(_ path: String) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: temporaryFiles)
    }
}
