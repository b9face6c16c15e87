/// Text on its way into XML 1.0. All of it goes by Unicode scalars: a combining character may follow any sign that means
/// something to XML, and make one `Character` with it.
public enum XMLText {
    /// The text on one line, without white space at its ends and without the characters that XML cannot hold.
    public static func clean(_ text: String) -> String {
        var bytes: [UInt8] = []
        var needsSpace = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20:
                needsSpace = !bytes.isEmpty
            case 0x7F...0x9F:
                // The controls C1, which XML allows and discourages.
                break
            default:
                guard isAllowed(scalar) else { break }
                if needsSpace { bytes.append(0x20) }
                needsSpace = false
                bytes.append(scalar)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with the characters that mean something to XML written as references, for elements and for attributes
    /// in double quotes. Characters that XML cannot hold are left out.
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes, isAttribute: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter isAttribute: whether readers would take line breaks and tabs for spaces.
    static func append(_ text: String, to bytes: inout [UInt8], isAttribute: Bool) {
        // Without room made for each text, which would copy all that is there again and again.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            // Readers make "\n" of it.
            case "\r": bytes += "&#13;".utf8
            case "\n" where isAttribute: bytes += "&#10;".utf8
            case "\t" where isAttribute: bytes += "&#9;".utf8
            default: if isAllowed(scalar) { bytes.append(scalar) }
            }
        }
    }

    /// Whether XML 1.0 can hold the character: the production Char (§2.2).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension XMLElement {
    /// The element as a document of its own in UTF-8, each element of an element on a line of its own.
    public var document: [UInt8] {
        var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)
        append(to: &bytes, indentation: 0, isRoot: true)
        return bytes
    }

    /// - Parameter indentation: the spaces in front of each line; nil for an element amid text, where they would count.
    private func append(to bytes: inout [UInt8], indentation: Int?, isRoot: Bool = false) {
        if let indentation { bytes += repeatElement(0x20, count: indentation) }
        bytes += "<\(name.qualified)".utf8
        for namespace in namespaces {
            bytes += (namespace.prefix.map { " xmlns:\($0)=\"" } ?? " xmlns=\"").utf8
            XMLText.append(namespace.uri, to: &bytes, isAttribute: true)
            bytes += "\"".utf8
        }
        for attribute in attributes {
            bytes += " \(attribute.name.qualified)=\"".utf8
            XMLText.append(attribute.value, to: &bytes, isAttribute: true)
            bytes += "\"".utf8
        }
        if nodes.isEmpty && !isRoot {
            bytes += "/>".utf8
        } else {
            bytes += ">".utf8
            // Where an element holds no text of its own, blanks mean nothing: they are made anew.
            let inner = holdsNoText ? indentation.map { $0 + 2 } : nil
            if inner != nil { bytes.append(0x0A) }
            for node in nodes { append(node, to: &bytes, indentation: inner) }
            if inner != nil, let indentation { bytes += repeatElement(0x20, count: indentation) }
            bytes += "</\(name.qualified)>".utf8
        }
        if indentation != nil { bytes.append(0x0A) }
    }

    private func append(_ node: Node, to bytes: inout [UInt8], indentation: Int?) {
        switch node {
        case .element(let element):
            element.append(to: &bytes, indentation: indentation)
        case .text(let text):
            if indentation == nil || !text.isBlank { XMLText.append(text, to: &bytes, isAttribute: false) }
        case .comment(let text):
            // Two hyphens cannot come from a document that was read.
            guard !text.contains("--"), text.utf8.last != UInt8(ascii: "-") else { return }
            if let indentation { bytes += repeatElement(0x20, count: indentation) }
            bytes += "<!--\(text)-->".utf8
            if indentation != nil { bytes.append(0x0A) }
        }
    }

    /// Whether the element holds elements, and between them nothing but white space.
    private var holdsNoText: Bool {
        var hasElements = false
        for node in nodes {
            switch node {
            case .element: hasElements = true
            case .text(let text): if !text.isBlank { return false }
            case .comment: break
            }
        }
        return hasElements
    }
}

extension Sequence<String> {
    /// The texts that say something, on one line each (`XMLText.clean`).
    public var clean: [String] { map(XMLText.clean).filter { !$0.isEmpty } }
}

extension Sequence<String?> {
    /// The same of texts of which some are missing.
    public var clean: [String] { compactMap(\.self).clean }
}

extension [UInt8] {
    /// Appends a character in UTF-8.
    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.value < 0x80 {
            append(UInt8(scalar.value))
        } else {
            append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}

extension String {
    /// Whether there is nothing in it but what XML takes for white space.
    fileprivate var isBlank: Bool {
        utf8.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// The text without white space at its ends; nil when nothing is left.
    var meaningful: String? {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(rest[...last])
    }
}
