public import OrderedJSON
public import PageModel

/// The result of reading a finished output back.
public struct Verification: Sendable {
    /// The degree to which an output page matches the expected page.
    enum Likeness: CaseIterable {
        /// It holds the bytes of the source's image.
        case identical
        /// It holds the expected pixels.
        case samePixels
        /// It decodes completely and has the expected size.
        case decodes
        /// It holds the expected bytes, which jisui cannot judge: their damage was known, or they cannot be decoded.
        case asWritten
    }

    /// The id of the source that read the output; nil if no source can.
    public private(set) var source: String?
    /// The reason that the output could not be read back; nil if it was.
    public private(set) var blocker: Message?
    private var counts: [Likeness: Int] = [:]

    init(by source: String, _ likenesses: [Likeness]) {
        self.source = source
        for likeness in likenesses { counts[likeness, default: 0] += 1 }
    }

    /// Creates the result for an output that cannot be read back.
    init(blocker: Message) {
        self.blocker = blocker
    }

    /// Returns the result for two outputs of one format.
    func and(_ other: Verification?) -> Verification {
        var both = self
        both.counts.merge(other?.counts ?? [:]) { $0 + $1 }
        return both
    }

    private func count(_ likeness: Likeness) -> Int { counts[likeness] ?? 0 }

    /// "Verified: 40 pages read back, 38 identical to the source bytes, 2 decode".
    public var text: Message {
        if let blocker { return "Not verified: \(blocker)" }
        let total = counts.values.reduce(0, +)
        var words: [Message] = [total == 1 ? "1 page read back" : "\(total) pages read back"]
        for likeness in Likeness.allCases where count(likeness) > 0 { words.append(likeness.message(count(likeness))) }
        return "Verified: \(words.joined(separator: ", "))"
    }

    public var json: JSON {
        guard let source else { return ["format": .null, "reason": JSON(blocker)] }
        return [
            "format": .string(source), "pages": .integer(counts.values.reduce(0, +)),
            "identical": .integer(count(.identical)), "samePixels": .integer(count(.samePixels)),
            "decoded": .integer(count(.decodes)), "asWritten": .integer(count(.asWritten)),
        ]
    }
}

extension Verification.Likeness {
    fileprivate func message(_ count: Int) -> Message {
        switch self {
        case .identical: "\(count) identical to the source bytes"
        case .samePixels: "\(count) with the same pixels"
        case .decodes: count == 1 ? "1 decodes" : "\(count) decode"
        case .asWritten: "\(count) as written, but not decoded"
        }
    }
}
