/// A kind of pages that the summary of a book counts, such as "12 trimmed".
///
/// A plug-in defines the counts of its findings. Counts with one key and one reason are equal.
public struct FindingCount: Hashable, Sendable {
    /// A reason by which a count is divided, such as "full-bleed" among the pages that were kept whole.
    public struct Reason: Sendable {
        /// The key of the reason in reports.
        public let id: String
        /// The text after the number of pages with this reason.
        public let words: Message
        /// The place of the reason among the others.
        public let order: Int
        /// Whether a person should check such pages: then the summary names them.
        public let needsReview: Bool

        public init(_ id: String, _ words: Message, order: Int, needsReview: Bool = false) {
            (self.id, self.words, self.order, self.needsReview) = (id, words, order, needsReview)
        }
    }

    /// The key in reports.
    public let key: String
    /// The reason; nil for a count without reasons.
    public let reason: Reason?
    /// Whether pages of one source page count once, as the halves of a split page do.
    public let countsSourcePages: Bool
    /// Returns the text for a number of pages, without its reasons.
    public let words: @Sendable (Int) -> Message

    public init(
        _ key: String, because reason: Reason? = nil, countsSourcePages: Bool = false,
        words: @escaping @Sendable (Int) -> Message
    ) {
        (self.key, self.reason, self.countsSourcePages, self.words) = (key, reason, countsSourcePages, words)
    }

    public static func == (one: FindingCount, other: FindingCount) -> Bool {
        one.key == other.key && one.reason?.id == other.reason?.id
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(reason?.id)
    }
}
