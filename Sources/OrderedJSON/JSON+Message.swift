public import PageModel

extension JSON {
    /// The English text, as in reports; `null` without a message.
    public init(_ message: Message?) { self.init(message?.english) }
}

extension Message {
    /// The message for another process of jisui: its pattern, or an array of the pattern and the values.
    public var answer: JSON {
        guard !values.isEmpty else { return .string(pattern) }
        return .array(
            [.string(pattern)]
                + values.map { value in
                    switch value {
                    case .text(let text): .string(text)
                    // A pattern without values would be read as a value.
                    case .message(let message): message.values.isEmpty ? [message.answer] : message.answer
                    }
                })
    }

    /// The maximum depth of messages in a message from another process; jisui's own have up to 4.
    private static let maximumDepth = 8
    /// The maximum number of values of such a message; jisui's own have up to 7, and lists a few more.
    private static let maximumValues = 100

    /// Reads the message from an answer; nil for other JSON.
    ///
    /// The process may have been taken over. A place that occurs twice in a pattern would let the text grow exponentially with
    /// the depth, so it is rejected.
    public init?(answer: JSON?) { self.init(answer: answer, depth: 0) }

    private init?(answer: JSON?, depth: Int) {
        if let pattern = answer?.asString {
            self.init(pattern: pattern)
            return
        }
        guard depth < Message.maximumDepth, let elements = answer?.elements, let pattern = elements.first?.asString,
            elements.count <= 1 + Message.maximumValues,
            (0..<elements.count - 1).allSatisfy({ pattern.ranges(of: "{\($0)}").count <= 1 })
        else { return nil }
        var values: [Value] = []
        for element in elements.dropFirst() {
            if let text = element.asString {
                values.append(.text(text))
            } else {
                guard let message = Message(answer: element, depth: depth + 1) else { return nil }
                values.append(.message(message))
            }
        }
        self.init(pattern: pattern, values: values)
    }
}
