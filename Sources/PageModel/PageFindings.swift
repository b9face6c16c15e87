/// The results of a page analysis. Boxes are in pixels of the upright image.
public struct PageLayout: Hashable, Sendable {
    /// The result of trimming a page. The raw values are stable: reports print them.
    public enum Trimming: String, Hashable, Sendable, CaseIterable {
        case trimmed
        // The reasons for keeping it whole.
        /// Printed content reaches its edges.
        case fullBleed = "full-bleed"
        /// The page is blank or nearly blank.
        case blank
        /// Its margins are already as narrow as the margin that would remain.
        case narrow = "narrow-margins"
        /// It matches its facing page, which could not be cropped further.
        case facing
        /// The book is a strip, and the gaps belong to it.
        case strip
        /// The file of boxes specifies it.
        case filed = "trim-file"
        /// The box is too uncertain.
        case doubtful = "low-confidence"
        /// The page could not be read.
        case unseen = "unreadable"
    }

    /// The box around all printed content that is kept; nil without such content.
    public var content: PixelRect?
    /// The printed page number, or folio (ノンブル).
    public var pageNumber: PixelRect?
    /// The running head (柱).
    public var head: PixelRect?
    /// The counter-clockwise skew of the lines of text, in degrees; nil with too few lines.
    public var skew: Double?
    /// Whether the page is deskewed: its boxes are then those of the deskewed image.
    public var isDeskewed: Bool
    /// The probability that the finding is right, 0 to 1.
    public var confidence: Double
    /// The decision about the page and its reason; a sentence fragment.
    public var remark: Message
    /// Whether the page was treated individually while the others of the book share a treatment.
    public var isOutlier: Bool
    /// The damage of the page's data that the analysis found; nil for intact data.
    public var damage: Message?
    /// The result of trimming; nil if trimming was not requested.
    public var trimming: Trimming?

    public init(
        content: PixelRect?, pageNumber: PixelRect? = nil, head: PixelRect? = nil, skew: Double? = nil,
        isDeskewed: Bool = false, confidence: Double, remark: Message, isOutlier: Bool = false,
        damage: Message? = nil, trimming: Trimming? = nil
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

/// The result of the page curl analysis, and the decision.
public struct FlatnessFinding: Hashable, Sendable {
    /// The decision and its reason; a sentence fragment.
    public var remark: Message
    /// Whether the page is dewarped: later findings then refer to the dewarped page.
    public var isFlattened: Bool

    public init(_ remark: Message, isFlattened: Bool) {
        self.remark = remark
        self.isFlattened = isFlattened
    }
}

/// The findings about a page's place among facing pages, and the decision.
public struct SpreadFinding: Hashable, Sendable {
    public enum Made: String, Hashable, Sendable {
        /// The page is one part of a split page.
        case cut
        /// The page was joined from two, because one artwork spans both.
        case joined
    }

    /// The decision and its reason; a sentence fragment.
    public var remark: Message
    /// The probability that it is right, 0 to 1.
    public var confidence: Double
    /// The pixel column at which the page was split or would have been, on the upright page; nil without a search for
    /// the fold.
    public var fold: Int?
    /// Whether the page shows a whole spread, as `Page.showsSpread` returned when it was paired.
    public var isWide: Bool
    /// The change to the pages; nil if they were left as they are.
    public var made: Made?

    public init(_ remark: Message, confidence: Double = 1, fold: Int? = nil, isWide: Bool = false) {
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
    /// Alone: a cover, a page that shows a whole spread, or an unpaired page.
    case single

    /// The side in a message.
    public var word: Message {
        switch self {
        case .left: "left"
        case .right: "right"
        case .single: "single"
        }
    }
}
