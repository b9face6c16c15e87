/// A scanner for the text of style sheets (CSS Syntax 3, §4): strings, addresses and brackets are wholes.
struct StyleScanner {
    enum Token {
        case address(String)
        case string(String)
        case other(String)
    }

    enum Ending {
        case block, semicolon
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the text before the next block or semicolon; nil at the end.
    mutating func prelude() -> (text: String, Ending)? {
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: ";"):
                let ending: Ending = bytes[index] == UInt8(ascii: "{") ? .block : .semicolon
                let text = StyleScanner.text(bytes[start..<index])
                index += 1
                return (text, ending)
            // A stray bracket ends nothing.
            case UInt8(ascii: "}"):
                index += 1
                return ("", .semicolon)
            default: skip()
            }
        }
        return nil
    }

    /// Returns the content of the block that was entered, and leaves it.
    mutating func block() -> String {
        let start = index
        var depth = 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default:
                skip()
                continue
            }
            index += 1
            if depth == 0 { return String(decoding: bytes[start..<index - 1], as: UTF8.self) }
        }
        return String(decoding: bytes[start...], as: UTF8.self)
    }

    /// Returns the parts of a text between separators that are in no string, address or bracket, without outer blanks.
    static func split(_ text: String, at separator: Character, maximum: Int = .max) -> [String] {
        guard let mark = separator.asciiValue else { return [text] }
        var scanner = StyleScanner(text)
        var parts: [String] = []
        var start = 0
        while scanner.index < scanner.bytes.count {
            if scanner.bytes[scanner.index] == mark, parts.count < maximum - 1 {
                parts.append(StyleScanner.text(scanner.bytes[start..<scanner.index]))
                scanner.index += 1
                start = scanner.index
            } else {
                scanner.skip()
            }
        }
        return (parts + [StyleScanner.text(scanner.bytes[start...])]).filter { !$0.isEmpty }
    }

    /// Returns all tokens of a value.
    mutating func tokens() -> [Token] {
        var tokens: [Token] = []
        var start = index
        func other(_ end: Int) {
            if start < end { tokens.append(.other(StyleScanner.text(bytes[start..<end]))) }
        }
        while index < bytes.count {
            let before = index
            if let address = address() {
                other(before)
                tokens.append(.address(address))
                start = index
            } else if let string = string() {
                other(before)
                tokens.append(.string(string))
                start = index
            } else {
                index += 1
            }
        }
        other(bytes.count)
        return tokens
    }

    // MARK: Wholes

    /// Skips a comment, a string, an address, brackets or a byte.
    private mutating func skip() {
        if comment() || address() != nil || string() != nil { return }
        let closing: UInt8? =
            switch bytes[index] {
            case UInt8(ascii: "("): UInt8(ascii: ")")
            case UInt8(ascii: "["): UInt8(ascii: "]")
            default: nil
            }
        // An escaped bracket opens nothing.
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        index = min(index, bytes.count)
        guard let closing else { return }
        while index < bytes.count, bytes[index] != closing {
            if comment() || address() != nil || string() != nil { continue }
            index += 1
        }
        index = min(index + 1, bytes.count)
    }

    private mutating func comment() -> Bool {
        guard bytes[index...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "*")]) else { return false }
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: [UInt8(ascii: "*"), UInt8(ascii: "/")]) { index += 1 }
        index = min(index + 2, bytes.count)
        return true
    }

    private mutating func string() -> String? {
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        index += 1
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != quote { appendCharacter(to: &text) }
        index = min(index + 1, bytes.count)
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func address() -> String? {
        let mark = Array("url(".utf8)
        guard index + mark.count <= bytes.count,
            zip(bytes[index...], mark).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        index += mark.count
        while index < bytes.count, StyleScanner.isBlank(bytes[index]) { index += 1 }
        guard index < bytes.count else { return "" }
        var text = string()
        if text == nil {
            var unquoted: [UInt8] = []
            while index < bytes.count, bytes[index] != UInt8(ascii: ")") { appendCharacter(to: &unquoted) }
            while unquoted.last.map(StyleScanner.isBlank) == true { unquoted.removeLast() }
            text = String(decoding: unquoted, as: UTF8.self)
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: ")") { index += 1 }
        index = min(index + 1, bytes.count)
        return text
    }

    /// Appends the next character, which may be escaped: "\26 " is "&".
    private mutating func appendCharacter(to text: inout [UInt8]) {
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
            text.append(bytes[index])
            index += 1
            return
        }
        index += 1
        let digits = bytes[index...].prefix(6).prefix { Character(Unicode.Scalar($0)).isHexDigit }
        guard !digits.isEmpty else {
            // An escaped line break continues a string.
            if !StyleScanner.isBlank(bytes[index]) { text.append(bytes[index]) }
            index += 1
            return
        }
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
        text += Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
        index += digits.count
        if index < bytes.count, StyleScanner.isBlank(bytes[index]) { index += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns a text without comments and outer blanks.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var scanner = StyleScanner(String(decoding: bytes, as: UTF8.self))
        var kept: [UInt8] = []
        while scanner.index < scanner.bytes.count {
            let start = scanner.index
            if scanner.comment() {
                kept.append(0x20)
            } else {
                if scanner.address() == nil, scanner.string() == nil { scanner.index += 1 }
                kept += scanner.bytes[start..<scanner.index]
            }
        }
        let first = kept.firstIndex { !isBlank($0) } ?? kept.endIndex
        let last = kept.lastIndex { !isBlank($0) } ?? kept.startIndex
        return first < kept.endIndex ? String(decoding: kept[first...last], as: UTF8.self) : ""
    }
}
