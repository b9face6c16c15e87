/// Text strings of a PDF (ISO 32000-1, 7.9.2.2; UTF-8 since ISO 32000-2).
enum PDFText {
    /// The text of a string: UTF-16 or UTF-8 by its mark, else PDFDocEncoding. Control characters become spaces.
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

    /// A text without the white space around it; nil when nothing is left.
    static func meaningful(_ text: String) -> String? {
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String {
        let bytes = Array(bytes)
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        // A language code between two escape characters is no text.
        while let start = units.firstIndex(of: 0x1B), let end = units[(start + 1)...].firstIndex(of: 0x1B) {
            units.removeSubrange(start...end)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// PDFDocEncoding (ISO 32000-1, annex D.3): Latin-1 but for these.
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
