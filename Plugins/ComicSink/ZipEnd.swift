/// The records at the very end of a zip archive (APPNOTE.TXT 4.3.14 to 4.3.16).
struct ZipEnd {
    var entryCount: Int
    var directoryCount: Int
    var directoryOffset: Int

    /// The end record, preceded by that of ZIP64 and its locator when a number does not fit.
    func records(_ limits: ZipLimits) -> [UInt8] {
        let hasManyEntries = entryCount >= limits.entries
        let isLong = hasManyEntries || max(directoryCount, directoryOffset) >= limits.bytes
        func field(_ value: Int) -> Int { value >= limits.bytes ? 0xFFFF_FFFF : value }
        var records = ZipBytes()
        if isLong { appendZip64(to: &records) }
        records.append([0x50, 0x4B, 0x05, 0x06])
        // This disk is the first and the directory is on it.
        records.append16(0)
        records.append16(0)
        records.append16(hasManyEntries ? 0xFFFF : entryCount)
        records.append16(hasManyEntries ? 0xFFFF : entryCount)
        records.append32(field(directoryCount))
        records.append32(field(directoryOffset))
        // No comment.
        records.append16(0)
        return records.bytes
    }

    private func appendZip64(to records: inout ZipBytes) {
        records.append([0x50, 0x4B, 0x06, 0x06])
        // The size of what follows.
        records.append64(44)
        records.append16(3 << 8 | 45)
        records.append16(45)
        records.append32(0)
        records.append32(0)
        records.append64(entryCount)
        records.append64(entryCount)
        records.append64(directoryCount)
        records.append64(directoryOffset)
        // The locator: the disk and the place of the record above, the number of disks.
        records.append([0x50, 0x4B, 0x06, 0x07])
        records.append32(0)
        records.append64(directoryOffset + directoryCount)
        records.append32(1)
    }
}
