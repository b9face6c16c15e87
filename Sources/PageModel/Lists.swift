extension Sequence where Element: Hashable {
    /// The elements in order, each once.
    public var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension [Double] {
    /// The middle one of the sorted values; 0 without values.
    package var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

extension Sequence<String> {
    /// The strings with commas between them, for a message in each language: names, formats or values of options.
    public var commaSeparated: Message { map { Message(verbatim: $0) }.joined(separator: ", ") }
}

extension Collection<String> {
    /// Returns the strings as a list: "title, authors and language".
    public func listed(_ conjunction: Conjunction = .and) -> Message {
        map { Message(verbatim: $0) }.listed(conjunction)
    }
}

/// The word between the last two elements of a list.
public enum Conjunction: Sendable {
    case and, or
}
