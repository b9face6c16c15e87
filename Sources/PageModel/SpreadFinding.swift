/// What was found out about a page's place among facing pages, and what was made of it.
public struct SpreadFinding: Hashable, Sendable {
    /// What was decided and why; a half sentence.
    public var remark: String
    /// How likely it is right, 0 to 1.
    public var confidence: Double
    /// Where the page was cut in two, or would have been: pixels from the left of the whole upright page; nil where
    /// no fold was looked for.
    public var fold: Int?
    /// Whether the page shows a whole spread, as `Page.showsSpread` said when it was paired.
    public var isWide: Bool

    public init(_ remark: String, confidence: Double = 1, fold: Int? = nil, isWide: Bool = false) {
        self.remark = remark
        self.confidence = confidence
        self.fold = fold
        self.isWide = isWide
    }
}
