internal import PageModel

/// A value to be written into a PDF (ISO 32000-1, 7.3).
package indirect enum PDFValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number written with at most five decimals; infinities and NaN become 0.
    case real(Double)
    /// A name without its slash.
    case name(String)
    /// Text for people, in a suitable encoding of PDF.
    case text(String)
    /// A string that is not text.
    case bytes([UInt8])
    case array([PDFValue])
    case dictionary([String: PDFValue])
    case reference(PDFReference)

    /// Makes an array for a rectangle.
    package init(_ box: PDFBox) {
        self = .array([box.left, box.bottom, box.right, box.top].map { .real($0) })
    }

    /// The value in the syntax of a file. Equal values are written alike.
    package var syntax: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .real(let value): bytes += PDFValue.decimal(value).utf8
        case .name(let name): PDFValue.append(name: name, to: &bytes)
        case .text(let text): PDFValue.append(string: PDFValue.encoded(text), to: &bytes)
        case .bytes(let string): PDFValue.append(string: string, to: &bytes)
        case .array(let items):
            bytes += "[".utf8
            for item in items {
                bytes += " ".utf8
                item.append(to: &bytes)
            }
            bytes += " ]".utf8
        case .dictionary(let entries):
            bytes += "<<".utf8
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                bytes += " ".utf8
                PDFValue.append(name: key, to: &bytes)
                bytes += " ".utf8
                value.append(to: &bytes)
            }
            bytes += " >>".utf8
        case .reference(let reference): bytes += "\(reference.number) \(reference.generation) R".utf8
        }
    }

    /// Returns a number in decimal, because PDF does not support exponents.
    package static func decimal(_ value: Double) -> String {
        let steps = 100_000
        guard let scaled = Int(checked: value * Double(steps)) else { return "0" }
        let (whole, rest) = Int(scaled.magnitude).quotientAndRemainder(dividingBy: steps)
        var text = scaled < 0 ? "-\(whole)" : "\(whole)"
        if rest > 0 {
            let digits = String(steps + rest).dropFirst()
            text += "." + digits.reversed().drop { $0 == "0" }.reversed()
        }
        return text
    }

    private static func append(name: String, to bytes: inout [UInt8]) {
        bytes += "/".utf8
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "+"):
                bytes.append(byte)
            default:
                bytes += "#".utf8
                append(hex: byte, to: &bytes)
            }
        }
    }

    private static func append(string: [UInt8], to bytes: inout [UInt8]) {
        bytes += "<".utf8
        for byte in string { append(hex: byte, to: &bytes) }
        bytes += ">".utf8
    }

    private static func append(hex byte: UInt8, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Returns ASCII unchanged, everything else in UTF-16 (7.9.2.2).
    private static func encoded(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return Array(text.utf8) }
        return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}
