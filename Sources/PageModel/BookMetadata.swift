/// What is known about a book besides its pages.
public struct BookMetadata: Hashable, Sendable {
    public var title: String?
    public var authors: [String]
    public var series: String?
    /// The volume or issue within the series, as text: "3", "12.5".
    public var number: String?
    /// A BCP 47 tag: "ja", "en-GB".
    public var language: String?
    /// The reading direction, when the source states one.
    public var direction: Direction?
    public var outline: [OutlineItem]

    public init(
        title: String? = nil, authors: [String] = [], series: String? = nil, number: String? = nil,
        language: String? = nil, direction: Direction? = nil, outline: [OutlineItem] = []
    ) {
        self.title = title
        self.authors = authors
        self.series = series
        self.number = number
        self.language = language
        self.direction = direction
        self.outline = outline
    }
}
