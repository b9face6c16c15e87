/// A text for people: an English pattern with numbered places, and the values for these places.
///
/// A message is not text until it is printed. The pattern "{0} of {1} pages are damaged" is the key of its translations,
/// as in gettext, so that a translation is one file. A string literal is a message where one is expected:
///
///     let message: Message = "\(count) of \(total) pages are damaged"
///
/// An interpolated message is translated too. All other values are inserted as they are. A word that must be translated
/// is therefore not interpolated as a `String`.
public struct Message: Hashable, Sendable {
    /// The value for a place in a pattern.
    public enum Value: Hashable, Sendable {
        /// A name, a number or another text that is the same in each language.
        case text(String)
        case message(Message)
    }

    /// The English text, with "{0}", "{1}" and so on at the places of the values.
    public let pattern: String
    public let values: [Value]

    public init(pattern: String, values: [Value] = []) {
        self.pattern = pattern
        self.values = values
    }

    /// Makes a message of a text that has no translation, such as a name or the message of a library.
    public init(verbatim text: String) {
        self.init(pattern: "{0}", values: [.text(text)])
    }

    /// The text in English.
    public var english: String { text { $0 } }

    /// Returns the text in another language.
    ///
    /// - Parameter translation: returns the translation of a pattern, or the pattern itself if it has none.
    public func text(_ translation: (String) -> String) -> String {
        var text = ""
        var rest = translation(pattern)[...]
        while let start = rest.firstIndex(of: "{") {
            text += rest[..<start]
            rest = rest[start...].dropFirst()
            guard let end = rest.prefix(4).firstIndex(of: "}"), let place = Int(rest[..<end]),
                values.indices.contains(place)
            else {
                text += "{"
                continue
            }
            switch values[place] {
            case .text(let value): text += value
            case .message(let message): text += message.text(translation)
            }
            rest = rest[end...].dropFirst()
        }
        return text + rest
    }

    /// Messages are equal if they have the same English text, even if their values differ.
    public static func == (one: Message, other: Message) -> Bool { one.english == other.english }

    public func hash(into hasher: inout Hasher) { hasher.combine(english) }

    public var isEmpty: Bool { english.isEmpty }
}

extension Message: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pattern = ""
        fileprivate var values: [Value] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { pattern += literal }

        public mutating func appendInterpolation(_ message: Message) { append(.message(message)) }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        public mutating func appendInterpolation(_ text: Substring) { append(.text(String(text))) }

        /// Inserts the name of a page, in which jisui's own words are translated.
        public mutating func appendInterpolation(page name: String) { append(.message(PageName.message(name))) }

        private mutating func append(_ value: Value) {
            pattern += "{\(values.count)}"
            values.append(value)
        }
    }

    public init(stringLiteral text: String) { self.init(pattern: text) }

    public init(stringInterpolation: StringInterpolation) {
        self.init(pattern: stringInterpolation.pattern, values: stringInterpolation.values)
    }
}

extension Message: CustomStringConvertible {
    public var description: String { english }

    /// Makes one pattern of two, so that a long literal can be written in several lines.
    ///
    /// A message that is known only at run time is interpolated instead: each would make another pattern.
    public static func + (one: Message, other: Message) -> Message {
        let places = other.values.indices.map { Value.text("{\($0 + one.values.count)}") }
        let pattern = Message(pattern: other.pattern, values: places).english
        return Message(pattern: one.pattern + pattern, values: one.values + other.values)
    }
}

extension Sequence<Message> {
    /// Returns the messages with a separator between them, which is translated as well.
    public func joined(separator: Message = "") -> Message {
        var values: [Message.Value] = []
        for message in self {
            if !values.isEmpty { values.append(.message(separator)) }
            values.append(.message(message))
        }
        return Message(pattern: values.indices.map { "{\($0)}" }.joined(), values: values)
    }
}

extension Collection<Message> {
    /// Returns the messages as a list: "a, b and c".
    public func listed(_ conjunction: Conjunction = .and) -> Message {
        guard let last = reversed().first else { return "" }
        let others = dropLast().joined(separator: ", ")
        guard count > 1 else { return last }
        return conjunction == .and ? "\(others) and \(last)" : "\(others) or \(last)"
    }
}
