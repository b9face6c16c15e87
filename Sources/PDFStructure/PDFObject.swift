internal import CQPDFShims

/// The number and generation of an indirect object, the same each time the file is opened.
package struct PDFReference: Hashable, Sendable {
    package let number: CInt
    package let generation: CInt
}

/// A value in a PDF. A missing or damaged one reads as null, as PDF requires.
///
/// References are followed automatically, so direct and indirect objects are used alike. An object keeps its file open,
/// and it belongs to the thread that uses the file.
package final class PDFObject {
    package enum Kind {
        case null, boolean, number, string, name, array, dictionary, stream, other
    }

    let handle: OpaquePointer
    /// The file from which the object is read on first access.
    private let file: PDFFile

    /// Takes over an object of the shim.
    init(_ handle: OpaquePointer, of file: PDFFile) {
        self.handle = handle
        self.file = file
    }

    deinit {
        jqpdf_release(handle)
    }

    package var kind: Kind {
        switch jqpdf_type_of(handle) {
        case jqpdf_null: .null
        case jqpdf_boolean: .boolean
        case jqpdf_numeric: .number
        case jqpdf_string: .string
        case jqpdf_name: .name
        case jqpdf_array: .array
        case jqpdf_dictionary: .dictionary
        case jqpdf_stream: .stream
        default: .other
        }
    }

    package var isNull: Bool { kind == .null }

    /// The reference of the object in its file; nil for a direct object.
    package var reference: PDFReference? {
        let number = jqpdf_number(handle)
        return number > 0 ? PDFReference(number: number, generation: jqpdf_generation(handle)) : nil
    }

    // MARK: Simple values

    package var boolean: Bool? { kind == .boolean ? jqpdf_boolean_value(handle) : nil }

    /// The number; it may be infinite, when it has more digits than a `Double` can hold.
    package var number: Double? { kind == .number ? jqpdf_number_value(handle) : nil }

    /// The number rounded to a whole one; nil also for numbers outside the range of `Int`.
    package var integer: Int? {
        number.flatMap { Int(exactly: $0.rounded()) }
    }

    /// The name without its slash.
    package var name: String? { kind == .name ? String(decoding: bytes, as: UTF8.self) : nil }

    /// The bytes of a string.
    package var string: [UInt8]? { kind == .string ? bytes : nil }

    /// The text of a string in any of PDF's encodings. Control characters become spaces.
    package var text: String? { string.map(TextString.decode) }

    /// Returns the beginning of a text: one string may be the text of thousands of objects.
    func text(upTo byteCount: Int) -> String? { string.map { TextString.decode(Array($0.prefix(byteCount))) } }

    private var bytes: [UInt8] {
        var count = 0
        guard let bytes = jqpdf_text(handle, &count) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    // MARK: Arrays

    /// The number of items of an array; 0 for anything else.
    package var count: Int { Int(jqpdf_array_count(handle)) }

    /// Returns an item of an array; null past its end.
    package func item(_ index: Int) -> PDFObject {
        PDFObject(jqpdf_array_item(handle, CInt(clamping: index)), of: file)
    }

    /// The items of an array; empty for anything else.
    package var items: [PDFObject] { (0..<count).map(item) }

    /// The items of an array of numbers; nil when an item is not a number.
    package var numbers: [Double]? {
        guard kind == .array else { return nil }
        let values = items.map(\.number)
        return values.contains(nil) ? nil : values.compactMap { $0 }
    }

    // MARK: Dictionaries

    /// The keys of a dictionary, or of a stream's dictionary.
    package var keys: [String] {
        var count = 0
        guard let bytes = jqpdf_keys(handle, &count) else { return [] }
        return UnsafeRawBufferPointer(start: bytes, count: count).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a key in a dictionary, or in a stream's dictionary; null for a missing key.
    package subscript(key: String) -> PDFObject {
        PDFObject(jqpdf_key(handle, key), of: file)
    }
}

/// The encodings of text strings (ISO 32000-1, 7.9.2.2; UTF-8 since ISO 32000-2).
enum TextString {
    /// Returns the text of a string: UTF-16 or UTF-8 by its byte-order mark, else PDFDocEncoding. Control characters
    /// become spaces.
    static func decode(_ bytes: [UInt8]) -> String {
        let text: String
        if bytes.starts(with: [0xFE, 0xFF]) {
            text = utf16(bytes.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) }
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            text = utf16(bytes.dropFirst(2)) { UInt16($1) << 8 | UInt16($0) }
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
        } else {
            text = String(String.UnicodeScalarView(bytes.map(scalar)))
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String {
        let bytes = Array(bytes)
        var rest = stride(from: 0, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }[...]
        var units: [UInt16] = []
        // A language code between two escape characters is not text.
        while let start = rest.firstIndex(of: 0x1B), let end = rest[(start + 1)...].firstIndex(of: 0x1B) {
            units += rest[..<start]
            rest = rest[(end + 1)...]
        }
        return String(decoding: units + rest, as: UTF16.self)
    }

    /// Returns a character of PDFDocEncoding (ISO 32000-1, annex D.3): Latin-1 except for these.
    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        switch byte {
        case 0x18...0x1F: accents[Int(byte) - 0x18]
        case 0x80...0x9E: specials[Int(byte) - 0x80]
        case 0xA0: "\u{20AC}"
        default: Unicode.Scalar(byte)
        }
    }

    private static let accents: [Unicode.Scalar] = [
        "\u{2D8}", "\u{2C7}", "\u{2C6}", "\u{2D9}", "\u{2DD}", "\u{2DB}", "\u{2DA}", "\u{2DC}",
    ]
    private static let specials: [Unicode.Scalar] = [
        "\u{2022}", "\u{2020}", "\u{2021}", "\u{2026}", "\u{2014}", "\u{2013}", "\u{192}", "\u{2044}", "\u{2039}",
        "\u{203A}", "\u{2212}", "\u{2030}", "\u{201E}", "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}", "\u{201A}",
        "\u{2122}", "\u{FB01}", "\u{FB02}", "\u{141}", "\u{152}", "\u{160}", "\u{178}", "\u{17D}", "\u{131}",
        "\u{142}", "\u{153}", "\u{161}", "\u{17E}",
    ]
}
