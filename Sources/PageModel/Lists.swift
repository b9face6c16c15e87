extension Sequence where Element: Hashable {
    /// The elements in order, each once.
    public var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Collection<String> {
    /// Returns the strings as an English list: "title, authors and language".
    public func listed(_ conjunction: String = "and") -> String {
        guard count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) " + suffix(1).joined()
    }
}
