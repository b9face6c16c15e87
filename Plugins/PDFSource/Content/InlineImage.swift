internal import Files
internal import PDFStructure
internal import PageModel

/// An image that is written into a content stream (ISO 32000-1, 8.9.7).
struct InlineImage {
    /// The entries with their full names, as the dictionary of a stream.
    private let entries: [(key: String, value: [UInt8])]
    var data: [UInt8] = []
    /// The number of bytes of the data, if they have no filter and no named color space.
    let rawCount: Int?

    /// The maximum number of bytes of all inline images of a page.
    static let maximumBytes = 64 << 20

    private static let keys = [
        "BPC": "BitsPerComponent", "CS": "ColorSpace", "D": "Decode", "DP": "DecodeParms", "F": "Filter", "H": "Height",
        "IM": "ImageMask", "I": "Interpolate", "W": "Width",
    ]
    private static let names = [
        "G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed", "AHx": "ASCIIHexDecode",
        "A85": "ASCII85Decode", "LZW": "LZWDecode", "Fl": "FlateDecode", "RL": "RunLengthDecode",
        "CCF": "CCITTFaxDecode",
        "DCT": "DCTDecode",
    ]

    /// - Parameter dictionary: the content from BI to ID.
    /// - Returns: nil for anything else.
    init?(dictionary: [UInt8]) {
        var tokens = InlineImage.tokens(dictionary)
        guard tokens.first == Array("BI".utf8), tokens.last == Array("ID".utf8), tokens.count.isMultiple(of: 2) else {
            return nil
        }
        tokens = Array(tokens.dropFirst().dropLast())
        let entries = stride(from: 0, to: tokens.count, by: 2).map { index in
            let key = String(decoding: tokens[index].dropFirst(), as: UTF8.self)
            let full = InlineImage.keys[key] ?? key
            let isName = full == "ColorSpace" || full == "Filter"
            return (key: full, value: isName ? InlineImage.expanded(tokens[index + 1]) : tokens[index + 1])
        }
        self.entries = entries
        func text(_ key: String) -> String? {
            entries.first { $0.key == key }.map { String(decoding: $0.value, as: UTF8.self) }
        }
        let components = ["/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4]
        let isMask = text("ImageMask") == "true"
        guard text("Filter") == nil, let width = text("Width").flatMap({ Int($0) }),
            let height = text("Height").flatMap({ Int($0) }), (1...1 << 16).contains(width),
            (1...1 << 16).contains(height),
            let count = isMask ? 1 : text("ColorSpace").flatMap({ components[$0] }),
            let bits = isMask ? 1 : text("BitsPerComponent").flatMap({ Int($0) }), (1...16).contains(bits)
        else {
            rawCount = nil
            return
        }
        rawCount = (width * count * bits + 7) / 8 * height
    }

    /// Returns a stream with the image in the memory of a file.
    func object(in file: PDFFile) throws(AdapterError) -> PDFObject? {
        let spool = try SpoolFile()
        let start = try spool.append(data)
        var dictionary: [UInt8] = []
        for (key, value) in entries { dictionary += Array("/\(key) ".utf8) + value + [32] }
        return try file.addStream(syntax: dictionary, spool, at: start..<start + data.count)
    }

    /// Returns a value with the full names of color spaces and filters.
    private static func expanded(_ value: [UInt8]) -> [UInt8] {
        guard let first = value.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "[") else { return value }
        if first == UInt8(ascii: "[") {
            // A table of colors may follow the names.
            var array = Array("[".utf8)
            for token in tokens(Array(value.dropFirst().dropLast())) { array += expanded(token) + [32] }
            return array + Array("]".utf8)
        }
        let name = String(decoding: value.dropFirst(), as: UTF8.self)
        return names[name].map { Array("/\($0)".utf8) } ?? value
    }

    /// Splits content into names, numbers, words, strings, arrays and dictionaries.
    private static func tokens(_ bytes: [UInt8]) -> [[UInt8]] {
        var lexer = ContentLexer(bytes)
        var tokens: [[UInt8]] = []
        while lexer.skipToToken() {
            let start = lexer.position
            guard lexer.next() != nil, lexer.position > start else { break }
            tokens.append(lexer.bytes(from: start, to: min(lexer.position, bytes.count)))
        }
        return tokens
    }
}
