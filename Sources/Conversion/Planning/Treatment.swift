/// How a page gets from its source into the output, from the least lossy way to the most.
public enum Treatment: String, Hashable, Sendable, CaseIterable {
    /// The source's own bytes are copied.
    case verbatim
    /// Every pixel keeps its value, in other bytes.
    case lossless
    /// Decoded, changed, encoded once.
    case encoded
    /// Rendered at a resolution.
    case drawn
}
