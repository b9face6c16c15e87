/// One page: a name, a place in a spread, and a picture that is not looked at until someone asks.
public struct Page: Identifiable, Sendable {
    /// The page's place in its source, from 1; never used again for another page, never renumbered.
    public private(set) var id: Int
    /// Where the page is in its source, for messages and reports: an entry's path, or "page 12".
    public var name: String
    /// The page number printed in the book or given by a PDF's page labels: "iv", "12", "A-3".
    public var label: String?
    public var side: Side
    /// What transforms asked for; empty when the source's own bytes may pass.
    public var edits: [Edit]
    /// What a transform found that looked at the page.
    public var layout: PageLayout?
    /// Whether the source says that it shows a whole spread.
    public var isDoublePage = false
    /// Which book it is of, from 0, where several are made one.
    public var book = 0
    /// The pages that it shows beside each other, in reading order; empty for a plain page.
    public var parts: [Page] = []
    /// Whether it and the next one were one picture, so that they face each other.
    public var isFirstHalf = false
    /// Whether it and the next one are facing pages that are to be seen as one.
    public var facesNext = false
    /// What was found out about its place in a spread.
    public var spread: SpreadFinding?
    /// Finds out what the picture is, at the cost of reading its header, not its pixels.
    ///
    /// A page whose data is damaged beyond use throws; the run leaves it out and says so.
    public var examine: @Sendable () async throws -> Picture

    public init(
        id: Int, name: String, label: String? = nil, side: Side = .single, edits: [Edit] = [],
        examine: @escaping @Sendable () async throws -> Picture
    ) {
        self.id = id
        self.name = name
        self.label = label
        self.side = side
        self.edits = edits
        self.examine = examine
    }

    /// The same page in another book.
    public func renamed(_ name: String, id: Int) -> Page {
        var copy = self
        copy.id = id
        copy.name = name
        return copy
    }
}
