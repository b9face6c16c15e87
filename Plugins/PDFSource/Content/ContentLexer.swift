/// A lexer that splits a content stream into operands and operators (ISO 32000-1, 7.8.2).
///
/// The library qpdf could do it, but needs far longer for the same operators. The test was a page of 629,000 of them (9 MB of
/// paths and some text). This lexer takes 0.6 billion instructions for it, `QPDFTokenizer` 3.2 billion and `parseContentStream`
/// 10.6 billion. The library makes a string of every token, and an object of every operand; here most are skipped in place.
struct ContentLexer {
    enum Token {
        case number(Double)
        case name(String)
        /// A string, with its number of bytes: only an empty string matters, not the text.
        case string(Int)
        /// A skipped array or dictionary, and whether it contains a string that is not empty.
        case compound(hasText: Bool)
        case keyword(String)
    }

    private let bytes: [UInt8]
    private var index = 0

    /// The place of the next byte to be read.
    var position: Int { index }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the next token, or nil at the end.
    mutating func next() -> Token? {
        skipSpace()
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "/"):
            return .name(readName())
        case UInt8(ascii: "("):
            return .string(skipString())
        case UInt8(ascii: "<") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "<"):
            return .compound(hasText: skipCompound())
        case UInt8(ascii: "<"):
            return .string(skipHexadecimal())
        case UInt8(ascii: "["):
            return .compound(hasText: skipCompound())
        case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            index += 1
            return .keyword("")
        default:
            return readWord()
        }
    }

    /// Returns a part of the content.
    func bytes(from start: Int, to end: Int) -> [UInt8] { Array(bytes[start..<end]) }

    /// Returns the data of an inline image that began after the ID operator at `start` and was just skipped.
    func inlineData(from start: Int) -> [UInt8] {
        // White space follows ID, and precedes EI.
        Array(bytes[min(start + 1, bytes.count)..<max(min(start + 1, bytes.count), index - 3)])
    }

    /// Skips the data of an inline image whose ID operator was just read, and its EI.
    ///
    /// The length of the data is not stated. So EI counts only between white space, with only plain text close after it.
    ///
    /// - Parameter count: the number of bytes if it is known, because they have no filter.
    mutating func skipInlineImage(_ count: Int? = nil) {
        var place = index + 1 + min(count ?? 0, bytes.count)
        while place + 2 < bytes.count {
            if bytes[place] == UInt8(ascii: "E"), bytes[place + 1] == UInt8(ascii: "I"), place > 0,
                ContentLexer.isSpace(bytes[place - 1]), ContentLexer.isSpace(bytes[place + 2]),
                bytes[(place + 2)...].prefix(16).allSatisfy({ $0 < 127 && ($0 >= 32 || ContentLexer.isSpace($0)) })
            {
                index = place + 2
                return
            }
            place += 1
        }
        index = bytes.count
    }

    // MARK: Reading

    /// Skips to the next token; false at the end.
    mutating func skipToToken() -> Bool {
        skipSpace()
        return index < bytes.count
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                while index < bytes.count, bytes[index] != 10, bytes[index] != 13 { index += 1 }
            } else if ContentLexer.isSpace(bytes[index]) {
                index += 1
            } else {
                return
            }
        }
    }

    private mutating func readName() -> String {
        index += 1
        var name: [UInt8] = []
        while index < bytes.count, ContentLexer.isRegular(bytes[index]) {
            if bytes[index] == UInt8(ascii: "#"), index + 2 < bytes.count,
                let high = ContentLexer.digit(bytes[index + 1]), let low = ContentLexer.digit(bytes[index + 2])
            {
                name.append(high << 4 | low)
                index += 3
            } else {
                name.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func readWord() -> Token {
        let start = index
        while index < bytes.count, ContentLexer.isRegular(bytes[index]) { index += 1 }
        let word = bytes[start..<index]
        if let first = word.first, first < UInt8(ascii: ":"), first != UInt8(ascii: "'"), first != UInt8(ascii: "\"") {
            return .number(ContentLexer.number(word))
        }
        return .keyword(String(decoding: word, as: UTF8.self))
    }

    /// Returns a number in PDF's notation, without an exponent. Text after a second sign or point is ignored, as in other PDF
    /// software.
    private static func number(_ word: ArraySlice<UInt8>) -> Double {
        var value = 0.0
        var scale = 1.0
        var isNegative = false
        var afterPoint = false
        for (place, byte) in word.enumerated() {
            switch byte {
            case UInt8(ascii: "-") where place == 0: isNegative = true
            case UInt8(ascii: "+") where place == 0: break
            case UInt8(ascii: ".") where !afterPoint: afterPoint = true
            // More digits than a `Double` holds change nothing, but would make both value and scale infinite.
            case UInt8(ascii: "0")...UInt8(ascii: "9") where afterPoint && scale >= 1e17: break
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Double(byte - 48)
                if afterPoint { scale *= 10 }
            default: return (isNegative ? -value : value) / scale
            }
        }
        return (isNegative ? -value : value) / scale
    }

    /// Skips a string in parentheses and returns its length.
    private mutating func skipString() -> Int {
        var depth = 0
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { break }
        }
        return max(0, index - start - 2)
    }

    private mutating func skipHexadecimal() -> Int {
        index += 1
        var digits = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            if ContentLexer.digit(bytes[index]) != nil { digits += 1 }
            index += 1
        }
        index += 1
        return (digits + 1) / 2
    }

    /// Skips an array or a dictionary with its contents.
    private mutating func skipCompound() -> Bool {
        var depth = 0
        var hasText = false
        while index < bytes.count {
            let isDouble = index + 1 < bytes.count && bytes[index + 1] == bytes[index]
            switch bytes[index] {
            case UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: "<") where isDouble:
                depth += 1
                index += 2
            case UInt8(ascii: ">") where isDouble:
                depth -= 1
                index += 2
            case UInt8(ascii: "<"): hasText = skipHexadecimal() > 0 || hasText
            case UInt8(ascii: "("): hasText = skipString() > 0 || hasText
            case UInt8(ascii: "%"): skipSpace()
            default: index += 1
            }
            if depth <= 0 { break }
        }
        return hasText
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || (9...13).contains(byte) || byte == 0
    }

    private static func isRegular(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, 9...13, 32, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"),
            UInt8(ascii: "%"):
            false
        default: true
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        default: nil
        }
    }
}
