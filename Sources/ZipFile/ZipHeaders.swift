internal import PageModel

/// The two headers of an entry (APPNOTE.TXT 6.3.10, sections 4.3.7 and 4.3.12). The local header is before its data,
/// the directory header in the directory at the archive's end.
enum ZipHeader {
    static let localSignature: [UInt8] = [0x50, 0x4B, 3, 4]
    static let directorySignature: [UInt8] = [0x50, 0x4B, 1, 2]
    /// The number of bytes of a local header without its name and extra field.
    static let localCount = 30
    /// The number of bytes of a directory header without its name, extra field and comment.
    static let directoryCount = 46
    /// The value of a 32-bit field whose number is in the ZIP64 extra field.
    static let saturated = 0xFFFF_FFFF
}

// MARK: - Reading

extension ZipEntry {
    /// Reads a directory header, after its signature.
    ///
    /// - Parameters:
    ///   - shift: the number of foreign bytes before the archive. It is added to the offsets.
    ///   - starts: the offsets of the parts of a split archive; 0 for a whole one.
    /// - Returns: the entry. Its `end` is not known yet.
    /// - Throws: `.damaged`; `.unsupported` when the entry is in another part of a split archive.
    init(readingFrom cursor: inout ByteCursor, shift: Int, starts: [Int] = [0]) throws(AdapterError) {
        try cursor.skip(1)
        let host = try cursor.number(1)
        try cursor.skip(2)
        let flags = try cursor.number(2)
        let method = try cursor.number(2)
        try cursor.skip(4)
        let checksum = UInt32(try cursor.number(4))
        let sizes = (compressed: try cursor.number(4), full: try cursor.number(4))
        let counts = (name: try cursor.number(2), extra: try cursor.number(2), comment: try cursor.number(2))
        let disk = try cursor.number(2)
        try cursor.skip(2)
        let attributes = try cursor.number(4)
        let offset = try cursor.number(4)
        let name = Array(try cursor.bytes(counts.name))
        let extra = ZipExtra(
            try cursor.bytes(counts.extra), rawName: name,
            saturated: (
                full: sizes.full == ZipHeader.saturated, compressed: sizes.compressed == ZipHeader.saturated,
                offset: offset == ZipHeader.saturated
            ))
        try cursor.skip(counts.comment)
        guard disk == 0xFFFF || starts.indices.contains(disk) else { throw .isPartOfZip }
        let before = disk == 0xFFFF ? shift : starts[disk] + shift
        let (place, overflow) = (extra.offset ?? offset).addingReportingOverflow(before)
        guard !overflow else { throw .reachesOut }
        self.init(
            name: RawName(
                bytes: name, isFlaggedUTF8: flags & 0x0800 != 0, unicodeName: extra.unicodeName,
                mayHaveBackslashes: [0, 10, 11, 14].contains(host)),
            form: ZipEntry.form(name: name, host: host, attributes: attributes),
            method: method == 0 ? .stored : method == 8 ? .deflated : .other(method),
            isEncrypted: flags & 0x0041 != 0, checksum: checksum,
            compressedSize: extra.compressedSize ?? sizes.compressed, size: extra.size ?? sizes.full,
            offset: place, end: place)
    }

    /// Returns the form of an entry: by its Unix mode if Unix (3) or macOS (19) made it, by its final slash, else a
    /// file.
    private static func form(name: [UInt8], host: Int, attributes: Int) -> EntryForm {
        if name.last == UInt8(ascii: "/") { return .folder }
        return host == 3 || host == 19 ? EntryForm(mode: UInt32(attributes >> 16)) : .file
    }
}

/// The additions in the extra field of a directory header (APPNOTE.TXT, sections 4.5 and 4.6.9).
///
/// A truncated field adds nothing: the header's own numbers are checked in any case.
private struct ZipExtra {
    private(set) var size: Int?
    private(set) var compressedSize: Int?
    private(set) var offset: Int?
    private(set) var unicodeName: String?

    /// - Parameter saturated: the numbers that did not fit in the header; the ZIP64 field has only those.
    init(_ extra: ArraySlice<UInt8>, rawName: [UInt8], saturated: (full: Bool, compressed: Bool, offset: Bool)) {
        var cursor = ByteCursor(extra)
        while let id = try? cursor.number(2), let count = try? cursor.number(2), let data = try? cursor.bytes(count) {
            var field = ByteCursor(data)
            switch id {
            case 0x0001:
                if saturated.full { size = try? field.number(8) }
                if saturated.compressed { compressedSize = try? field.number(8) }
                if saturated.offset { offset = try? field.number(8) }
            case 0x7075:
                unicodeName = ZipExtra.unicodeName(&field, rawName: rawName)
            default:
                break
            }
        }
    }

    /// Returns Info-ZIP's Unicode Path, if its checksum matches the name next to it. A program that does not know the
    /// field may have renamed the entry.
    private static func unicodeName(_ field: inout ByteCursor, rawName: [UInt8]) -> String? {
        guard let version = try? field.number(1), version == 1, let sum = try? field.number(4),
            UInt32(sum) == CRC32.of(rawName), let name = try? field.bytes(field.remaining)
        else { return nil }
        return String(validating: name, as: UTF8.self)
    }
}

// MARK: - Writing

/// The numbers from which ZIP64 is needed (APPNOTE.TXT, section 4.4.1.4); lower ones are for tests.
struct ZipLimits {
    /// The limit of byte counts and offsets.
    var bytes = ZipHeader.saturated
    /// The limit of entry counts.
    var entries = 0xFFFF
}

extension ZipEntry {
    /// Returns the header before the entry's data.
    func localHeader(_ limits: ZipLimits) -> [UInt8] {
        // The local header moves both sizes to ZIP64, or neither.
        let isLong = max(compressedSize, size) >= limits.bytes
        var header = ByteWriter()
        header.append(ZipHeader.localSignature)
        appendCommon(to: &header, needsZip64: isLong)
        header.append32(isLong ? ZipHeader.saturated : compressedSize)
        header.append32(isLong ? ZipHeader.saturated : size)
        header.append16(name.bytes.count)
        header.append16(isLong ? 20 : 0)
        header.append(name.bytes)
        if isLong { header.append(ZipEntry.zip64Field([size, compressedSize])) }
        return header.bytes
    }

    /// Returns the header in the directory at the archive's end.
    func directoryHeader(_ limits: ZipLimits) -> [UInt8] {
        // Only the numbers that do not fit are in ZIP64, in this order.
        let long = [size, compressedSize, offset].filter { $0 >= limits.bytes }
        func field(_ value: Int) -> Int { value >= limits.bytes ? ZipHeader.saturated : value }
        var header = ByteWriter()
        header.append(ZipHeader.directorySignature)
        // Made by version 2.0 on Unix, which defines the meaning of the attributes below.
        header.append16(3 << 8 | 20)
        appendCommon(to: &header, needsZip64: !long.isEmpty)
        header.append32(field(compressedSize))
        header.append32(field(size))
        header.append16(name.bytes.count)
        header.append16(long.isEmpty ? 0 : 4 + 8 * long.count)
        // No comment, the first disk, no internal attributes.
        header.append16(0)
        header.append16(0)
        header.append16(0)
        header.append32(0o100644 << 16)
        header.append32(field(offset))
        header.append(name.bytes)
        if !long.isEmpty { header.append(ZipEntry.zip64Field(long)) }
        return header.bytes
    }

    /// Appends the fields that both headers share: version needed, flags, method, time, CRC.
    private func appendCommon(to header: inout ByteWriter, needsZip64: Bool) {
        header.append16(needsZip64 ? 45 : method == .deflated ? 20 : 10)
        header.append16(name.isFlaggedUTF8 ? 0x0800 : 0)
        header.append16(method == .deflated ? 8 : 0)
        // 1980-01-01 00:00:00.
        header.append16(0)
        header.append16(1 << 5 | 1)
        header.append32(Int(checksum))
    }

    /// Returns the ZIP64 extra field (APPNOTE.TXT, section 4.5.3).
    private static func zip64Field(_ values: [Int]) -> [UInt8] {
        var field = ByteWriter()
        field.append16(1)
        field.append16(8 * values.count)
        for value in values { field.append64(value) }
        return field.bytes
    }
}

extension AdapterError {
    static let reachesOut = AdapterError(.damaged, "an entry of the archive is outside the file")
}
