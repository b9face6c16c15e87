/// How a page gets from its source into the output, from the least lossy way to the most.
public enum Treatment: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The source's own bytes are copied.
    case verbatim
    /// Every pixel keeps its value, in other bytes.
    case lossless
    /// Decoded, changed, encoded once.
    case encoded
    /// Rendered at a resolution.
    case drawn

    /// Whether one loses less than the other.
    public static func < (one: Treatment, other: Treatment) -> Bool {
        allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
}
