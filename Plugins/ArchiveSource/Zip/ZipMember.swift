internal import AdapterKit
internal import Imaging

/// A stored or deflated member of a zip, read straight out of the file.
struct ZipMember: MemberContent {
    private let file: ReadableFile
    private let entry: ZipEntry
    private let limits: Limits

    /// Data that grows more than this many times is no picture; deflate cannot exceed 1032.
    private static let greatestGrowth = 1000
    /// Blank pages do grow much; below this many bytes nobody minds.
    private static let harmlessCount = 10 << 20

    init(_ entry: ZipEntry, in file: ReadableFile, limits: Limits) {
        self.file = file
        self.entry = entry
        self.limits = limits
    }

    var byteCount: Int { entry.size }

    /// A stored member's beginning costs one short read; a deflated one has to be decompressed whole, because
    /// libdeflate works on whole members, several times faster than any library that does not.
    func head() throws(AdapterError) -> [UInt8] {
        try checkSizes()
        guard entry.method == .stored else { return try bytes() }
        return try file.read(at: try dataOffset(), exactly: min(PictureHeader.headCount, entry.size))
    }

    func bytes() throws(AdapterError) -> [UInt8] {
        try checkSizes()
        var data = try file.read(at: try dataOffset(), exactly: entry.compressedSize)
        if entry.method == .deflated {
            guard let inflater = Inflater(), let inflated = inflater.inflate(data, to: entry.size) else {
                throw AdapterError(.damaged, "its compressed data is damaged")
            }
            data = inflated
        }
        guard checksum(of: data) == entry.checksum else { throw AdapterError(.damaged, "its checksum is wrong") }
        return data
    }

    /// Sizes are claims: refuses the absurd ones before any memory is taken.
    private func checkSizes() throws(AdapterError) {
        guard entry.size <= limits.entryBytes else {
            throw AdapterError(.tooLarge, "its \(entry.size) bytes are more than the \(limits.entryBytes) allowed")
        }
        switch entry.method {
        case .stored:
            guard entry.size == entry.compressedSize else {
                throw AdapterError(.damaged, "the archive gives it two different sizes")
            }
        case .deflated, .other:
            guard
                entry.size <= ZipMember.harmlessCount
                    || entry.size / ZipMember.greatestGrowth <= entry.compressedSize
            else {
                throw AdapterError(
                    .tooLarge, "would grow more than \(ZipMember.greatestGrowth) times when decompressed")
            }
        }
    }

    /// Where the data begins. Only the local header knows: its extra field may differ from that in the table.
    private func dataOffset() throws(AdapterError) -> Int {
        let header = try file.read(at: entry.offset, exactly: ZipDirectory.localHeaderCount)
        guard header.starts(with: [0x50, 0x4B, 3, 4]) else {
            throw AdapterError(.damaged, "the archive has something else in its place")
        }
        var cursor = ByteCursor(header[26...])
        let start = entry.offset + header.count + (try cursor.number(2)) + (try cursor.number(2))
        guard start <= entry.end, entry.compressedSize <= entry.end - start else {
            throw AdapterError(.damaged, "its data reaches into that of the next entry")
        }
        return start
    }
}
