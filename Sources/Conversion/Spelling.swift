package import PageModel

/// The comparison of words with possible typing errors.
public enum Spelling {
    /// The largest distance of a word that may be a typing error.
    private static let maximumDistance = 2

    /// Returns whether a typing error may make one word of another.
    public static func areAlike(_ one: String, _ other: String) -> Bool {
        distance(Array(one), Array(other)) <= maximumDistance
    }

    /// Returns the word that is most like another one; nil if none differs by a typing error only.
    public static func nearest(to word: String, among words: [String]) -> String? {
        let typed = Array(word.lowercased())
        let distances = words.map { ($0, distance(typed, Array($0))) }
        return distances.min { $0.1 < $1.1 }.flatMap { $0.1 <= maximumDistance ? $0.0 : nil }
    }

    /// Returns the edit distance of two words: the number of changed, inserted and deleted letters,
    /// and of swapped neighboring letters.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for row in 0..<one.count {
            var next = [row + 1]
            for column in 0..<other.count {
                var cost = min(
                    rows[row][column] + (one[row] == other[column] ? 0 : 1), rows[row][column + 1] + 1, next[column] + 1
                )
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    cost = min(cost, rows[row - 1][column - 1] + 1)
                }
                next.append(cost)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}

extension AdapterError {
    /// Returns the error for a setting that does not exist.
    ///
    /// - Parameters:
    ///   - known: the names of all settings.
    ///   - hint: the hint; nil for the most similar name.
    package static func unknownSetting(_ name: String, among known: [String], hint: Message? = nil) -> AdapterError {
        let nearest = Spelling.nearest(to: name, among: known).map { "did you mean '\($0)'?" as Message }
        return AdapterError(.usage, "unknown setting '\(name)'", hint: hint ?? nearest)
    }
}
