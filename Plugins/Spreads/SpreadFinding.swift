public import PageModel

/// The findings about a page's place among facing pages, and the decision.
public struct SpreadFinding: PageFinding {
    /// A change to pages.
    public enum Change: Hashable, Sendable {
        /// The page is one part of a split page.
        case split
        /// The page was joined from two, because one artwork spans both.
        case joined
        /// The page is the whole of a split page, shown before its parts.
        case shownWhole
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
    /// The change to the pages, split or joined; nil if they were left as they are.
    public var made: Change?
    /// The damage of the page's data that the search for the fold found; nil for intact data.
    public var damage: Message?

    public init(_ remark: Message, confidence: Double = 1, fold: Int? = nil, isWide: Bool = false) {
        self.remark = remark
        self.confidence = confidence
        self.fold = fold
        self.isWide = isWide
    }

    public var isOfImage: Bool { false }

    public func counts(isCut: Bool) -> [FindingCount] {
        switch made {
        case .split: [.split]
        case .joined: [.joined]
        case .shownWhole, nil: []
        }
    }

    public var crops: Bool { made == .split }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [
            ("side", .text(side.rawValue)), ("doublePage", .boolean(isWide)), ("spread", .text(remark.english)),
            ("spreadConfidence", .number(confidence)), ("fold", fold.map(FindingValue.integer) ?? .none),
        ]
    }
}

extension FindingCount {
    static let split = FindingCount("split", countsSourcePages: true) { "\($0) split" }
    static let joined = FindingCount("joined") { "\($0) joined" }
}

extension Page {
    /// The finding about its place in a spread; nil if none was requested.
    public var spread: SpreadFinding? {
        get { findings[SpreadFinding.self] }
        set { findings[SpreadFinding.self] = newValue }
    }
}
