/// One entry of a zip's table of contents.
struct ZipEntry: Hashable, Sendable {
    /// How an entry's data is compressed (APPNOTE.TXT, section 4.4.5); only what jisui reads by itself has a name.
    enum Method: Hashable, Sendable {
        case stored
        case deflated
        case other(Int)
    }

    var name: RawName
    var form: EntryForm
    var method: Method
    var isEncrypted: Bool
    /// The CRC-32 of the data.
    var checksum: UInt32
    /// Bytes in the archive.
    var compressedSize: Int
    /// Bytes when decompressed, as the table of contents claims.
    var size: Int
    /// Where in the file the entry's local header begins.
    var offset: Int
    /// Where in the file the next entry, or the table of contents, begins: the entry's data ends before.
    var end: Int

    /// Whether `ZipMember` can read it; libarchive has to read the others.
    var isPlain: Bool {
        switch method {
        case .stored, .deflated: !isEncrypted
        case .other: false
        }
    }
}
