package import Files
package import PageModel

/// A writer of zip archives for the strictest programs (APPNOTE.TXT 6.3.10).
///
/// Sizes and CRC are in the local headers. It writes neither data descriptors nor extra fields. ZIP64 is used only if a
/// number exceeds 32 bits: streaming readers in Java refuse anything else. libarchive's writer cannot do that. The same
/// files yield the same bytes: the time is always the earliest in DOS, 1980-01-01.
///
/// An EPUB is written by adding `mimetype` first, not compressed, and the rest after it.
package final class ZipWriter {
    private let file: OutputFile
    private let limits: ZipLimits
    private var entries: [ZipEntry] = []

    /// - Parameter file: the file for the archive; it must be empty.
    package convenience init(_ file: OutputFile) {
        self.init(file, limits: ZipLimits())
    }

    init(_ file: OutputFile, limits: ZipLimits) {
        self.file = file
        self.limits = limits
    }

    /// Appends a file.
    ///
    /// - Parameters:
    ///   - name: the path in the archive. Its parts are separated by `/`. It has at most 65,535 bytes of UTF-8.
    ///   - compresses: whether to deflate the bytes. They are stored if that does not make them shorter.
    /// - Returns: the CRC-32 of the bytes.
    /// - Throws: `.unwritable`.
    @discardableResult
    package func add(_ name: String, _ bytes: [UInt8], compresses: Bool) throws(AdapterError) -> UInt32 {
        let name = Array(name.utf8)
        guard name.count <= 0xFFFF else {
            throw AdapterError(.unwritable, "a name of \(name.count) bytes is too long for a zip archive")
        }
        let packed = compresses ? Deflate.compressed(bytes) : nil
        let count = packed?.count ?? bytes.count
        let entry = ZipEntry(
            // Bit 11, "the name is UTF-8", is omitted for ASCII names.
            name: RawName(bytes: name, isFlaggedUTF8: !name.allSatisfy { $0 < 0x80 }), form: .file,
            method: packed == nil ? .stored : .deflated, isEncrypted: false, checksum: CRC32.of(bytes),
            compressedSize: count, size: bytes.count, offset: file.count, end: file.count)
        try file.write(entry.localHeader(limits))
        try file.write(packed ?? bytes)
        entries.append(entry)
        return entry.checksum
    }

    /// Writes the directory and publishes the archive at its destination.
    ///
    /// - Throws: `.exists`, `.unwritable`.
    package func finish() throws(AdapterError) {
        var directory = ByteWriter()
        for entry in entries { directory.append(entry.directoryHeader(limits)) }
        let start = file.count
        let end = ZipEnd(directory: start..<(start + directory.count), entryCount: entries.count, shift: 0)
        directory.append(end.records(limits))
        try file.write(directory.bytes)
        try file.publish()
    }
}
