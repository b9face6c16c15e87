public import AdapterKit

/// Writes a zip archive as the strictest readers want it (APPNOTE.TXT 6.3.10).
///
/// Sizes and CRC stand in the local headers, there are no data descriptors and no extra fields, and ZIP64 is used
/// only where a number has outgrown 32 bits: streaming readers in Java refuse anything else. libarchive's writer
/// cannot do that. The same files give the same bytes: the time is always the first that DOS knew, 1980-01-01.
///
/// An EPUB is written by adding `mimetype` first, not compressed, and the rest behind it.
public final class ZipWriter {
    private let file: OutputFile
    private let limits: ZipLimits
    private var entries: [ZipEntry] = []

    /// - Parameter file: where the archive goes; nothing must have been written to it yet.
    public convenience init(_ file: OutputFile) {
        self.init(file, limits: ZipLimits())
    }

    init(_ file: OutputFile, limits: ZipLimits) {
        self.file = file
        self.limits = limits
    }

    /// Appends a file.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, with `/` between its parts; at most 65,535 bytes of UTF-8.
    ///   - compresses: whether to deflate the bytes; they are stored all the same when that makes them no shorter.
    /// - Returns: the CRC-32 of the bytes.
    /// - Throws: `.unwritable`.
    @discardableResult
    public func add(_ name: String, _ bytes: [UInt8], compresses: Bool) throws(AdapterError) -> UInt32 {
        let name = Array(name.utf8)
        guard name.count <= 0xFFFF else {
            throw AdapterError(.unwritable, "a name of \(name.count) bytes is too long for a zip archive")
        }
        let packed = compresses ? Deflate.compressed(bytes) : nil
        let count = packed?.count ?? bytes.count
        let entry = ZipEntry(
            // Bit 11, "the name is UTF-8", is left out where it makes no difference.
            name: RawName(bytes: name, isFlaggedUTF8: !name.allSatisfy { $0 < 0x80 }), form: .file,
            method: packed == nil ? .stored : .deflated, isEncrypted: false, checksum: CRC32.of(bytes),
            compressedSize: count, size: bytes.count, offset: file.count, end: file.count)
        try file.write(entry.localHeader(limits))
        try file.write(packed ?? bytes)
        entries.append(entry)
        return entry.checksum
    }

    /// Writes the directory and makes the archive appear at its destination.
    ///
    /// - Throws: `.exists`, `.unwritable`.
    public func finish() throws(AdapterError) {
        var directory = ByteWriter()
        for entry in entries { directory.append(entry.directoryHeader(limits)) }
        let start = file.count
        let end = ZipEnd(directory: start..<(start + directory.count), entryCount: entries.count, shift: 0)
        directory.append(end.records(limits))
        try file.write(directory.bytes)
        try file.publish()
    }
}
