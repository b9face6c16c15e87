/// What was found on a page by looking at it. Boxes are in pixels of the upright picture.
public struct PageLayout: Hashable, Sendable {
    /// The result of trimming a page. The raw values are stable: reports print them.
    public enum Trimming: String, Hashable, Sendable, CaseIterable {
        case trimmed
        // The reasons for keeping it whole.
        /// Print reaches its edges.
        case fullBleed = "full-bleed"
        /// Nothing is printed on it, or next to nothing.
        case blank
        /// Its margins are no wider than the margin to be left.
        case narrow
        /// It matches the page that it faces, which could not be cut so far.
        case facing
        /// The book is a strip, and the gaps belong to it.
        case strip
        /// The file of boxes says so.
        case filed
        /// The box is too uncertain.
        case doubtful
        /// The page could not be read.
        case unseen
    }

    /// The box around all that is printed and kept; nil when nothing is.
    public var content: PixelRect?
    /// The printed page number, or folio (ノンブル).
    public var pageNumber: PixelRect?
    /// The running head (柱).
    public var head: PixelRect?
    /// How far the lines of text are turned counter-clockwise, in degrees; nil where there are too few.
    public var skew: Double?
    /// Whether the page is deskewed: its boxes are then those of the deskewed picture.
    public var isDeskewed: Bool
    /// How likely the finding is right, 0 to 1.
    public var confidence: Double
    /// What was decided about the page and why; a half sentence.
    public var remark: String
    /// Whether the page was treated by itself where the others of the book share a treatment.
    public var isOutlier: Bool
    /// What is wrong with the page's data, as far as looking at it showed; nil when nothing is.
    public var damage: String?
    /// The result of trimming; nil if trimming was not requested.
    public var trimming: Trimming?

    public init(
        content: PixelRect?, pageNumber: PixelRect? = nil, head: PixelRect? = nil, skew: Double? = nil,
        isDeskewed: Bool = false, confidence: Double, remark: String, isOutlier: Bool = false,
        damage: String? = nil, trimming: Trimming? = nil
    ) {
        self.content = content
        self.pageNumber = pageNumber
        self.head = head
        self.skew = skew
        self.isDeskewed = isDeskewed
        self.confidence = confidence
        self.remark = remark
        self.isOutlier = isOutlier
        self.damage = damage
        self.trimming = trimming
    }
}

/// What was found out about how a page is curved, and what was made of it.
public struct FlatnessFinding: Hashable, Sendable {
    /// What was decided and why; a half sentence.
    public var remark: String
    /// Whether the page is laid flat: what was found on it later was found on the flat page.
    public var isFlattened: Bool

    public init(_ remark: String, isFlattened: Bool) {
        self.remark = remark
        self.isFlattened = isFlattened
    }
}

/// What was found out about a page's place among facing pages, and what was made of it.
public struct SpreadFinding: Hashable, Sendable {
    public enum Made: String, Hashable, Sendable {
        /// The page is one part of a page that was cut.
        case cut
        /// The page was joined from two, because one drawing spans both.
        case joined
    }

    /// What was decided and why; a half sentence.
    public var remark: String
    /// How likely it is right, 0 to 1.
    public var confidence: Double
    /// Where the page was cut in two, or would have been: pixels from the left of the whole upright page; nil where
    /// no fold was looked for.
    public var fold: Int?
    /// Whether the page shows a whole spread, as `Page.showsSpread` said when it was paired.
    public var isWide: Bool
    /// The change to the pages; nil if they were left as they are.
    public var made: Made?

    public init(_ remark: String, confidence: Double = 1, fold: Int? = nil, isWide: Bool = false) {
        self.remark = remark
        self.confidence = confidence
        self.fold = fold
        self.isWide = isWide
    }
}

/// A page's place in a spread (見開き), two facing pages of an open book.
public enum Side: String, Hashable, Sendable, CaseIterable {
    case left
    case right
    /// Alone: a cover, a page that shows a whole spread, or a page that was not paired.
    case single
}
