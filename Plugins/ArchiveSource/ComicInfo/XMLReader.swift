internal import AdapterKit

/// A small strict reader of XML 1.0 for metadata from strangers.
///
/// It knows elements, attributes, text, CDATA, comments and processing instructions, the five named entities and
/// character references. It refuses document types, and with them every entity that could grow or reach out, and
/// bounds size and depth. It does not know encodings other than UTF-8, nor namespaces.
struct XMLReader {
    /// What a document consists of; the ends of elements come in the right order.
    enum Event: Hashable {
        case start(String, attributes: [String: String])
        case text(String)
        case end(String)
    }

    /// Bytes of the largest document.
    static let greatestCount = 4 << 20
    private static let greatestDepth = 64

    private var rest: ArraySlice<UInt8>
    private var open: [String] = []
    private var hasRoot = false
    /// The end of an element that was closed as it was opened: `<a/>`.
    private var pendingEnd: String?

    /// - Throws: `.tooLarge`, `.unsupported` for encodings other than UTF-8.
    init(_ bytes: [UInt8]) throws(AdapterError) {
        guard bytes.count <= XMLReader.greatestCount else {
            throw AdapterError(.tooLarge, "is larger than \(XMLReader.greatestCount) bytes")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw AdapterError(.unsupported, "is not in UTF-8")
        }
        rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    /// The next part of the document; nil at its end.
    ///
    /// - Throws: `.damaged` when it is not well formed, `.unsupported` for a document type, `.tooLarge` for a depth.
    mutating func next() throws(AdapterError) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            open.removeLast()
            return .end(name)
        }
        while !rest.isEmpty {
            if take("<!--") {
                _ = try take(upTo: "-->")
            } else if take("<?") {
                _ = try take(upTo: "?>")
            } else if take("<![CDATA[") {
                let text = try take(upTo: "]]>")
                guard !open.isEmpty else { throw .malformed("text outside of the root element") }
                return .text(String(decoding: text, as: UTF8.self))
            } else if take("<!") {
                throw AdapterError(.unsupported, "has a document type")
            } else if take("</") {
                return try end()
            } else if take("<") {
                return try start()
            } else if let text = try text() {
                return .text(text)
            }
        }
        guard open.isEmpty, hasRoot else { throw .malformed("it ends too early") }
        return nil
    }

    // MARK: Elements

    private mutating func start() throws(AdapterError) -> Event {
        guard !(open.isEmpty && hasRoot) else { throw .malformed("a second root element") }
        guard open.count < XMLReader.greatestDepth else {
            throw AdapterError(.tooLarge, "is nested more than \(XMLReader.greatestDepth) deep")
        }
        let name = try name()
        var attributes: [String: String] = [:]
        hasRoot = true
        open.append(name)
        while true {
            let isSeparated = skipSpace()
            if take(">") { return .start(name, attributes: attributes) }
            if take("/>") {
                pendingEnd = name
                return .start(name, attributes: attributes)
            }
            guard isSeparated else { throw .malformed("the tag of \(name)") }
            let key = try self.name()
            skipSpace()
            guard take("=") else { throw .malformed("the attribute \(key)") }
            skipSpace()
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw .malformed("the attribute \(key)")
            }
            rest = rest.dropFirst()
            let value = try take(upTo: quote == UInt8(ascii: "'") ? "'" : "\"")
            guard !value.contains(UInt8(ascii: "<")), attributes[key] == nil else {
                throw .malformed("the attribute \(key)")
            }
            attributes[key] = try XMLReader.unescaped(value)
        }
    }

    private mutating func end() throws(AdapterError) -> Event {
        let name = try name()
        skipSpace()
        guard take(">"), open.popLast() == name else { throw .malformed("the end tag of \(name)") }
        return .end(name)
    }

    // MARK: Text

    /// The text up to the next tag; nil for the blanks around the root element.
    private mutating func text() throws(AdapterError) -> String? {
        let raw = rest.prefix { $0 != UInt8(ascii: "<") }
        rest = rest.dropFirst(raw.count)
        let text = try XMLReader.unescaped(raw)
        guard open.isEmpty else { return text }
        guard raw.allSatisfy(XMLReader.isSpace) else { throw .malformed("text outside of the root element") }
        return nil
    }

    /// Replaces the references in a piece of text by the characters they stand for.
    private static func unescaped(_ raw: ArraySlice<UInt8>) throws(AdapterError) -> String {
        var text = ""
        var rest = raw
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += String(decoding: rest[..<mark], as: UTF8.self)
            guard let semicolon = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw .malformed("an ampersand that begins no entity")
            }
            let entity = String(decoding: rest[(mark + 1)..<semicolon], as: UTF8.self)
            guard let scalar = scalar(for: entity) else { throw .malformed("the entity \(entity)") }
            text.unicodeScalars.append(scalar)
            rest = rest[(semicolon + 1)...]
        }
        return text + String(decoding: rest, as: UTF8.self)
    }

    private static func scalar(for entity: String) -> Unicode.Scalar? {
        switch entity {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHexadecimal = entity.hasPrefix("#x")
            guard isHexadecimal || entity.hasPrefix("#") else { return nil }
            let digits = entity.dropFirst(isHexadecimal ? 2 : 1)
            guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), value != 0 else { return nil }
            return Unicode.Scalar(value)
        }
    }

    // MARK: Bytes

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Letters, digits, `:`, `_`, `-`, `.` and everything beyond ASCII.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x80...: true
        default: false
        }
    }

    private mutating func name() throws(AdapterError) -> String {
        let raw = rest.prefix(while: XMLReader.isName)
        guard let first = raw.first, !(0x2D...0x39).contains(first) else { throw .malformed("a name") }
        rest = rest.dropFirst(raw.count)
        return String(decoding: raw, as: UTF8.self)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let count = rest.prefix(while: XMLReader.isSpace).count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let isNext = text.withUTF8Buffer { rest.starts(with: $0) }
        if isNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return isNext
    }

    /// What stands before `text`, which is taken too.
    private mutating func take(upTo text: StaticString) throws(AdapterError) -> ArraySlice<UInt8> {
        let start = rest
        while !rest.isEmpty {
            let position = rest.startIndex
            if take(text) { return start[..<position] }
            rest = rest.dropFirst()
        }
        throw .malformed("it ends too early")
    }
}

extension AdapterError {
    fileprivate static func malformed(_ what: String) -> AdapterError {
        AdapterError(.damaged, "is not well-formed XML: \(what)")
    }
}
