/// The breaking of messages into lines as wide as the terminal, which would itself break words.
enum LineWrapping {
    /// The spaces before each line except the first.
    private static let indent = "  "
    /// Punctuation that Japanese text does not put at the start of a line (JIS X 4051).
    private static let closing: Set<Character> = ["、", "。", "，", "．", "」", "』", "）", "】", "：", "；", "！", "？", "…", "ー"]
    /// Brackets that Japanese text does not leave at the end of a line.
    private static let opening: Set<Character> = ["「", "『", "（", "【"]

    /// Returns text with line breaks instead of spaces, and between wide characters. A longer word stays whole, because it is often a
    /// path to copy.
    ///
    /// - Parameter columns: the width of the terminal.
    static func wrapped(_ text: String, columns: Int) -> String {
        var (lines, line, width) = ([String](), "", 0)
        for word in words(text) {
            let shown = word.trimmingSuffixSpaces
            let needed = Terminal.width(of: shown)
            if width > 0, width + needed > columns, line.contains(where: { $0 != " " }) {
                lines.append(line.trimmingSuffixSpaces)
                (line, width) = (indent, indent.count)
            }
            line += word
            width += Terminal.width(of: word)
        }
        return (lines + [line.trimmingSuffixSpaces]).joined(separator: "\n")
    }

    /// Returns the parts that stay together, each with the spaces after it.
    private static func words(_ text: String) -> [String] {
        var (words, word) = ([String](), "")
        for character in text {
            if let last = word.last, breaks(after: last, before: character) {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        return words + [word]
    }

    private static func breaks(after last: Character, before next: Character) -> Bool {
        if last == " " { return next != " " }
        guard next != " ", !closing.contains(next), !opening.contains(last) else { return false }
        return isWide(last) || isWide(next)
    }

    private static func isWide(_ character: Character) -> Bool { Terminal.width(of: String(character)) > 1 }
}

extension String {
    fileprivate var trimmingSuffixSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
