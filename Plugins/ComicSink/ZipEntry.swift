/// A file in a zip archive, and the two headers that describe it (APPNOTE.TXT 4.3.7, 4.3.12).
struct ZipEntry {
    enum Method: Int {
        case stored = 0
        case deflated = 8
    }

    /// UTF-8.
    var name: [UInt8]
    var method: Method
    var crc: UInt32
    /// Bytes as they stand in the archive.
    var storedCount: Int
    /// Bytes of the file itself.
    var count: Int
    /// Where the local header begins in the archive.
    var offset: Int

    /// The header in front of the file's bytes.
    func localHeader(_ limits: ZipLimits) -> [UInt8] {
        // The local header takes both sizes to ZIP64, or none.
        let isLong = max(storedCount, count) >= limits.bytes
        var header = ZipBytes()
        header.append([0x50, 0x4B, 0x03, 0x04])
        appendCommon(to: &header, needsZip64: isLong)
        header.append32(isLong ? 0xFFFF_FFFF : storedCount)
        header.append32(isLong ? 0xFFFF_FFFF : count)
        header.append16(name.count)
        header.append16(isLong ? 20 : 0)
        header.append(name)
        if isLong { header.append(ZipEntry.extra([count, storedCount])) }
        return header.bytes
    }

    /// The header in the directory at the archive's end.
    func directoryHeader(_ limits: ZipLimits) -> [UInt8] {
        // Only the numbers that do not fit go to ZIP64, in this order.
        let long = [count, storedCount, offset].filter { $0 >= limits.bytes }
        func field(_ value: Int) -> Int { value >= limits.bytes ? 0xFFFF_FFFF : value }
        var header = ZipBytes()
        header.append([0x50, 0x4B, 0x01, 0x02])
        // Made by version 2.0 on Unix, which gives the attributes below their meaning.
        header.append16(3 << 8 | 20)
        appendCommon(to: &header, needsZip64: !long.isEmpty)
        header.append32(field(storedCount))
        header.append32(field(count))
        header.append16(name.count)
        header.append16(long.isEmpty ? 0 : 4 + 8 * long.count)
        // No comment, the first disk, no internal attributes.
        header.append16(0)
        header.append16(0)
        header.append16(0)
        header.append32(0o100644 << 16)
        header.append32(field(offset))
        header.append(name)
        if !long.isEmpty { header.append(ZipEntry.extra(long)) }
        return header.bytes
    }

    /// What both headers share: version needed, flags, method, time, CRC.
    private func appendCommon(to header: inout ZipBytes, needsZip64: Bool) {
        header.append16(needsZip64 ? 45 : method == .deflated ? 20 : 10)
        // Bit 11: the name is UTF-8. Left out where it makes no difference.
        header.append16(name.allSatisfy { $0 < 0x80 } ? 0 : 0x0800)
        header.append16(method.rawValue)
        // 1980-01-01 00:00:00.
        header.append16(0)
        header.append16(1 << 5 | 1)
        header.append32(Int(crc))
    }

    /// The ZIP64 extra field (APPNOTE.TXT 4.5.3).
    private static func extra(_ values: [Int]) -> [UInt8] {
        var extra = ZipBytes()
        extra.append16(1)
        extra.append16(8 * values.count)
        for value in values { extra.append64(value) }
        return extra.bytes
    }
}
