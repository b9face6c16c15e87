internal import AdapterKit

/// A zip archive as the strictest readers want it (APPNOTE.TXT 6.3.10; research in CONTRIBUTING.md).
///
/// Sizes and CRC stand in the local headers, there are no data descriptors and no extra fields, and ZIP64 is used
/// only where a number has outgrown 32 bits: streaming readers in Java refuse anything else. libarchive's writer
/// cannot do that. The same files give the same bytes: the time is always the first that DOS knew.
final class ZipArchive: ComicArchive {
    private let file: OutputFile
    private let limits: ZipLimits
    private var entries: [ZipEntry] = []

    /// - Parameter limits: from where on ZIP64 is needed; lower ones are for tests.
    init(_ file: OutputFile, limits: ZipLimits = ZipLimits()) {
        self.file = file
        self.limits = limits
    }

    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError) {
        let packed = isText ? Deflate.compressed(bytes) : nil
        let entry = ZipEntry(
            name: Array(name.utf8), method: packed == nil ? .stored : .deflated, crc: Deflate.crc32(bytes),
            storedCount: packed?.count ?? bytes.count, count: bytes.count, offset: file.count)
        try file.write(entry.localHeader(limits))
        try file.write(packed ?? bytes)
        entries.append(entry)
    }

    func finish() throws(AdapterError) {
        var directory = ZipBytes()
        for entry in entries { directory.append(entry.directoryHeader(limits)) }
        let end = ZipEnd(entryCount: entries.count, directoryCount: directory.count, directoryOffset: file.count)
        directory.append(end.records(limits))
        try file.write(directory.bytes)
        try file.publish()
    }
}
