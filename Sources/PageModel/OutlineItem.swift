/// A line of a book's table of contents.
public struct OutlineItem: Hashable, Sendable {
    public var title: String
    /// The page it leads to, as `Page.id`; nil for a heading that leads nowhere.
    public var page: Int?
    /// The depth in the outline, from 0.
    public var level: Int

    public init(title: String, page: Int?, level: Int) {
        self.title = title
        self.page = page
        self.level = level
    }
}
