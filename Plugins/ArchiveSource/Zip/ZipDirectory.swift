internal import AdapterKit
internal import Glibc

/// A zip's table of contents, checked: every entry lies in the file, and no two share a byte.
///
/// The format is PKWARE's APPNOTE.TXT 6.3.10, section 4.3.12.
struct ZipDirectory: Sendable {
    /// The entries in the order of the table.
    let entries: [ZipEntry]
    /// What is wrong with the table although it can be used.
    let diagnostics: [String]

    /// The bytes of an entry's local header without its name and extra field.
    static let localHeaderCount = 30

    /// - Throws: `.damaged` when there is no table, or one that contradicts itself; `.tooLarge` when it has more
    ///   than `limits.entries`; `.unsupported` when it is one of several parts.
    init(of file: ReadableFile, limits: Limits) throws(AdapterError) {
        guard let end = try ZipEnd.find(in: file) else {
            if try file.read(at: 0, upTo: 4) == [0x50, 0x4B, 7, 8] { throw .isPartOfZip }
            throw AdapterError(
                .damaged, "the archive has no table of contents: it ends too early",
                advice: "copy or download it again, or mend it with: zip -FF NAME.zip --out mended.zip")
        }
        // The smallest record takes 46 bytes: no need to read a table that must hold too many.
        guard end.directory.count / 46 <= limits.entries * 64 else { throw .tooManyEntries(limits) }
        let table = try file.read(at: end.directory.lowerBound, exactly: end.directory.count)
        var cursor = ByteCursor(table[...])
        var entries: [ZipEntry] = []
        while cursor.remaining >= 46 {
            guard try Array(cursor.bytes(4)) == ZipEnd.entrySignature else { break }
            guard entries.count < limits.entries else { throw .tooManyEntries(limits) }
            entries.append(try ZipDirectory.entry(&cursor, shift: end.shift))
        }
        self.entries = try ZipDirectory.bounded(entries, by: end.directory.lowerBound)
        let isShort = entries.count & 0xFFFF != end.entryCount & 0xFFFF
        diagnostics =
            isShort
            ? ["its table of contents says it has \(end.entryCount) entries, but lists \(entries.count)"] : []
    }

    /// Reads one record, after its signature.
    private static func entry(_ cursor: inout ByteCursor, shift: Int) throws(AdapterError) -> ZipEntry {
        _ = try cursor.number(1)
        let host = try cursor.number(1)
        _ = try cursor.number(2)
        let flags = try cursor.number(2)
        let method = try cursor.number(2)
        _ = try cursor.number(4)
        let checksum = UInt32(try cursor.number(4))
        let sizes = (compressed: try cursor.number(4), full: try cursor.number(4))
        let counts = (name: try cursor.number(2), extra: try cursor.number(2), comment: try cursor.number(2))
        let disk = try cursor.number(2)
        _ = try cursor.number(2)
        let attributes = try cursor.number(4)
        let offset = try cursor.number(4)
        let name = Array(try cursor.bytes(counts.name))
        let extra = ZipExtra(
            try cursor.bytes(counts.extra), rawName: name,
            saturated: (
                full: sizes.full == 0xFFFF_FFFF, compressed: sizes.compressed == 0xFFFF_FFFF,
                offset: offset == 0xFFFF_FFFF
            ))
        _ = try cursor.bytes(counts.comment)
        guard disk == 0 || disk == 0xFFFF else { throw .isPartOfZip }
        let (place, overflow) = (extra.offset ?? offset).addingReportingOverflow(shift)
        guard !overflow else { throw .reachesOut }
        return ZipEntry(
            name: RawName(
                bytes: name, isFlaggedUTF8: flags & 0x0800 != 0, unicodeName: extra.unicodeName,
                mayHaveBackslashes: [0, 10, 11, 14].contains(host)),
            form: form(name: name, host: host, attributes: attributes),
            method: method == 0 ? .stored : method == 8 ? .deflated : .other(method),
            isEncrypted: flags & 0x0041 != 0, checksum: checksum,
            compressedSize: extra.compressedSize ?? sizes.compressed, size: extra.size ?? sizes.full,
            offset: place, end: place)
    }

    /// What an entry is: by its Unix mode where Unix (3) or macOS (19) made it, by its final slash, else a file.
    private static func form(name: [UInt8], host: Int, attributes: Int) -> EntryForm {
        if name.last == UInt8(ascii: "/") { return .folder }
        return host == 3 || host == 19 ? EntryForm(mode: mode_t(attributes >> 16)) : .file
    }

    /// Gives each entry the place where it must have ended, and refuses entries that share bytes.
    ///
    /// A zip bomb lists one piece of data many times (CVE-2019-13232); no honest zip does.
    private static func bounded(_ entries: [ZipEntry], by limit: Int) throws(AdapterError) -> [ZipEntry] {
        var entries = entries
        var end = limit
        for index in entries.indices.sorted(by: { entries[$0].offset > entries[$1].offset }) {
            let entry = entries[index]
            guard entry.offset <= limit - localHeaderCount else { throw .reachesOut }
            let room = end - entry.offset - localHeaderCount - entry.name.bytes.count
            guard room >= entry.compressedSize else {
                throw end == limit ? .reachesOut : AdapterError(.damaged, "two of the archive's entries overlap")
            }
            entries[index].end = end
            end = entry.offset
        }
        return entries
    }
}

extension AdapterError {
    fileprivate static let reachesOut = AdapterError(.damaged, "an entry of the archive lies outside of it")

    static func tooManyEntries(_ limits: Limits) -> AdapterError {
        AdapterError(.tooLarge, "holds more than \(limits.entries) entries")
    }
}
