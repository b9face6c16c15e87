internal import Files
internal import PageModel

/// A database of Palm OS during writing: a header, the offsets of all records, and the records.
struct PalmDatabaseWriter {
    /// The content of a record.
    private enum Record {
        case bytes([UInt8])
        /// A part of the temporary file, after some bytes.
        case spooled([UInt8], KindlePage.Image)

        var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .spooled(let prefix, let image): prefix.count + image.byteCount
            }
        }
    }

    private let title: String
    private var records: [Record] = []

    init(title: String) {
        self.title = title
    }

    /// The number of records so far, which is the number of the next one.
    var count: Int { records.count }

    mutating func add(_ bytes: [UInt8]) { records.append(.bytes(bytes)) }

    mutating func add(_ image: KindlePage.Image, after prefix: [UInt8] = []) {
        records.append(.spooled(prefix, image))
    }

    /// Replaces a record that was added as a placeholder.
    mutating func replace(_ number: Int, by bytes: [UInt8]) { records[number] = .bytes(bytes) }

    // MARK: Limits

    /// Numbers of records have 16 bits.
    private static let maximumRecords = 0xFFFF
    /// Offsets have 32 bits.
    private static let maximumBytes = 0xFFFF_FFFF

    /// - Throws: `.tooLarge` for a book that the format cannot hold.
    static func check(recordCount: Int, byteCount: Int = 0) throws(AdapterError) {
        let hint: Message = "use --pages to make several books"
        guard recordCount <= maximumRecords else {
            throw AdapterError(
                .tooLarge, "AZW3 holds at most \(maximumRecords) records, and the book needs more", hint: hint)
        }
        guard byteCount <= maximumBytes else {
            throw AdapterError(.tooLarge, "AZW3 holds at most 4 GB, and the book needs more", hint: hint)
        }
    }

    // MARK: Writing

    private static let headerCount = 78
    private static let entryCount = 8
    /// The offset of the text's first byte is a multiple of four in files of kindlegen.
    private static let gap: [UInt8] = [0, 0]
    /// The size of the pieces in which images are copied.
    private static let copyStep = 1 << 20

    /// - Throws: `.tooLarge`, `.unwritable`, `.unreadable`.
    func write(to output: OutputFile, from spool: SpoolFile) throws(AdapterError) {
        let table = PalmDatabaseWriter.entryCount * records.count
        var offset = PalmDatabaseWriter.headerCount + table + PalmDatabaseWriter.gap.count
        try PalmDatabaseWriter.check(
            recordCount: records.count, byteCount: offset + records.reduce(0) { $0 + $1.byteCount })
        var head = header
        for (index, record) in records.enumerated() {
            head.append32(offset)
            // The lower three bytes are the record's identifier.
            head.append32(2 * index & 0xFF_FFFF)
            offset += record.byteCount
        }
        try output.write(head + PalmDatabaseWriter.gap)
        for record in records {
            switch record {
            case .bytes(let bytes): try output.write(bytes)
            case .spooled(let prefix, let image):
                if !prefix.isEmpty { try output.write(prefix) }
                for start in stride(from: 0, to: image.byteCount, by: PalmDatabaseWriter.copyStep) {
                    let count = min(PalmDatabaseWriter.copyStep, image.byteCount - start)
                    try output.write(try spool.read(at: image.offset + start, count: count))
                }
            }
        }
    }

    private var header: [UInt8] {
        // The name is for the file system of Palm OS: up to 31 characters of ASCII.
        let name = title.unicodeScalars.map { $0.isASCII && $0.value > 0x20 ? UInt8($0.value) : UInt8(ascii: "_") }
        var bytes = name.prefix(31) + [UInt8](repeating: 0, count: max(1, 32 - name.count))
        bytes.append16(0)
        bytes.append16(0)
        // The time is the same for the same book; the Epoch of these fields is 1970 if their first bit is 0.
        let time = sourceDateEpoch().flatMap { Int($0) }.flatMap { (0...0x7FFF_FFFF).contains($0) ? $0 : nil }
        for _ in 0..<2 { bytes.append32(time ?? 315_532_800) }
        // The last backup, the number of changes, the offsets of unused blocks.
        for _ in 0..<4 { bytes.append32(0) }
        bytes += "BOOKMOBI".utf8
        bytes.append32(2 * records.count - 1)
        bytes.append32(0)
        bytes.append16(records.count)
        return Array(bytes)
    }
}

extension RangeReplaceableCollection<UInt8> {
    /// Appends the lower 16 bits of a number, most significant byte first.
    mutating func append16(_ value: Int) {
        for shift in [8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Appends the lower 32 bits of a number, most significant byte first.
    mutating func append32(_ value: Int) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Appends a number in groups of seven bits, the most significant first; the last has a mark.
    mutating func appendVariable(_ value: Int) {
        var groups = [UInt8(truncatingIfNeeded: value & 0x7F) | 0x80]
        var rest = value >> 7
        while rest > 0 {
            groups.append(UInt8(truncatingIfNeeded: rest & 0x7F))
            rest >>= 7
        }
        append(contentsOf: groups.reversed())
    }

    /// Appends zeros up to a multiple of four bytes.
    mutating func pad4() {
        while !count.isMultiple(of: 4) { append(0) }
    }
}

extension BinaryInteger {
    /// Returns the number with the digits 0-9 and A-V, as KF8 writes it.
    func base32(digits: Int = 1) -> String {
        let text = String(self, radix: 32, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
