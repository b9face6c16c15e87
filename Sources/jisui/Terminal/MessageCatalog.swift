/// The translations of messages into one language, by their English patterns.
///
/// It reads the PO format of gettext, which programs for translators edit. An entry has "msgid" and "msgstr" with strings in
/// quotation marks, which may continue in further lines. Patterns have the numbered places of Python's format strings
/// ("{0}"), so that `msgfmt --check` compares them. Plural forms are not used: each English form is a pattern.
/// <https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html>
struct MessageCatalog {
    private var texts: [String: String] = [:]

    /// - Parameter file: a PO file in UTF-8. Unknown lines are comments; entries without a translation are left out.
    init(_ file: [UInt8]) {
        var (pattern, text): (String?, String?) = (nil, nil)
        var isFuzzy = false
        func take(_ texts: inout [String: String]) {
            if let pattern, let text, !pattern.isEmpty, !text.isEmpty, !isFuzzy { texts[pattern] = text }
        }
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("#, ") || line.hasPrefix("msgid ") {
                if text != nil {
                    take(&texts)
                    (pattern, text, isFuzzy) = (nil, nil, false)
                }
                isFuzzy = isFuzzy || line.hasPrefix("#, ") && line.contains("fuzzy")
            }
            if line.hasPrefix("msgid ") {
                pattern = MessageCatalog.string(line)
            } else if line.hasPrefix("msgstr ") {
                text = MessageCatalog.string(line)
            } else if line.hasPrefix("\"") {
                if text == nil { pattern? += MessageCatalog.string(line) } else { text? += MessageCatalog.string(line) }
            }
        }
        take(&texts)
    }

    subscript(pattern: String) -> String? { texts[pattern] }

    /// Returns the string between the first and the last quotation mark of a line, without escapes.
    private static func string(_ line: Substring) -> String {
        guard let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\""), start < end else { return "" }
        var text = ""
        var isEscaped = false
        for character in line[line.index(after: start)..<end] {
            if isEscaped {
                text.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}
