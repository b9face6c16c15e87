/// What was found out about a page's place among facing pages, and what was made of it.
public struct SpreadFinding: Hashable, Sendable {
    /// What was decided and why; a half sentence.
    public var remark: String
    /// How sure it is, 0 to 1.
    public var confidence: Double
    /// Where a wide page was cut, or would be: pixels from the left of the page as it was laid down.
    public var fold: Int?
    /// Whether the page shows a whole spread.
    public var isWide: Bool

    public init(_ remark: String, confidence: Double = 1, fold: Int? = nil, isWide: Bool = false) {
        self.remark = remark
        self.confidence = confidence
        self.fold = fold
        self.isWide = isWide
    }
}
