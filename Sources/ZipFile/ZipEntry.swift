/// One entry of a zip archive, as the archive's directory describes it.
package struct ZipEntry: Hashable, Sendable {
    /// The compression method of an entry's data (APPNOTE.TXT, section 4.4.5).
    package enum Method: Hashable, Sendable {
        case stored
        case deflated
        /// Any other method, by its number; `ZipReader` cannot read it.
        case other(Int)
    }

    package var name: RawName
    package var form: EntryForm
    package var method: Method
    package var isEncrypted: Bool
    /// The CRC-32 of the uncompressed data.
    package var checksum: UInt32
    /// The number of bytes that the data take in the archive.
    package var compressedSize: Int
    /// The number of bytes of the uncompressed data, as stated in the directory.
    package var size: Int
    /// The offset in the file of the entry's local header.
    package var offset: Int
    /// The offset of the next entry, or of the directory, before which the entry's data must end.
    package var end: Int

    /// Whether `ZipReader` can read the entry: it is stored or deflated, and not encrypted.
    package var isPlain: Bool {
        switch method {
        case .stored, .deflated: !isEncrypted
        case .other: false
        }
    }
}

/// An entry's name as stored in the archive, before its encoding is known.
package struct RawName: Hashable, Sendable {
    package var bytes: [UInt8]
    /// Whether the archive marks the name as UTF-8.
    package var isFlaggedUTF8: Bool
    /// The second name of the entry in Unicode, if it exists and belongs to the first.
    package var unicodeName: String?
    /// Whether backslashes may be separators: the entry was made on DOS or Windows.
    package var mayHaveBackslashes: Bool

    package init(
        bytes: [UInt8], isFlaggedUTF8: Bool = false, unicodeName: String? = nil, mayHaveBackslashes: Bool = false
    ) {
        self.bytes = bytes
        self.isFlaggedUTF8 = isFlaggedUTF8
        self.unicodeName = unicodeName
        self.mayHaveBackslashes = mayHaveBackslashes
    }

    /// The bytes read as UTF-8. Only the ASCII part is reliable: for checks of extensions.
    package var approximation: String { String(decoding: bytes, as: UTF8.self) }
}

/// The type of an archive's entry in the file system.
package enum EntryForm: Hashable, Sendable {
    case file
    case folder
    /// A link, a device or a pipe.
    case other

    /// Reads the file type from a Unix mode; a mode without one is a file.
    package init(mode: UInt32) {
        // The types of inode(7).
        switch mode & 0o170000 {
        case 0o100000, 0: self = .file
        case 0o040000: self = .folder
        default: self = .other
        }
    }
}
