public import PageModel

/// The result of the page curl analysis, and the decision.
public struct FlatnessFinding: PageFinding {
    /// The decision and its reason; a sentence fragment.
    public var remark: Message
    /// Whether the page is dewarped: later findings then refer to the dewarped page.
    public var isFlattened: Bool

    public init(_ remark: Message, isFlattened: Bool) {
        self.remark = remark
        self.isFlattened = isFlattened
    }

    public var changes: Set<PageChange> { isFlattened ? [.flattened] : [] }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("flattened", .boolean(isFlattened)), ("flatten", .text(remark.english))]
    }
}

extension Page {
    /// The finding of `Flatten`; nil if the page was not analyzed.
    public var flatness: FlatnessFinding? {
        get { findings[FlatnessFinding.self] }
        set { findings[FlatnessFinding.self] = newValue }
    }
}
