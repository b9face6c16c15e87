/// Texts of several lines, such as a book's summary, without what only programs understand.
public enum PlainText {
    /// The lines without white space at their ends, parted by line feeds; an empty one parts paragraphs.
    ///
    /// - Returns: nil where nothing is left.
    public static func clean(_ text: String) -> String? {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let clean = XMLText.clean(String(line))
            if !clean.isEmpty || lines.last?.isEmpty == false { lines.append(clean) }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// The same of a text that may be HTML, as calibre's summaries are: it is if it has any tag that HTML knows.
    ///
    /// - Returns: nil where nothing is left.
    public static func clean(perhapsHTML text: String) -> String? {
        clean(withoutTags(text) ?? text)
    }

    /// What tags of HTML stand for in plain text.
    private static let tags: [String: String] = {
        var tags = ["br": "\n", "li": "\n", "tr": "\n"]
        for name in ["p", "div", "ul", "ol", "blockquote", "hr", "h1", "h2", "h3", "h4", "h5", "h6"] {
            tags[name] = "\n\n"
        }
        for name in ["a", "b", "em", "i", "s", "small", "span", "strong", "sub", "sup", "u"] { tags[name] = "" }
        return tags
    }()

    /// Those that summaries have.
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
    ]

    /// Nil for a text without a known tag. Tags that are not known, and what only looks like one, stay.
    private static func withoutTags(_ html: String) -> String? {
        let bytes = Array(html.utf8)
        let lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0
        var (plain, index, hasTag, hasBlock): ([UInt8], Int, Bool, Bool) = ([], 0, false, false)
        // The text's own line breaks count only where no tag makes any.
        let ownBreak: UInt8 = 0x0B
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<") where index < lastEnd:
                let start = index + (bytes[index + 1] == UInt8(ascii: "/") ? 2 : 1)
                let name = bytes[start...].prefix(11).prefix { isWord($0) }
                if let meaning = tags[String(decoding: name, as: UTF8.self).lowercased()],
                    let end = bytes[(start + name.count)...].firstIndex(of: UInt8(ascii: ">"))
                {
                    plain += meaning.utf8
                    (index, hasTag, hasBlock) = (end + 1, true, hasBlock || !meaning.isEmpty)
                    continue
                }
                plain.append(bytes[index])
            case UInt8(ascii: "&"):
                let name = bytes[(index + 1)...].prefix(9).prefix { isWord($0) || $0 == UInt8(ascii: "#") }
                if name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";"),
                    let meaning = meaning(ofEntity: String(decoding: name, as: UTF8.self))
                {
                    plain += meaning.utf8
                    index = name.endIndex + 1
                    continue
                }
                plain.append(bytes[index])
            case 0x0A: plain.append(ownBreak)
            case ownBreak, 0x0D: break
            case let byte: plain.append(byte)
            }
            index += 1
        }
        guard hasTag else { return nil }
        let meant: UInt8 = hasBlock ? 0x20 : 0x0A
        return String(decoding: plain.map { $0 == ownBreak ? meant : $0 }, as: UTF8.self)
    }

    private static func meaning(ofEntity name: String) -> String? {
        guard name.hasPrefix("#") else { return entities[name] }
        let isHex = name.dropFirst().lowercased().hasPrefix("x")
        let code = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
        return code.flatMap(Unicode.Scalar.init).map { String($0) }
    }

    /// Whether it is a letter or digit of ASCII.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
