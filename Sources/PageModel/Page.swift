/// A page: a name, a place in a spread, and an image that is read on demand.
public struct Page: Identifiable, Sendable {
    /// The unique and permanent number of the page in its sequence, to which outlines refer.
    ///
    /// A source numbers its pages from 1 in their order. Pages that a transform adds, such as the second half of a
    /// split page, get unused numbers.
    public private(set) var id: Int
    /// The page of the source that it shows, by the source's number; nil for a generated page, such as a blank one.
    ///
    /// Both halves of a split page have that page's number. Warnings name pages by it.
    public var sourceID: Int?
    /// The page's location in its source, for messages and reports: an entry's path, or "page 12".
    public var name: String
    /// The page number printed in the book or given by a PDF's page labels: "iv", "12", "A-3".
    public var label: String?
    /// The page's place in a spread, once it is known.
    public var side: Side
    /// Whether it and the next page are seen together, as the two sides of one open spread.
    ///
    /// Such pages are treated alike: trimming gives them the same rows and leaves the fold between them. Pages that
    /// have sides but are read one at a time, such as the halves of a split page, do not face each other.
    public var facesNextPage = false
    /// The changes that transforms requested, in order; empty if the source's own bytes may be used.
    public var edits: [PageEdit]
    /// The results of the analyses by transforms, one of a type.
    public var findings: [any PageFinding] = []
    /// The regions that analyses by transforms found.
    public var regions: [PageRegion] = []
    /// Whether it is known to show a whole spread, regardless of its aspect ratio: its source states so, or it was
    /// merged from two pages.
    public var isDoublePage = false
    /// The page types that its source states; merged pages can have several.
    public var roles: [PageRole] = []
    /// The book of the page, from 0, if several are combined into one.
    public var book = 0
    /// The pages that were merged into it, in reading order; empty for a plain page.
    public var parts: [Page] = []
    /// Examines the image by reading its header, not its pixels.
    ///
    /// A page whose data is unusable throws; the run skips it and reports it.
    public var examine: @Sendable () async throws -> Picture
    /// Reads the page's text in reading order; empty if the source knows of no text.
    ///
    /// The text is separate from the image, and it is read only when the output has a place for it. An error loses the
    /// page's text, not its image. Positions refer to the page before its edits.
    public var text: @Sendable () async throws -> [TextLine] = { [] }
    /// Reads the part of the text that the page's image shows because the page paints it; see `text`. The rest is
    /// invisible, such as the recognized text of a scan.
    public var visibleText: @Sendable () async throws -> [TextLine] = { [] }
    /// The recognition of the page's text from its image; nil without a recognizer. See `text`.
    public var recognition: TextRecognition?
    /// Reads the links on the page; see `text`. Targets are page numbers of the source, as `sourceID`.
    public var links: @Sendable () async throws -> [PageLink] = { [] }

    public init(
        id: Int, name: String, label: String? = nil, side: Side = .single, edits: [PageEdit] = [],
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

    /// Returns the same page in another book, where it has another name and number. The number of its source page
    /// increases by the same amount as its own number.
    public func renamed(_ name: String, id: Int) -> Page {
        var copy = self
        copy.sourceID = sourceID.map { $0 + id - self.id }
        copy.id = id
        copy.name = name
        let offset = id - self.id
        copy.links = { [links] in try await links().map { $0.renumbered(by: offset) } }
        return copy
    }

    /// The numbers of links to it: its own, and those of the pages that were merged into it.
    public var numbers: [Int] { [id] + parts.map(\.id) }

    /// Whether it shows a whole spread, two facing pages in one image. It is known to, or it is wide.
    ///
    /// - Parameters:
    ///   - size: its edited size, if known.
    ///   - ratio: the limit of `PixelSize.isWide`.
    public func showsSpread(_ size: PixelSize?, ratio: Double = 1) -> Bool {
        isDoublePage || size?.isWide(ratio: ratio) ?? false
    }
}

extension PixelSize {
    /// Whether an image of this size is wide: its width is more than `ratio` times its height.
    public func isWide(ratio: Double = 1) -> Bool {
        Double(width) > ratio * Double(height)
    }
}
