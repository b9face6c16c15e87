internal import Files
internal import FoundationEssentials
internal import PageModel
internal import ZipFile

/// The bytes of an image of a book, which any number of tasks may read at once.
protocol ImageContent: Sendable {
    var byteCount: Int { get }
    /// The problem found in the data; nil before all bytes were read.
    var defect: Message? { get }

    /// Returns the beginning of the data: at least `count` bytes, or all.
    func head(count: Int) throws(AdapterError) -> [UInt8]

    func bytes() throws(AdapterError) -> [UInt8]
}

extension ZipContent: ImageContent {}

/// An image that a document contains, in a temporary file: a book may consist of such documents.
struct StoredImage: ImageContent {
    let spool: SpoolFile
    let offset: Int
    let byteCount: Int

    var defect: Message? { nil }

    func head(count: Int) throws(AdapterError) -> [UInt8] {
        try spool.read(at: offset, count: min(count, byteCount))
    }

    func bytes() throws(AdapterError) -> [UInt8] {
        try spool.read(at: offset, count: byteCount)
    }
}

/// A `data:` address, which contains a file (RFC 2397).
struct DataAddress {
    private let text: Substring.UTF8View
    private let isBase64: Bool
    /// Whether it is an SVG.
    let isDrawing: Bool

    /// - Returns: nil for any other address.
    init?(_ address: String) {
        let address = address.drop(while: \.isWhitespace)
        guard address.prefix(5).lowercased() == "data:", let comma = address.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = address[..<comma].lowercased()
        isBase64 = head.filter { !$0.isWhitespace }.hasSuffix(";base64")
        isDrawing = head.contains("image/svg")
        text = address[address.utf8.index(after: comma)...].utf8
    }

    /// - Throws: `.damaged`.
    func bytes() throws(AdapterError) -> [UInt8] {
        let plain = DataAddress.percentDecoded(text)
        guard isBase64 else { return plain }
        guard let data = Data(base64Encoded: Data(plain), options: .ignoreUnknownCharacters), !data.isEmpty else {
            throw AdapterError(.damaged, "its image in the document is damaged")
        }
        return Array(data)
    }

    /// Returns the bytes of a text, with "%41" replaced by "A".
    static func percentDecoded(_ text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
