package import AdapterKit
package import Files
package import PageModel

/// A reader with random access to a zip archive: it reads the directory at once, and an entry's data on demand.
///
/// The directory is checked: every entry is within the file, and no two share a byte. Any number of tasks may read at
/// once.
package struct ZipReader: Sendable {
    /// The entries in the order of the directory.
    package let entries: [ZipEntry]
    /// The problems of a directory that is still usable.
    package let diagnostics: [Message]

    /// The size of the whole archive.
    package var byteCount: Int { file.size }

    private let file: any RandomAccess
    private let commentPlace: Range<Int>
    private let limits: Limits
    /// The index of the first entry with each name.
    private let places: [[UInt8]: Int]

    /// The maximum ratio of valid data; deflate cannot exceed 1032.
    private static let maximumGrowth = 1000
    /// The number of bytes below which any ratio is allowed, because blank pages compress very well.
    private static let harmlessCount = 10 << 20

    /// Reads the archive's directory.
    ///
    /// - Throws: `.damaged` for a missing or contradictory directory. It is `.tooLarge` for more than `limits.entries`,
    ///   and `.unsupported` for one part of a split archive.
    package init(_ file: any RandomAccess, limits: Limits) throws(AdapterError) {
        let mark = try file.read(at: 0, upTo: 4)
        guard let end = try ZipEnd.find(in: file, everywhere: mark == ZipHeader.localSignature) else {
            if mark == [0x50, 0x4B, 7, 8] { throw .isPartOfZip }
            throw AdapterError(
                .damaged, "the archive has no list of entries: it ends too early", hint: "copy or download it again"
            )
        }
        // A directory that must contain too many entries need not be read.
        guard end.directory.count / ZipHeader.directoryCount <= limits.entries * 64 else {
            throw .tooManyEntries(limits)
        }
        let table = try file.read(at: end.directory.lowerBound, exactly: end.directory.count)
        var cursor = ByteCursor(table[...])
        var entries: [ZipEntry] = []
        while cursor.remaining >= ZipHeader.directoryCount {
            guard try Array(cursor.bytes(4)) == ZipHeader.directorySignature else { break }
            guard entries.count < limits.entries else { throw .tooManyEntries(limits) }
            entries.append(try ZipEntry(readingFrom: &cursor, shift: end.shift, starts: file.starts))
        }
        self.entries = try ZipReader.bounded(entries, by: end.directory.lowerBound)
        let isShort = entries.count & 0xFFFF != end.entryCount & 0xFFFF
        diagnostics =
            isShort
            ? ["the archive states \(end.entryCount) entries, but lists \(entries.count)"] : []
        places = Dictionary(entries.indices.map { (entries[$0].name.bytes, $0) }) { first, _ in first }
        commentPlace = end.comment
        self.file = file
        self.limits = limits
    }

    /// Returns the archive's own comment, which is usually empty.
    ///
    /// - Throws: `.unreadable`.
    package func comment() throws(AdapterError) -> [UInt8] {
        commentPlace.isEmpty ? [] : try file.read(at: commentPlace.lowerBound, exactly: commentPlace.count)
    }

    /// Whether a file ends like a zip archive, regardless of its beginning.
    ///
    /// - Throws: `.unreadable`; `.unsupported` for one part of a split archive.
    package static func isZip(_ file: any RandomAccess) throws(AdapterError) -> Bool {
        try ZipEnd.find(in: file) != nil
    }

    /// Returns the number of parts before a file, if it is the last part of a split zip (`x.z01`, `x.z02`, … `x.zip`).
    ///
    /// - Throws: `.unreadable`, `.damaged`.
    package static func partsBefore(_ file: any RandomAccess) throws(AdapterError) -> Int {
        try ZipEnd.partsBefore(file) ?? 0
    }

    /// Returns the first entry whose name equals that text in UTF-8, byte for byte.
    package func entry(named name: String) -> ZipEntry? {
        places[Array(name.utf8)].map { entries[$0] }
    }

    /// Sets the offset at which each entry must end, and refuses entries that share bytes.
    ///
    /// A zip bomb lists one piece of data many times (CVE-2019-13232); valid zips never do.
    private static func bounded(_ entries: [ZipEntry], by limit: Int) throws(AdapterError) -> [ZipEntry] {
        var entries = entries
        var end = limit
        for index in entries.indices.sorted(by: { entries[$0].offset > entries[$1].offset }) {
            let entry = entries[index]
            guard entry.offset <= limit - ZipHeader.localCount else { throw .reachesOut }
            let room = end - entry.offset - ZipHeader.localCount - entry.name.bytes.count
            guard room >= entry.compressedSize else {
                throw end == limit ? .reachesOut : AdapterError(.damaged, "two of the archive's entries overlap")
            }
            entries[index].end = end
            end = entry.offset
        }
        return entries
    }

    // MARK: Data

    /// Returns bytes of a stored entry from `offset`, at most `count`. They are not checked against the checksum.
    ///
    /// - Parameter place: the place of the data, from `place(ofStored:)`.
    /// - Throws: `.unreadable`.
    func part(of entry: ZipEntry, in place: Int, at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
        let start = min(offset, entry.size)
        return try file.read(at: place + start, exactly: min(count, entry.size - start))
    }

    /// Returns the place of a stored entry's data in the file; nil for an entry that is encrypted or not stored.
    ///
    /// - Throws: as `bytes(of:)`.
    func place(ofStored entry: ZipEntry) throws(AdapterError) -> Int? {
        try checkSizes(of: entry)
        return entry.method == .stored && entry.isPlain ? try dataOffset(of: entry) : nil
    }

    /// Returns the defect of a stored entry, which is read in portions; nil for an intact one.
    ///
    /// - Throws: `.unreadable`.
    func defect(ofStored entry: ZipEntry, in place: Int) throws(AdapterError) -> Message? {
        var (sum, offset): (UInt32, Int) = (0, 0)
        while offset < entry.size {
            let bytes = try part(of: entry, in: place, at: offset, upTo: 1 << 18)
            sum = bytes.withUnsafeBytes { CRC32.of($0, after: sum) }
            offset += bytes.count
        }
        return sum == entry.checksum ? nil : CRC32.mismatch
    }

    /// Returns all of an entry's data, decompressed and checked against its checksum.
    ///
    /// - Throws: `.damaged`. It is `.tooLarge` for more than `limits.entryBytes` or for an excessive ratio, and
    ///   `.unsupported` when the entry is not plain.
    package func bytes(of entry: ZipEntry) throws(AdapterError) -> [UInt8] {
        let (bytes, defect) = try recoverableBytes(of: entry)
        if let defect { throw AdapterError(.damaged, defect) }
        return bytes
    }

    /// Returns all of an entry's data, decompressed as far as possible, and their defect.
    ///
    /// - Throws: as `bytes(of:)`; `.damaged` without any data.
    func recoverableBytes(of entry: ZipEntry) throws(AdapterError) -> (bytes: [UInt8], defect: Message?) {
        try checkSizes(of: entry)
        guard entry.isPlain else {
            throw AdapterError(.unsupported, "uses unsupported encryption or compression")
        }
        var data = try file.read(at: try dataOffset(of: entry), exactly: entry.compressedSize)
        if entry.method == .deflated {
            guard let inflated = Deflate.decompressed(data, to: entry.size) else {
                let damage: Message = "its compressed data is damaged"
                let beginning = DamagedDeflate.beginning(of: data, maximumBytes: entry.size)
                guard !beginning.isEmpty else { throw AdapterError(.damaged, damage) }
                return (beginning, damage)
            }
            data = inflated
        }
        return (data, CRC32.of(data) == entry.checksum ? nil : CRC32.mismatch)
    }

    /// Refuses excessive sizes before any memory is allocated, because the stated sizes may be wrong.
    private func checkSizes(of entry: ZipEntry) throws(AdapterError) {
        guard entry.size <= limits.entryBytes else {
            throw AdapterError(.tooLarge, "its \(entry.size) bytes exceed the limit of \(limits.entryBytes)")
        }
        switch entry.method {
        case .stored:
            guard entry.size == entry.compressedSize else {
                throw AdapterError(.damaged, "the archive states two different sizes for it")
            }
        case .deflated, .other:
            guard
                entry.size <= ZipReader.harmlessCount
                    || entry.size / ZipReader.maximumGrowth <= entry.compressedSize
            else {
                throw AdapterError(
                    .tooLarge, "would expand to more than \(ZipReader.maximumGrowth) times its compressed size")
            }
        }
    }

    /// Returns the offset of the data. Only the local header determines it: its extra field may differ from the
    /// directory's.
    private func dataOffset(of entry: ZipEntry) throws(AdapterError) -> Int {
        let header = try file.read(at: entry.offset, exactly: ZipHeader.localCount)
        guard header.starts(with: ZipHeader.localSignature) else {
            throw AdapterError(.damaged, "the archive contains other data at its position")
        }
        var cursor = ByteCursor(header[26...])
        let start = entry.offset + header.count + (try cursor.number(2)) + (try cursor.number(2))
        guard start <= entry.end, entry.compressedSize <= entry.end - start else {
            throw AdapterError(.damaged, "its data overlaps the next entry")
        }
        return start
    }
}

extension AdapterError {
    package static func tooManyEntries(_ limits: Limits) -> AdapterError {
        AdapterError(.tooLarge, "has more than \(limits.entries) entries")
    }
}
