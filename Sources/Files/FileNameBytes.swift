internal import Glibc

/// Names that consist of any bytes, represented as text.
///
/// To Linux a name is a sequence of bytes. Only the bytes of "/" and NUL have a meaning. Names may be in Shift_JIS, in
/// Latin-1 or in no encoding at all. Text in Swift is Unicode, and Swift repairs invalid bytes. Therefore each byte
/// that is not part of valid UTF-8 becomes a character of its own: U+10F700 plus the byte. The range U+10F780 to
/// U+10F7FF is for private use, and it is not in use elsewhere. If a name has such a character itself, its four bytes
/// are written the same way. No two names are therefore the same text, and each text yields the original name, byte for
/// byte.
///
/// (Python does the same with surrogates, which text in Swift cannot hold: "surrogateescape", PEP 383.)
///
/// All paths and names in jisui are such text. `SystemCalls.swift` converts them to bytes for the system calls.
extension FileName {
    private static let firstCoded: UInt32 = 0x10F780
    private static let lastCoded: UInt32 = 0x10F7FF
    /// The code point to which the value of a byte is added.
    private static let base: UInt32 = 0x10F700

    /// Returns the byte of a name that a character of its text represents; nil for a character that represents itself.
    public static func byte(codedAs scalar: Unicode.Scalar) -> UInt8? {
        (firstCoded...lastCoded).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// Returns a name or path of the system as text.
    public static func text(of bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !holdsCodedBytes(text) { return text }
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        var input = bytes.makeIterator()
        var parser = UTF8.ForwardParser()
        while true {
            let count: Int
            switch parser.parseScalar(from: &input) {
            case .emptyInput:
                return String(text)
            case .valid(let encoded):
                count = encoded.count
                let scalar = UTF8.decode(encoded)
                if byte(codedAs: scalar) == nil {
                    text.append(scalar)
                    rest = rest.dropFirst(count)
                    continue
                }
            case .error(let length):
                count = length
            }
            for byte in rest.prefix(count) { text.append(Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}") }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns a name or path that a C function returned as text.
    public static func text(of name: UnsafePointer<CChar>) -> String {
        text(of: UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// Returns the bytes that a name or path has for the system.
    public static func bytes(of name: String) -> [UInt8] {
        guard holdsCodedBytes(name) else { return Array(name.utf8) }
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            if let byte = byte(codedAs: scalar) {
                bytes.append(byte)
            } else {
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return bytes
    }

    /// Calls `body` with a path as a C string.
    public static func withCString<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // Most paths contain no coded bytes.
        guard holdsCodedBytes(path) else { return path.withCString(body) }
        let bytes = bytes(of: path).map { CChar(bitPattern: $0) } + [0]
        return bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("the end is there at least") }
            return body(start)
        }
    }

    /// Whether a name, which has no slash, matches a pattern of the shell: fnmatch(3).
    public static func matches(_ name: String, pattern: String) -> Bool {
        withCString(of: pattern) { pattern in
            withCString(of: name) { fnmatch(pattern, $0, 0) == 0 }
        }
    }

    /// Returns text in which bytes of a name that are not text are written out: "caf\xe9".
    public static func shown(_ text: String) -> String {
        guard holdsCodedBytes(text) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let byte = byte(codedAs: scalar) {
                shown.append(contentsOf: "\\x\(String(byte, radix: 16))".unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Whether a text has characters that represent bytes: in UTF-8 they begin with F4 8F 9E or F4 8F 9F.
    private static func holdsCodedBytes(_ text: String) -> Bool {
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte(codedAs: $0) != nil }
    }
}
