internal import Files
public import PageModel

/// A JSON value whose keys keep their original order.
public enum JSON: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([(key: String, value: JSON)])

    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }

    public init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    public init(_ value: Int?) { self = value.map(JSON.integer) ?? .null }
    public init(_ values: [JSON]) { self = .array(values) }

    /// Makes an array [x, y, width, height] of a rectangle, or null.
    public init(_ rect: PixelRect?) {
        self = rect.map { [.integer($0.x), .integer($0.y), .integer($0.width), .integer($0.height)] } ?? .null
    }

    /// Parses `bytes` in UTF-8 (RFC 8259); nil if they are not exactly one value, or if it is nested too deeply.
    ///
    /// Some editors write a byte-order mark first, which is ignored.
    public init?(parsing bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var reader = JSONReader(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }

    /// The value on one line (RFC 8259).
    public var text: String { text(space: " ") }

    /// The value on one line without spaces between its parts.
    public var compactText: String { text(space: "") }

    private func text(space: String) -> String {
        var text = ""
        write(to: &text, space)
        return text
    }

    private func write(to text: inout String, _ space: String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value):
            // JSON does not have infinities, and a whole number needs no decimal point.
            text += value.isFinite ? Int(exactly: value).map(String.init) ?? "\(value)" : "null"
        case .string(let value): JSON.quote(value, to: &text)
        case .array(let values): JSON.list(values, "[", "]", space, to: &text) { $0.write(to: &$1, space) }
        case .object(let members):
            JSON.list(members, "{", "}", space, to: &text) { member, text in
                JSON.quote(member.key, to: &text)
                text += ":" + space
                member.value.write(to: &text, space)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element], _ open: String, _ close: String, _ space: String, to text: inout String,
        _ write: (Element, inout String) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," + space }
            write(element, &text)
        }
        text += close
    }

    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where mustBeEscaped(scalar):
                // Beyond U+FFFF as a surrogate pair (RFC 8259 §7).
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// Whether a character must be escaped because a terminal, a program or a person would misinterpret it.
    ///
    /// RFC 8259 requires this only for characters below U+0020. Terminals obey C1 controls, too. U+2028 and U+2029 end
    /// lines of JavaScript. Marks and overrides of the writing direction make a text look like another.
    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x2028...0x2029: true
        case 0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        // Invisible: a language tag.
        case 0xE0001: true
        // Escapes make the bytes of a name that are not text visible to people and searchable for programs.
        default: FileName.byte(codedAs: scalar) != nil
        }
    }
}

extension JSON {
    /// The member of an object; nil for anything else.
    public subscript(_ key: String) -> JSON? { members?.first { $0.key == key }?.value }

    public var members: [(key: String, value: JSON)]? {
        if case .object(let members) = self { members } else { nil }
    }

    public var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    public var asString: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var asNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The value as a whole number; nil for anything else.
    public var asInteger: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    public var asBoolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
