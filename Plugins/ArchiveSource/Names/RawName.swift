/// An entry's name as the archive holds it, before anyone knows its encoding.
struct RawName: Hashable, Sendable {
    var bytes: [UInt8]
    /// Whether the archive says that the name is UTF-8.
    var isFlaggedUTF8 = false
    /// The name in Unicode, where the archive has it a second time and the two belong together.
    var unicodeName: String?
    /// Whether backslashes may be separators: the entry was made on DOS or Windows.
    var mayHaveBackslashes = false

    /// The bytes as text of which only the ASCII part can be relied on, for looking at extensions.
    var approximation: String { String(decoding: bytes, as: UTF8.self) }
}
