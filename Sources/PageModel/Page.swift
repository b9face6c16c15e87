/// One page: a name, a place in a spread, and a picture that is not read until someone asks.
public struct Page: Identifiable, Sendable {
    /// A number that no other page of its sequence has, and that it never loses: what outlines refer to.
    ///
    /// A source numbers its pages from 1 in their order. Pages that a transform adds, such as the second half of a
    /// page that was split, get numbers that were free.
    public private(set) var id: Int
    /// The page of the source that it shows, as the source numbers it; nil for a page that was made up, like a blank
    /// one.
    ///
    /// Both halves of a page that was split have the page's. Warnings name pages by it.
    public var sourceID: Int?
    /// Where the page is in its source, for messages and reports: an entry's path, or "page 12".
    public var name: String
    /// The page number printed in the book or given by a PDF's page labels: "iv", "12", "A-3".
    public var label: String?
    /// Its place in a spread, once that was found out.
    public var side: Side
    /// Whether it and the next page are seen together, as the two sides of one open spread.
    ///
    /// Such pages are treated alike: trimming gives them the same rows and leaves the fold between them. Pages that
    /// have sides but are read one at a time, like the halves of a page that was split, do not face each other.
    public var facesNext = false
    /// What transforms asked for, in order; empty when the source's own bytes may pass.
    public var edits: [Edit]
    /// What was found by looking at the page, once a transform did.
    public var layout: PageLayout?
    /// Whether it is known to show a whole spread, whatever its shape: its source says so, or two pages were merged in
    /// it.
    public var isDoublePage = false
    /// What it is for in the book, as far as its source says; pages that were merged can have several roles.
    public var roles: [PageRole] = []
    /// The book it belongs to, from 0, where several are put into one.
    public var book = 0
    /// The pages that were merged in it, in reading order; empty for a plain page.
    public var parts: [Page] = []
    /// What was found out about how it is curved, once that was asked for.
    public var flatness: FlatnessFinding?
    /// What was found out about its place in a spread, and what was made of it.
    public var spread: SpreadFinding?
    /// Finds out what the picture is, at the cost of reading its header, not its pixels.
    ///
    /// A page whose data is damaged beyond use throws; the run leaves it out and says so.
    public var examine: @Sendable () async throws -> Picture
    /// Reads the page's text, in the order in which it is read; none where the source knows of none.
    ///
    /// It is data beside the picture, which is asked for only when the output has a place for it. What it throws costs the
    /// page its text, not its picture. Places refer to the page before its edits.
    public var text: @Sendable () async throws -> [TextLine] = { [] }
    /// Reads the page's text off its picture, where its source knows of none; nil where nothing does. As `text`.
    public var recognizeText: (@Sendable () async throws -> [TextLine])?
    /// Reads where parts of the page lead to; as `text`. Pages are meant by their numbers in the source, as `sourceID`.
    public var links: @Sendable () async throws -> [PageLink] = { [] }

    public init(
        id: Int, name: String, label: String? = nil, side: Side = .single, edits: [Edit] = [],
        examine: @escaping @Sendable () async throws -> Picture
    ) {
        self.id = id
        sourceID = id
        self.name = name
        self.label = label
        self.side = side
        self.edits = edits
        self.examine = examine
    }

    /// The same page in another book, where it has another name and number; the page of the source that it shows is
    /// counted on by as much as its number is.
    public func renamed(_ name: String, id: Int) -> Page {
        var copy = self
        copy.sourceID = sourceID.map { $0 + id - self.id }
        copy.id = id
        copy.name = name
        let offset = id - self.id
        copy.links = { [links] in try await links().map { $0.renumbered(by: offset) } }
        return copy
    }

    /// The numbers by which links lead to it: its own, and those of the pages that were merged in it.
    public var numbers: [Int] { [id] + parts.map(\.id) }

    /// Whether it shows a whole spread, two facing pages in one picture: since it is known to, or since it is wide.
    ///
    /// - Parameters:
    ///   - size: as its edits leave it; nil when that is not known.
    ///   - ratio: as `PixelSize.isWide` has it.
    public func showsSpread(_ size: PixelSize?, ratio: Double = 1) -> Bool {
        isDoublePage || size?.isWide(ratio: ratio) ?? false
    }
}

extension PixelSize {
    /// Whether a picture of this size is wide: its width is more than `ratio` times its height.
    public func isWide(ratio: Double = 1) -> Bool {
        Double(width) > ratio * Double(height)
    }
}
