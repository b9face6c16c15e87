/// The result of analyzing a page, and the decision about it.
///
/// A plug-in defines its findings, puts them into `Page.findings`, and describes them here for reports. A finding needs
/// a remark and its members of a report.
public protocol PageFinding: Hashable, Sendable {
    /// The decision and its reason; a sentence fragment.
    var remark: Message { get }

    /// Whether it is about the image of the page, and not about the page's place among the others.
    ///
    /// The parts of a merged page keep their findings about images in reports.
    var isOfImage: Bool { get }

    /// Whether the remark is about a crop, and wrong if too little could be cut.
    var isOfCrop: Bool { get }

    /// The changes to the page that the summary of a book counts.
    var changes: Set<PageChange> { get }

    /// The reason for leaving the page whole; nil if it was changed, or if no change was requested.
    var wholeReason: WholeReason? { get }

    /// Whether the page was treated separately while the others of the book share a treatment.
    var isException: Bool { get }

    /// The boxes of everything printed on the page, in pixels of the upright image; empty if they are not known.
    var printed: [PixelRect] { get }

    /// The damage of the page's data that the analysis found; nil for intact data.
    var damage: Message? { get }

    /// Returns the keys of the finding in the report on the page, and their values.
    ///
    /// - Parameter side: the page's place in a spread.
    func members(side: Side) -> [(key: String, value: FindingValue)]
}

extension PageFinding {
    public var isOfImage: Bool { true }

    public var isOfCrop: Bool { false }

    public var changes: Set<PageChange> { [] }

    public var wholeReason: WholeReason? { nil }

    public var isException: Bool { false }

    public var printed: [PixelRect] { [] }

    public var damage: Message? { nil }
}

/// A value of a finding in a report.
public enum FindingValue: Hashable, Sendable {
    case none
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    /// A box in pixels of the upright image; nil without one.
    case box(PixelRect?)
}

/// A change to a page that the summary of a book counts.
///
/// The list is closed, because a report has the count of each of them, even if it is 0.
public enum PageChange: Hashable, Sendable {
    case trimmed
    case deskewed
    case flattened
    /// The page is one part of a split page.
    case split
    /// The page was joined from two, because one artwork spans both.
    case joined
}

/// A reason for leaving a page whole that was to be trimmed. Reasons with one ID are equal.
public struct WholeReason: Hashable, Sendable {
    /// The key of the reason in reports.
    public let id: String
    /// The text after a number of pages.
    public let words: Message
    /// Whether a person should check such pages.
    public let needsReview: Bool
    /// The place of the reason among those of a report.
    public let order: Int

    public init(_ id: String, _ words: Message, order: Int, needsReview: Bool = false) {
        self.id = id
        self.words = words
        self.order = order
        self.needsReview = needsReview
    }

    public static func == (one: WholeReason, other: WholeReason) -> Bool { one.id == other.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The margins are so narrow that nothing is cut off. Trimming may decide it, or the conversion later.
    public static let narrow = WholeReason("narrow-margins", "without margins to cut", order: 3)
}

extension [any PageFinding] {
    /// The finding of a type; nil if no transform made one.
    ///
    /// A finding replaces an earlier one of its type. Others are in the order of the transforms.
    public subscript<Finding: PageFinding>(_ type: Finding.Type) -> Finding? {
        get { lazy.compactMap { $0 as? Finding }.first }
        set {
            let index = firstIndex { $0 is Finding }
            switch (index, newValue) {
            case (let index?, let finding?): self[index] = finding
            case (let index?, nil): remove(at: index)
            case (nil, let finding?): append(finding)
            case (nil, nil): break
            }
        }
    }

    /// The findings about the page's image.
    public var ofImage: [any PageFinding] { filter { $0.isOfImage } }

    /// The findings about the page's place among the others.
    public var ofPlace: [any PageFinding] { filter { !$0.isOfImage } }

    /// Returns whether one of the findings states a change.
    public func contain(_ change: PageChange) -> Bool { contains { $0.changes.contains(change) } }
}
