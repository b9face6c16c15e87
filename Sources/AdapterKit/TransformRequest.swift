public import PageModel

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

    public init(
        settings: Settings = Settings(), fit: FitBox? = nil, previews: any PreviewProvider, width: Int = 1,
        mayReplace: Bool = false,
        isDryRun: Bool = false
    ) {
        self.settings = settings
        self.fit = fit
        self.previews = previews
        self.width = width
        self.mayReplace = mayReplace
        self.isDryRun = isDryRun
    }
}
