internal import PageModel

/// Repairs of small faults in XML documents that programs, and people with editors, make.
///
/// It repairs a document only if it is unreadable, and only if the repair needs no guess about its meaning.
enum XMLRepair {
    /// A document that can be read.
    struct ReadableDocument {
        let bytes: [UInt8]
        /// The repairs, as a list of words; empty for an intact document.
        let repaired: [Message]
    }

    /// Returns the document, repaired if it is unreadable and the repair succeeds.
    ///
    /// - Throws: the error of `XMLReader` for the original document.
    static func readable(_ bytes: [UInt8]) throws(AdapterError) -> ReadableDocument {
        do throws(AdapterError) {
            _ = try XMLReader.read(bytes, limits: BookDocument.limits)
            return ReadableDocument(bytes: bytes, repaired: [])
        } catch {
            guard error.code == .damaged, let repaired = repaired(bytes),
                (try? XMLReader.read(repaired.bytes, limits: BookDocument.limits)) != nil
            else { throw error }
            return repaired
        }
    }

    private static func repaired(_ bytes: [UInt8]) -> ReadableDocument? {
        guard bytes.count <= BookDocument.maximumBytes else { return nil }
        var repaired: [Message] = []
        var text = decoded(bytes, &repaired)
        // One byte-order mark is allowed.
        if text.starts(with: "\u{FEFF}".utf8) { text.removeFirst("\u{FEFF}".utf8.count) }
        guard let start = text.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        // White space, and byte-order marks within the text.
        let marks = Set("\u{FEFF} \t\r\n\0".utf8)
        guard text[..<start].allSatisfy(marks.contains) else { return nil }
        if start > 0 {
            repaired.append("characters before its start")
            text.removeFirst(start)
        }
        if let declaration = text.firstRange(of: Array("?>".utf8)), text.starts(with: Array("<?xml".utf8)) {
            let name = encoding(in: text[..<declaration.lowerBound])
            if let name, name.lowercased() != "utf-8" {
                if repaired.isEmpty || !repaired.contains(wrongName) { repaired.append(wrongName) }
            }
            // From here on it is UTF-8, which needs no declaration.
            text.removeSubrange(..<declaration.upperBound)
        }
        let escaped = escaped(text)
        if escaped.ampersands { repaired.append("a bare '&'") }
        if escaped.controls { repaired.append("control characters") }
        return repaired.isEmpty ? nil : ReadableDocument(bytes: escaped.bytes, repaired: repaired.unique)
    }

    private static let wrongName: Message = "a wrong encoding name"

    /// Returns the document in UTF-8.
    private static func decoded(_ bytes: [UInt8], _ repaired: inout [Message]) -> [UInt8] {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let (high, low) = bytes[0] == 0xFF ? (1, 0) : (0, 1)
            var units: [UInt16] = []
            for place in stride(from: 2, to: bytes.count - 1, by: 2) {
                units.append(UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + low]))
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        // The most common single-byte encoding by far.
        repaired.append("windows-1252 characters")
        return Array(String(String.UnicodeScalarView(bytes.map(windows1252))).utf8)
    }

    /// The characters of windows-1252 from 0x80 to 0x9F; undefined ones stay control characters.
    private static let upper: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
    }

    /// Returns the encoding that a declaration names.
    private static func encoding(in declaration: [UInt8].SubSequence) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        return text.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/).map { String($0.1) }
    }

    /// Returns the text with "&amp;" for ampersands that begin no reference, and without characters that XML does not
    /// allow.
    private static func escaped(_ text: [UInt8]) -> (bytes: [UInt8], ampersands: Bool, controls: Bool) {
        var (ampersands, controls) = (false, false)
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 64)
        let (ampersand, cdata, comment) = (UInt8(ascii: "&"), Array("<![CDATA[".utf8), Array("<!--".utf8))
        var numbered = HTMLEntity.numbered(in: text)[...]
        // The end of the range in which ampersands are literal.
        var literal = numbered.startIndex
        while let byte = numbered.first {
            let place = numbered.startIndex
            if byte == UInt8(ascii: "<"), place >= literal {
                for (start, end) in [(cdata, "]]>"), (comment, "-->")] where numbered.starts(with: start) {
                    literal = numbered.firstRange(of: Array(end.utf8))?.upperBound ?? numbered.endIndex
                }
            }
            numbered.removeFirst()
            if byte < 0x20, ![0x09, 0x0A, 0x0D].contains(byte) {
                controls = true
            } else if byte == ampersand, place >= literal, !beginsReference(numbered) {
                ampersands = true
                result += Array("&amp;".utf8)
            } else {
                result.append(byte)
            }
        }
        return (result, ampersands, controls)
    }

    /// Whether the text after an ampersand makes it a reference that XML knows.
    private static func beginsReference(_ rest: [UInt8].SubSequence) -> Bool {
        // "#x10FFFF" with its semicolon, and leading zeros.
        let longest = 16
        guard let end = rest.prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return false }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return true }
        return name.wholeMatch(of: /#(?:[0-9]+|x[0-9A-Fa-f]+)/) != nil
    }
}
