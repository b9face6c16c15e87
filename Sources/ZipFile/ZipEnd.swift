internal import Files
package import PageModel

/// The records at the end of a zip archive, which locate its directory (APPNOTE.TXT, sections 4.3.14 to 4.3.16).
struct ZipEnd: Hashable, Sendable {
    /// The range of the directory in the file.
    var directory: Range<Int>
    /// The number of entries that it states; without ZIP64 the count wraps around at 65,536.
    var entryCount: Int
    /// The number of foreign bytes before the archive, to be added to its offsets.
    var shift: Int
    /// The range of the archive's comment in the file.
    var comment: Range<Int> = 0..<0

    private static let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    private static let signature64: [UInt8] = [0x50, 0x4B, 6, 6]
    private static let locatorSignature: [UInt8] = [0x50, 0x4B, 6, 7]
    private static let count = 22
    private static let locatorCount = 20
    private static let count64 = 56
    /// The number of bytes to search: the record, the longest comment, and the ZIP64 locator before it.
    private static let searchCount = count + 0xFFFF + locatorCount
    /// The maximum number of foreign bytes after an archive.
    private static let maximumForeignCount = 1 << 28

    /// Finds the end record.
    ///
    /// A comment may contain a whole zip. The best candidate is therefore used.
    ///
    /// - Parameter everywhere: whether any number of foreign bytes may follow the archive. The record is then searched in the
    ///   whole file, from its end.
    /// - Returns: nil if no record locates a directory.
    /// - Throws: `.unreadable`; `.unsupported` for one part of several.
    static func find(in file: any RandomAccess, everywhere: Bool = false) throws(AdapterError) -> ZipEnd? {
        var start = max(0, file.size - searchCount)
        if let found = try find(in: file, from: start, upTo: file.size) { return found }
        let limit = everywhere ? max(0, file.size - maximumForeignCount) : start
        while start > limit {
            // The windows overlap by a record with its locator.
            let end = start + count + locatorCount
            start = max(0, end - searchCount)
            do throws(AdapterError) {
                if let found = try find(in: file, from: start, upTo: end) { return found }
            } catch {
                // In the middle of a file, the bytes of a record may be a part of an image.
                guard error.code == .unsupported else { throw error }
            }
        }
        return nil
    }

    /// Finds the best record that begins within a range of the file. The comment may continue after the range.
    private static func find(
        in file: any RandomAccess, from base: Int, upTo end: Int
    ) throws(AdapterError) -> ZipEnd? {
        let tail = try file.read(at: base, upTo: end - base)
        let following = file.size - end
        var best: (misfit: Int, end: ZipEnd)?
        var partial: AdapterError?
        for position in stride(from: tail.count - count, through: 0, by: -1)
        where tail[position] == signature[0] && tail[position...].starts(with: signature) {
            do {
                guard let (end, trailing) = try read(tail, at: position, base: base, following, file) else { continue }
                let misfit = (end.shift == 0 ? 0 : 2) + (trailing == 0 ? 0 : 1)
                if misfit == 0 { return end }
                if misfit < best?.misfit ?? .max { best = (misfit, end) }
            } catch  where error.code == .unsupported {
                partial = error
            } catch  where error.code == .damaged {
                // These bytes are not a record. Any other error is one of the disk.
                continue
            }
        }
        if best == nil, let partial { throw partial }
        return best?.end
    }

    /// Returns the number of parts before the last one of a split archive. The last one has the end record.
    ///
    /// - Returns: 0 for a whole archive, and nil without such a record.
    static func partsBefore(_ file: any RandomAccess) throws(AdapterError) -> Int? {
        let tail = try file.read(at: max(0, file.size - searchCount), upTo: searchCount)
        for position in stride(from: tail.count - count, through: 0, by: -1)
        where tail[position] == signature[0] && tail[position...].starts(with: signature) {
            var cursor = ByteCursor(tail[(position + 4)...])
            let disk = try cursor.number(2)
            try cursor.skip(14)
            if try cursor.number(2) == cursor.remaining { return disk }
        }
        return nil
    }

    /// Reads the record at `position` of a range of the file; nil when it does not locate a directory.
    ///
    /// - Parameter following: the number of bytes after the range.
    private static func read(
        _ tail: [UInt8], at position: Int, base: Int, _ following: Int, _ file: any RandomAccess
    ) throws(AdapterError) -> (ZipEnd, trailing: Int)? {
        var cursor = ByteCursor(tail[(position + 4)...])
        let disks = (try cursor.number(2), try cursor.number(2))
        _ = try cursor.number(2)
        var entryCount = try cursor.number(2)
        var size = try cursor.number(4)
        var offset = try cursor.number(4)
        let comment = try cursor.number(2)
        let remaining = cursor.remaining + following
        guard comment <= remaining else { return nil }
        var end = base + position
        // The locator alone marks a ZIP64 archive: some writers saturate no field of the classic record.
        if let record = try read64(tail, before: position, base: base, file) {
            (entryCount, size, offset, end) = (record.entryCount, record.size, record.offset, record.position)
        } else if disks.0 == file.starts.count - 1, disks.1 <= disks.0 {
            // In a split archive, offsets are those in one of the parts.
            offset += file.starts[disks.1]
        } else if disks != (0, 0) {
            throw .isPartOfZip
        }
        guard let start = try directoryStart(size: size, offset: offset, end: end, file) else { return nil }
        let commentStart = base + position + count
        let found = ZipEnd(
            directory: start..<(start + size), entryCount: entryCount, shift: start - offset,
            comment: commentStart..<commentStart + comment)
        return (found, trailing: remaining - comment)
    }

    /// Returns the start of the directory: at the stated offset or, with foreign bytes before the archive, right before
    /// the record.
    private static func directoryStart(
        size: Int, offset: Int, end: Int, _ file: any RandomAccess
    ) throws(AdapterError) -> Int? {
        for start in [offset, end - size] where start >= offset && start <= end && size <= end - start {
            if size == 0 { return start }
            if try file.read(at: start, upTo: 4) == ZipHeader.directorySignature { return start }
        }
        return nil
    }

    /// Reads the ZIP64 record that the locator before a classic record points to; nil without a locator.
    private static func read64(
        _ tail: [UInt8], before position: Int, base: Int, _ file: any RandomAccess
    ) throws(AdapterError) -> (entryCount: Int, size: Int, offset: Int, position: Int)? {
        let locator = position - locatorCount
        guard locator >= 0, tail[locator...].starts(with: locatorSignature) else { return nil }
        var cursor = ByteCursor(tail[(locator + 4)...])
        let disk = try cursor.number(4)
        let stated = try cursor.number(8)
        let count = try cursor.number(4)
        let isWhole = disk == 0 && count <= 1
        // With foreign bytes before the archive, the stated offset is wrong; the record is then right before its
        // locator.
        for place in [stated, base + locator - count64] {
            let record = try file.read(at: max(0, place), upTo: count64)
            // The last entry's name may end like a locator: only one that points to a record is valid.
            guard record.count == count64, record.starts(with: signature64) else { continue }
            guard isWhole else { throw .isPartOfZip }
            var cursor = ByteCursor(record[32...])
            return (try cursor.number(8), try cursor.number(8), try cursor.number(8), place)
        }
        return nil
    }

    // MARK: Writing

    /// Returns the end record, after the ZIP64 record and its locator when a number does not fit.
    func records(_ limits: ZipLimits) -> [UInt8] {
        let hasManyEntries = entryCount >= limits.entries
        let isLong = hasManyEntries || max(directory.count, directory.lowerBound) >= limits.bytes
        func field(_ value: Int) -> Int { value >= limits.bytes ? ZipHeader.saturated : value }
        var records = ByteWriter()
        if isLong { appendZip64(to: &records) }
        records.append(ZipEnd.signature)
        // This disk is the first, and the directory is on it.
        records.append16(0)
        records.append16(0)
        records.append16(hasManyEntries ? 0xFFFF : entryCount)
        records.append16(hasManyEntries ? 0xFFFF : entryCount)
        records.append32(field(directory.count))
        records.append32(field(directory.lowerBound))
        // No comment.
        records.append16(0)
        return records.bytes
    }

    private func appendZip64(to records: inout ByteWriter) {
        records.append(ZipEnd.signature64)
        // The size of the following data.
        records.append64(ZipEnd.count64 - 12)
        records.append16(3 << 8 | 45)
        records.append16(45)
        records.append32(0)
        records.append32(0)
        records.append64(entryCount)
        records.append64(entryCount)
        records.append64(directory.count)
        records.append64(directory.lowerBound)
        // The locator: the disk and the offset of the record above, the number of disks.
        records.append(ZipEnd.locatorSignature)
        records.append32(0)
        records.append64(directory.upperBound)
        records.append32(1)
    }
}

extension AdapterError {
    /// The error for a split zip (`.z01`, `.z02`, … `.zip`), whose parts cannot be read alone.
    package static let isPartOfZip = AdapterError(
        .unsupported, "is one part of a split zip archive",
        hint: "join the parts first: zip -s 0 NAME.zip --out whole.zip")
}
