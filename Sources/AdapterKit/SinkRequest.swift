public import PageModel

/// What a sink is asked to write, besides the pages themselves.
public struct SinkRequest: Sendable {
    public var book: BookMetadata
    /// The most pages that will come; damaged ones may stay away.
    public var pageCount: Int
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

    public init(
        book: BookMetadata, pageCount: Int, destination: Destination, settings: Settings = Settings(),
        encoding: EncodingRequest = EncodingRequest(), isLossless: Bool = false, limits: Limits = Limits(),
        width: Int = 1
    ) {
        self.book = book
        self.pageCount = pageCount
        self.destination = destination
        self.settings = settings
        self.encoding = encoding
        self.isLossless = isLossless
        self.limits = limits
        self.width = width
    }
}
