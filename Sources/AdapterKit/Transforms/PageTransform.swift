public import PageModel

/// Changes a page sequence: its order, its sides, the edits its pages ask for. Touches no pixel.
///
/// It may look at pages small, through the previews that comes with the request.
public protocol PageTransform: Sendable {
    var card: AdapterCard { get }

    /// Applies what the settings ask for: nothing, when they ask for nothing.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`. A page that cannot be seen is no error: it stays as it is.
    func apply(to sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence

    /// What it adds to pages, where that is all it does: it is not applied where no output holds it. Empty for one that
    /// changes pages.
    var onlyAdds: Set<SinkCapabilities.Feature> { get }

    /// Whether a setting on its card, which a sink has on its own as well, means the transform.
    ///
    /// - Parameter given: all values that were given, by name.
    func uses(_ setting: String, given: [String: String]) -> Bool

    /// What it uses the reading direction for.
    func directionUse(_ settings: Settings) -> DirectionUse
}

extension PageTransform {
    public var onlyAdds: Set<SinkCapabilities.Feature> { [] }

    public func uses(_ setting: String, given: [String: String]) -> Bool { true }

    public func directionUse(_ settings: Settings) -> DirectionUse { .none }
}

/// What a transform is asked to do, and what it may do it with.
public struct TransformRequest: Sendable {
    /// The values of the transform's own settings.
    public var settings: Settings
    /// The frame that pages will be scaled into afterwards; nil when they keep their size.
    public var fit: FitBox?
    /// Shows pages.
    public var previews: any PreviewProvider
    /// How many pages may be looked at at once.
    public var width: Int
    /// Whether files that it writes may replace others.
    public var mayReplace: Bool
    /// Whether only the plan is wanted.
    public var isDryRun: Bool
    /// Keeps a list of what exists under temporary names while files are written.
    public var temporaryFiles: TemporaryFiles
    /// Where a transform notes what its settings did, as the rules on its card ask.
    public var effects: Effects
    /// Tells of the book as a whole what a transform chose for the user, each time in one line.
    public var tell: @Sendable (Warning) -> Void

    public init(
        settings: Settings = Settings(), fit: FitBox? = nil, previews: any PreviewProvider, width: Int = 1,
        mayReplace: Bool = false, isDryRun: Bool = false, temporaryFiles: TemporaryFiles = TemporaryFiles(),
        effects: Effects = Effects(), tell: @escaping @Sendable (Warning) -> Void = { _ in }
    ) {
        self.settings = settings
        self.fit = fit
        self.previews = previews
        self.width = width
        self.mayReplace = mayReplace
        self.isDryRun = isDryRun
        self.temporaryFiles = temporaryFiles
        self.effects = effects
        self.tell = tell
    }

    /// Where a file appears that the transform writes.
    public func destination(_ path: String) -> Destination {
        Destination(path: path, mayReplace: mayReplace, temporaryFiles: temporaryFiles)
    }
}
