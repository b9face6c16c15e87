/// A page's place in a spread (見開き), two facing pages of an open book.
public enum Side: String, Hashable, Sendable, CaseIterable {
    case left
    case right
    /// Alone: a cover, a page that shows a whole spread, or a page that was not paired.
    case single
}
