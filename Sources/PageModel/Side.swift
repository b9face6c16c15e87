/// A page's place in a spread (見開き).
public enum Side: String, Hashable, Sendable, CaseIterable {
    case left
    case right
    /// Alone: a cover, a wide page, or a page not paired yet.
    case single
}
