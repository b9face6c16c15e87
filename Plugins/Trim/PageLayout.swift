public import PageModel

/// The printed areas of a page, and the decision about its margins. Boxes are in pixels of the upright image.
public struct PageLayout: PageFinding {
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
    public var isDeskewed = false
    /// The probability that the finding is right, 0 to 1.
    public var confidence: Double
    /// The doubt about the crop box; nil without one.
    public var doubt: Doubt?
    /// The decision about the page and its reason; a sentence fragment.
    public var remark: Message
    /// Whether the page was treated individually while the others of the book share a treatment.
    public var isOutlier = false
    /// The damage of the page's data that the analysis found; nil for intact data.
    public var damage: Message?
    /// The result of trimming; nil if trimming was not requested.
    public var trimming: Trimming?
}

extension PageLayout {
    public var crops: Bool { trimming == .trimmed }

    public func counts(isCut: Bool) -> [FindingCount] {
        let trimming = crops && !isCut ? .narrow : trimming
        return (isDeskewed ? [.deskewed] : []) + (trimming.map { [$0.count] } ?? [])
    }

    /// Whether the page should be named, because the book's box is not its own. Pages that could not be analyzed, or that
    /// a file of boxes decides on, are reported elsewhere.
    var isException: Bool { isOutlier && ![nil, .unseen, .filed].contains(trimming) }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [
            ("content", .box(content)), ("pageNumber", .box(pageNumber)), ("runningHead", .box(head)),
            ("skew", skew.map(FindingValue.number) ?? .none), ("deskewed", .boolean(isDeskewed)),
            ("confidence", .number(confidence)), ("doubt", doubt.map { .text($0.rawValue) } ?? .none),
            ("trim", .text(remark.english)), ("outlier", .boolean(isOutlier)),
        ]
    }
}

extension FindingCount {
    static let deskewed = FindingCount("deskewed") { "\($0) deskewed" }
    static let trimmed = FindingCount("trimmed") { "\($0) trimmed" }

    /// The pages that trimming left whole for a reason.
    static func keptWhole(_ reason: Reason) -> FindingCount {
        FindingCount("keptWhole", because: reason) { "\($0) kept whole" }
    }
}

extension PageLayout.Trimming {
    /// The count of pages with this result.
    var count: FindingCount {
        switch self {
        case .trimmed: .trimmed
        case .fullBleed: whole("full-bleed")
        case .blank: whole("blank")
        case .narrow: whole("without margins to cut")
        case .facing: whole("to match the page they face")
        case .strip: whole("of a strip")
        case .filed: whole("by the file of boxes")
        case .doubtful: whole("doubtful", needsReview: true)
        case .unseen: whole("not analyzed", needsReview: true)
        }
    }

    private func whole(_ words: Message, needsReview: Bool = false) -> FindingCount {
        let order = Self.allCases.firstIndex(of: self) ?? 0
        return .keptWhole(FindingCount.Reason(rawValue, words, order: order, needsReview: needsReview))
    }
}

extension Page {
    /// The finding of `Trim`; nil if the page was not analyzed.
    public var layout: PageLayout? {
        get { findings[PageLayout.self] }
        set { findings[PageLayout.self] = newValue }
    }
}
