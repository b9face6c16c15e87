internal import Files
internal import PageModel
internal import ZipFile

/// A 7z archive of files that are not compressed (the format is 7-Zip's `DOC/7zFormat.txt`).
///
/// Images are compressed already: a second time costs much and gains nothing. But KArchive, with which Okular and other KDE
/// programs read 7z, did not support the method "copy" before 2025, and libarchive writes that. So each file is a stream of LZMA2
/// that consists of uncompressed chunks only: every program supports LZMA2. Each file has a folder of its own, so that one page
/// can be read without unpacking those before it.
///
/// The same files give the same bytes: the time is 1980-01-01, as in the zip archives that jisui writes.
final class SevenZipArchive: ComicArchive {
    private struct File {
        var name: String
        var size: Int
        var packedSize: Int
        var checksum: UInt32
    }

    private static let signature: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]
    private static let startCount = 32

    private let file: OutputFile
    private var files: [File] = []

    /// - Throws: `.exists`, `.unwritable`.
    init(_ destination: Destination) throws(AdapterError) {
        file = try OutputFile(at: destination)
        // The offset of the header is known only at the end.
        try file.write([UInt8](repeating: 0, count: SevenZipArchive.startCount))
    }

    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError) {
        let start = file.count
        if !bytes.isEmpty { try writeChunks(of: bytes) }
        files.append(
            File(name: name, size: bytes.count, packedSize: file.count - start, checksum: CRC32.of(bytes)))
    }

    /// Writes an LZMA2 stream of uncompressed chunks.
    ///
    /// Each is a control byte, the size less one in 16 bits, most significant first, and as many bytes. The control byte is 1 for
    /// the first and 2 for the others. A 0 ends the stream.
    private func writeChunks(of bytes: [UInt8]) throws(AdapterError) {
        let chunkCount = 1 << 16
        var stream: [UInt8] = []
        stream.reserveCapacity(bytes.count + (bytes.count / chunkCount + 1) * 3 + 1)
        for start in stride(from: 0, to: bytes.count, by: chunkCount) {
            let chunk = bytes[start..<min(start + chunkCount, bytes.count)]
            let rest = chunk.count - 1
            stream += [start == 0 ? 1 : 2, UInt8(rest >> 8), UInt8(rest & 0xFF)]
            stream += chunk
        }
        stream.append(0)
        try file.write(stream)
    }

    func finish() throws(AdapterError) {
        let end = file.count
        let header = SevenZipHeader.bytes(files.map { ($0.name, $0.size, $0.packedSize, $0.checksum) })
        try file.write(header)
        var place = ByteWriter()
        place.append64(end - SevenZipArchive.startCount)
        place.append64(header.count)
        place.append32(Int(CRC32.of(header)))
        var start = ByteWriter()
        start.append(SevenZipArchive.signature)
        start.append32(Int(CRC32.of(place.bytes)))
        start.append(place.bytes)
        try file.rewrite(start.bytes)
        try file.publish()
    }
}

/// The header at the end of a 7z archive, which lists its files.
private enum SevenZipHeader {
    /// The properties in the header.
    private enum Property {
        static let end: UInt8 = 0x00
        static let header: UInt8 = 0x01
        static let mainStreams: UInt8 = 0x04
        static let files: UInt8 = 0x05
        static let packInfo: UInt8 = 0x06
        static let unpackInfo: UInt8 = 0x07
        static let substreams: UInt8 = 0x08
        static let size: UInt8 = 0x09
        static let checksums: UInt8 = 0x0A
        static let folder: UInt8 = 0x0B
        static let unpackSizes: UInt8 = 0x0C
        static let emptyStreams: UInt8 = 0x0E
        static let emptyFiles: UInt8 = 0x0F
        static let names: UInt8 = 0x11
        static let times: UInt8 = 0x14
        static let attributes: UInt8 = 0x15
    }

    /// One coder with an id of one byte and with properties: LZMA2 with a dictionary of 64 KiB.
    private static let lzma2: [UInt8] = [1, 0x21, 0x21, 1, 8]
    /// The time 1980-01-01 00:00:00 UTC in tenths of a microsecond since 1601.
    private static let time = (315_532_800 + 11_644_473_600) * 10_000_000
    /// The attribute "archive", and the Unix mode of a plain file, which the bit 0x8000 announces.
    private static let attributes = 0o100644 << 16 | 0x8000 | 0x20

    typealias File = (name: String, size: Int, packedSize: Int, checksum: UInt32)

    static func bytes(_ files: [File]) -> [UInt8] {
        var header = ByteWriter()
        header.append([Property.header])
        let full = files.filter { $0.size > 0 }
        if !full.isEmpty { appendStreams(full, to: &header) }
        header.append([Property.files])
        header.append(number(files.count))
        if full.count < files.count {
            // An empty file has no stream, and neither has a folder: the second list distinguishes them.
            append(Property.emptyStreams, bits(files.map { $0.size == 0 }), to: &header)
            append(Property.emptyFiles, bits(files.filter { $0.size == 0 }.map { _ in true }), to: &header)
        }
        var names = ByteWriter()
        names.append([0])
        for file in files {
            for unit in file.name.utf16 { names.append16(Int(unit)) }
            names.append16(0)
        }
        append(Property.names, names.bytes, to: &header)
        // Defined for all files; here, not elsewhere.
        var times = ByteWriter()
        times.append([1, 0])
        for _ in files { times.append64(time) }
        append(Property.times, times.bytes, to: &header)
        var modes = ByteWriter()
        modes.append([1, 0])
        for _ in files { modes.append32(attributes) }
        append(Property.attributes, modes.bytes, to: &header)
        header.append([Property.end, Property.end])
        return header.bytes
    }

    /// Appends the place of each file's data and their coding: each is a stream and a folder of its own.
    private static func appendStreams(_ files: [File], to header: inout ByteWriter) {
        header.append([Property.mainStreams, Property.packInfo])
        header.append(number(0))
        header.append(number(files.count))
        header.append([Property.size])
        for file in files { header.append(number(file.packedSize)) }
        header.append([Property.end, Property.unpackInfo, Property.folder])
        header.append(number(files.count))
        header.append([0])
        for _ in files { header.append(lzma2) }
        header.append([Property.unpackSizes])
        for file in files { header.append(number(file.size)) }
        header.append([Property.end, Property.substreams, Property.checksums, 1])
        for file in files { header.append32(Int(file.checksum)) }
        header.append([Property.end, Property.end])
    }

    private static func append(_ property: UInt8, _ data: [UInt8], to header: inout ByteWriter) {
        header.append([property])
        header.append(number(data.count))
        header.append(data)
    }

    /// Returns a number in 7z's notation.
    ///
    /// The leading ones of the first byte give the number of bytes that follow, least significant first. The rest of the first
    /// byte is the most significant part.
    private static func number(_ value: Int) -> [UInt8] {
        var following = 0
        while following < 8, value >> (7 * (following + 1)) != 0 { following += 1 }
        let lead = following == 8 ? 0xFF : ~(0xFF >> following) & 0xFF | value >> (8 * following)
        return [UInt8(lead)] + (0..<following).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns a list of bits, the first in the highest place.
    private static func bits(_ list: [Bool]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (list.count + 7) / 8)
        for (index, bit) in list.enumerated() where bit { bytes[index / 8] |= 0x80 >> (index % 8) }
        return bytes
    }
}
