internal import AdapterKit
internal import Files
internal import PageModel
internal import ZipFile

/// A reader of the sizes and checksums of a RAR's members from its headers.
///
/// In libarchive 3.6 the checksums of any member of a RAR 4, and of stored members of a RAR 5, are not checked. A damaged scan
/// would count as intact. The formats are described in rarlab.com/technote.htm. For RAR 4 it is the `technote.txt` that was
/// distributed with the old versions.
struct RARHeaders {
    struct Member: Hashable {
        /// The unpacked size in bytes.
        var size: Int
        /// The CRC-32 of the unpacked data; nil if the archive has none, or another kind.
        var checksum: UInt32?
    }

    /// The members in the archive's order, as far as the headers can be followed.
    private(set) var members: [Member] = []

    /// - Parameter paths: the archive's parts in order.
    init(of paths: [String], limits: Limits) {
        for path in paths {
            guard let file = try? ReadableFile(path: path), let head = try? file.read(at: 0, upTo: 8) else { return }
            // A walk ends at the first unknown structure; its findings until then are kept.
            if head.starts(with: [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 0]) {
                try? walk4(file, limits)
            } else if head == [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 1, 0] {
                try? walk5(file, limits)
            }
        }
    }

    /// Reads a header of RAR 4: CRC (2), type (1), flags (2), size (2).
    ///
    /// If bit 15 of the flags is set, the size of its data (4) follows.
    private mutating func walk4(_ file: ReadableFile, _ limits: Limits) throws(AdapterError) {
        var offset = 7
        while offset < file.size, members.count <= limits.entries {
            var start = ByteCursor(try file.read(at: offset, exactly: 7)[2...])
            let (type, flags, size) = (try start.number(1), try start.number(2), try start.number(2))
            guard size >= 7 else { return }
            var cursor = ByteCursor(try file.read(at: offset, exactly: size)[7...])
            var dataCount = type == 0x74 || flags & 0x8000 != 0 ? try cursor.number(4) : 0
            switch type {
            case 0x73 where flags & 0x80 != 0, 0x7B: return
            case 0x74:
                var unpacked = try cursor.number(4)
                _ = try cursor.number(1)
                let checksum = UInt32(try cursor.number(4))
                _ = try cursor.bytes(12)
                if flags & 0x100 != 0 {
                    let (dataHigh, high) = (try cursor.number(4), try cursor.number(4))
                    guard max(dataHigh, high) < 1 << 31 else { return }
                    dataCount += dataHigh << 32
                    unpacked += high << 32
                }
                add(Member(size: unpacked, checksum: checksum), continues: flags & 1 != 0, isCut: flags & 2 != 0)
            default: break
            }
            let (next, overflow) = (offset + size).addingReportingOverflow(dataCount)
            guard !overflow else { return }
            offset = next
        }
    }

    /// Reads a header of RAR 5: CRC (4), followed by its size, type and flags as variable-length numbers.
    ///
    /// Bit 0 of the flags announces the size of an extra area, and bit 1 that of its data.
    private mutating func walk5(_ file: ReadableFile, _ limits: Limits) throws(AdapterError) {
        var offset = 8
        while offset < file.size, members.count <= limits.entries {
            let start = try file.read(at: offset, upTo: 16)
            var cursor = ByteCursor(start.dropFirst(4))
            let size = try cursor.variableNumber()
            let lead = start.count - cursor.remaining
            // The format allows headers of 2 MiB.
            guard size <= 2 << 20 else { return }
            cursor = ByteCursor(try file.read(at: offset + lead, exactly: size)[...])
            let (type, flags) = (try cursor.variableNumber(), try cursor.variableNumber())
            if flags & 1 != 0 { _ = try cursor.variableNumber() }
            let dataCount = flags & 2 != 0 ? try cursor.variableNumber() : 0
            // After an encryption header nothing can be followed; after the end nothing exists.
            if type == 4 || type == 5 { return }
            if type == 2 {
                let kind = try cursor.variableNumber()
                let unpacked = try cursor.variableNumber()
                _ = try cursor.variableNumber()
                if kind & 2 != 0 { _ = try cursor.number(4) }
                let checksum = kind & 4 != 0 ? UInt32(try cursor.number(4)) : nil
                add(Member(size: unpacked, checksum: checksum), continues: flags & 8 != 0, isCut: flags & 16 != 0)
            }
            let (next, overflow) = (offset + lead + size).addingReportingOverflow(dataCount)
            guard !overflow else { return }
            offset = next
        }
    }

    /// Notes a member. A split member has the checksum of the whole only in its last part.
    private mutating func add(_ member: Member, continues: Bool, isCut: Bool) {
        var member = member
        if isCut { member.checksum = nil }
        if continues {
            if !members.isEmpty { members[members.count - 1] = member }
        } else {
            members.append(member)
        }
    }
}

extension ByteCursor {
    /// Reads a variable-length number of RAR 5: seven bits a byte, least significant first.
    ///
    /// - Throws: `.damaged` if it does not end within nine bytes.
    mutating func variableNumber() throws(AdapterError) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            let byte = try number(1)
            value |= (byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .tornStructure
    }
}

/// The flag in a RAR's main header for one part of several.
enum RARVolume {
    /// Whether the archive is one part of several. False also for a file that is not a RAR.
    ///
    /// RAR 4 has seven bytes of signature, then CRC (2), type 0x73, flags (2) with "volume" in bit 0. RAR 5 has eight bytes of
    /// signature, CRC (4), then variable-length numbers: size, type 1, flags, archive flags. Bit 0 of the flags announces one
    /// more number, and bit 0 of the archive flags is "volume" (rarlab.com/technote.htm).
    static func isOneOfSeveral(_ path: String) -> Bool { statedFlag(path) ?? false }

    /// Whether it is a RAR that is marked as complete, regardless of its name.
    static func isWhole(_ path: String) -> Bool { statedFlag(path) == false }

    private static func statedFlag(_ path: String) -> Bool? {
        guard let head = try? ReadableFile(path: path).read(at: 0, upTo: 64),
            head.starts(with: [0x52, 0x61, 0x72, 0x21])
        else { return nil }
        return try? flag(head)
    }

    /// - Returns: nil if the main header is not the first, as with encrypted headers.
    private static func flag(_ head: [UInt8]) throws(AdapterError) -> Bool? {
        var cursor = ByteCursor(head[...])
        let signature = try cursor.bytes(7)
        if signature.last == 0 {
            _ = try cursor.bytes(3)
            return try cursor.number(2) & 1 != 0
        }
        _ = try cursor.bytes(5)
        _ = try cursor.variableNumber()
        guard try cursor.variableNumber() == 1 else { return nil }
        let flags = try cursor.variableNumber()
        if flags & 1 != 0 { _ = try cursor.variableNumber() }
        return try cursor.variableNumber() & 1 != 0
    }
}
