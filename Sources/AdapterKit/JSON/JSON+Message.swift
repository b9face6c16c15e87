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

    /// Reads the message from an answer; nil for other JSON.
    public init?(answer: JSON?) {
        if let pattern = answer?.asString {
            self.init(pattern: pattern)
            return
        }
        guard let elements = answer?.elements, let pattern = elements.first?.asString else { return nil }
        var values: [Value] = []
        for element in elements.dropFirst() {
            if let text = element.asString {
                values.append(.text(text))
            } else {
                guard let message = Message(answer: element) else { return nil }
                values.append(.message(message))
            }
        }
        self.init(pattern: pattern, values: values)
    }
}
