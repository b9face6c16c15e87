/// The lines of keys in a JSON text, for messages about a file that a person wrote.
public struct JSONPlaces: Sendable {
    private let reader: JSONReader

    /// - Parameter bytes: a text in UTF-8. Only its first value is read.
    public init(of bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var reader = JSONReader(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text, recordsOffsets: true)
        _ = reader.value(depth: 0)
        self.reader = reader
    }

    /// Returns the path of the file with the line of a key, or of the end of what could be read: "a.json:3".
    ///
    /// - Parameter keys: its path: keys, and the numbers of elements from 0.
    public func file(_ path: String, _ keys: [String] = []) -> String {
        "\(path):\(reader.line(at: reader.offsets?[keys] ?? reader.place))"
    }
}
