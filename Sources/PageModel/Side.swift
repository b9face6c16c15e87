/// A page's place in a spread (見開き), two facing pages of an open book.
public enum Side: String, Hashable, Sendable, CaseIterable {
    case left
    case right
    /// Alone: a cover, a page that shows a whole spread, or an unpaired page.
    case single

    /// The side in a message.
    public var word: Message {
        switch self {
        case .left: "left"
        case .right: "right"
        case .single: "single"
        }
    }
}
