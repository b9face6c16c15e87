internal import CXML2

/// The names of characters in HTML: "nbsp", "eacute".
package enum HTMLEntity {
    /// Returns an XHTML document with numeric references in place of such names. Its document type declares these
    /// names; XML alone does not know them. XML's own five stay.
    ///
    /// - Parameter document: a document in an ASCII-compatible encoding; others are returned unchanged.
    package static func numbered(in document: [UInt8]) -> [UInt8] {
        let ampersand = UInt8(ascii: "&")
        guard document.contains(ampersand) else { return document }
        var result: [UInt8] = []
        result.reserveCapacity(document.count)
        var rest = document[...]
        while let place = rest.firstIndex(of: ampersand) {
            let name = rest[(place + 1)...].prefix(longest).prefix { isNamePart($0) }
            result += rest[..<place]
            if name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";"), let number = number(of: name) {
                result += Array("&#\(number);".utf8)
                rest = rest[(name.endIndex + 1)...]
            } else {
                result.append(ampersand)
                rest = rest[(place + 1)...]
            }
        }
        return result + rest
    }

    /// The length of the longest name: "thetasym".
    private static let longest = 8
    private static let ofXML: Set = ["amp", "lt", "gt", "quot", "apos"]

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func number(of name: ArraySlice<UInt8>) -> UInt32? {
        let name = String(decoding: name, as: UTF8.self)
        if name.isEmpty || ofXML.contains(name) { return nil }
        return htmlEntityLookup(name)?.pointee.value
    }
}
