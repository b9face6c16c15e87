/// Text for XML 1.0. All functions work on Unicode scalars: a combining character may follow any special character of
/// XML and form one `Character` with it.
package enum XMLText {
    /// Returns the text on one line, without white space at its ends and without characters that XML does not allow.
    package static func clean(_ text: String) -> String {
        var bytes: [UInt8] = []
        var needsSpace = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20:
                needsSpace = !bytes.isEmpty
            case 0x7F...0x9F:
                // The C1 controls, which XML allows and discourages.
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

    /// Returns the text with XML's special characters as references, for elements and for attributes in double quotes.
    /// Invalid characters are removed.
    package static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes, isAttribute: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter isAttribute: whether parsers would replace line breaks and tabs by spaces.
    static func append(_ text: String, to bytes: inout [UInt8], isAttribute: Bool) {
        // Without reserving capacity for each text, which would copy all existing bytes repeatedly.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            // Parsers convert it to "\n".
            case "\r": bytes += "&#13;".utf8
            case "\n" where isAttribute: bytes += "&#10;".utf8
            case "\t" where isAttribute: bytes += "&#9;".utf8
            default: if isAllowed(scalar) { bytes.append(scalar) }
            }
        }
    }

    /// Whether XML 1.0 allows the character: the production Char (§2.2).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension XMLElement {
    /// The element as a document of its own in UTF-8, with each nested element on its own line.
    package var document: [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8) + fragment
    }

    /// The element in the same form, without the declaration of a document.
    package var fragment: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, indentation: 0, isRoot: true)
        return bytes
    }

    /// - Parameter indentation: the leading spaces of each line; nil for an element within text, where they would be
    ///   content.
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
            // White space in an element without text has no meaning and is generated again.
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
            // A parsed comment cannot contain two hyphens.
            guard !text.contains("--"), text.utf8.last != UInt8(ascii: "-") else { return }
            if let indentation { bytes += repeatElement(0x20, count: indentation) }
            bytes += "<!--\(text)-->".utf8
            if indentation != nil { bytes.append(0x0A) }
        }
    }

    /// Whether the element contains only elements with white space between them.
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
    /// The nonempty texts, on one line each (`XMLText.clean`).
    package var clean: [String] { map(XMLText.clean).filter { !$0.isEmpty } }
}

extension Sequence<String?> {
    /// The same for texts that may be missing.
    package var clean: [String] { compactMap(\.self).clean }
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
    /// Whether it contains only white space in the sense of XML.
    fileprivate var isBlank: Bool {
        utf8.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// The text without white space at its ends; nil for an empty one.
    var meaningful: String? {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(rest[...last])
    }
}
