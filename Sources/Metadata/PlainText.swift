internal import CXML2

/// Texts of several lines, such as a book's summary, without markup and control characters.
package enum PlainText {
    /// Returns the lines without white space at their ends, separated by line feeds. Empty lines separate paragraphs.
    ///
    /// - Returns: nil for an empty text.
    package static func clean(_ text: String) -> String? {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let clean = XMLText.clean(String(line))
            if !clean.isEmpty || lines.last?.isEmpty == false { lines.append(clean) }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Returns the same for a text that may be HTML, such as calibre's summaries. A text with an HTML tag is HTML.
    ///
    /// - Returns: nil for an empty text.
    package static func clean(perhapsHTML text: String) -> String? {
        let isHTML = text.utf8.count <= maximumBytes && hasTag(Array(text.utf8))
        return clean(isHTML ? withoutTags(text) : text)
    }

    /// Returns a plain text for apps that may expect HTML: unchanged if they treat it as plain, otherwise as HTML.
    package static func perhapsHTML(_ text: String) -> String {
        if clean(perhapsHTML: text) == clean(text) { return text }
        return "<p>\(XMLText.escaped(text).replacing("\n", with: "<br/>"))</p>"
    }

    /// The maximum size, more than any summary has: libxml2 is slow with long texts.
    private static let maximumBytes = 200_000

    /// The elements that begin and end on a line of their own, with empty lines around them.
    private static let blocks: Set = [
        "p", "div", "ul", "ol", "dl", "table", "blockquote", "pre", "hr", "h1", "h2", "h3", "h4", "h5", "h6",
    ]

    /// Whether the text has a tag with a name from HTML.
    private static func hasTag(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: "<") else { return false }
            let rest = bytes[(index + 1)...].prefix(16).drop { $0 == UInt8(ascii: "/") }
            let name = rest.prefix { byte in
                switch byte | 0x20 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: false
                }
            }
            guard let next = rest.dropFirst(name.count).first, [0x09, 0x0A, 0x20, 0x2F, 0x3E].contains(next) else {
                return false
            }
            return htmlTagLookup(String(decoding: name, as: UTF8.self).lowercased()) != nil
        }
    }

    /// Returns the text of HTML, with line breaks where its elements make some; without such elements its own are kept.
    private static func withoutTags(_ html: String) -> String {
        // libxml2 adds no other element around the contents of one.
        let bytes = Array("<div>\(html)</div>".utf8)
        let options = HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        let document = bytes.withUnsafeBytes { bytes in
            htmlReadMemory(
                bytes.baseAddress, Int32(clamping: bytes.count), nil, "UTF-8",
                Int32(options | HTML_PARSE_NONET.rawValue))
        }
        defer { xmlFreeDoc(document) }
        var reading = Reading()
        reading.enter(xmlDocGetRootElement(document))
        // The surrounding element has one before it and one after it.
        let hasBreaks = reading.breakCount > 2
        var text = String.UnicodeScalarView()
        for scalar in reading.text.unicodeScalars {
            switch scalar {
            case Reading.lineBreak: text.append(hasBreaks ? "\n" : " ")
            case "\n": text.append(hasBreaks ? " " : "\n")
            case "\u{A0}": text.append(" ")
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// A traversal of an HTML document.
    private struct Reading {
        private(set) var text = ""
        private(set) var breakCount = 0

        /// The placeholder for the line breaks that elements make.
        static let lineBreak: Unicode.Scalar = "\u{1}"
        private static let lines: Set = ["br", "li", "tr", "dt", "dd"]

        /// Visits the nodes of an element. libxml2 nests at most 256 elements.
        mutating func enter(_ first: xmlNodePtr?) {
            var next = first
            while let node = next {
                next = node.pointee.next
                if node.pointee.type == XML_TEXT_NODE, let content = node.pointee.content {
                    text += String(cString: content)
                }
                guard node.pointee.type == XML_ELEMENT_NODE, let letters = node.pointee.name else { continue }
                let name = String(cString: letters)
                if ["script", "style", "head"].contains(name) { continue }
                let count = PlainText.blocks.contains(name) ? 2 : Reading.lines.contains(name) ? 1 : 0
                breakLine(count)
                enter(node.pointee.children)
                breakLine(count == 2 ? 2 : 0)
                if ["td", "th"].contains(name) { text += " " }
            }
        }

        private mutating func breakLine(_ count: Int) {
            if count > 0 { breakCount += 1 }
            for _ in 0..<count { text.unicodeScalars.append(Reading.lineBreak) }
        }
    }
}
