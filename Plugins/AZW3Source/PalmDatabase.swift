internal import Files
internal import Imaging
internal import PageModel

/// A database of Palm OS: records of bytes in one file.
struct PalmDatabase: Sendable {
    private static let headerCount = 78
    private static let entryCount = 8
    /// The type and the creator of books of MOBI and KF8.
    static let type = Array("BOOKMOBI".utf8)
    static let typePlace = 60

    private let file: ReadableFile
    /// The offsets of the records, and the end of the file.
    private let offsets: [Int]

    /// - Throws: `.damaged`, `.unreadable`.
    init(_ file: ReadableFile) throws(AdapterError) {
        self.file = file
        let head = ByteReader(try file.read(at: 0, exactly: PalmDatabase.headerCount))
        let count = head.uint16(at: 76) ?? 0
        let table = ByteReader(
            try file.read(at: PalmDatabase.headerCount, exactly: PalmDatabase.entryCount * count))
        var offsets: [Int] = []
        for index in 0..<count {
            let offset = table.uint32(at: PalmDatabase.entryCount * index) ?? 0
            guard offset >= offsets.last ?? PalmDatabase.headerCount else { throw .tornBook }
            offsets.append(offset)
        }
        self.offsets = offsets + [max(file.size, offsets.last ?? 0)]
    }

    var count: Int { offsets.count - 1 }

    /// Whether the last records are missing.
    var isTruncated: Bool { offsets.dropLast().last.map { $0 >= file.size } ?? false }

    /// Returns the length of a record; nil without such a record.
    func byteCount(of number: Int) -> Int? {
        (0..<count).contains(number) ? offsets[number + 1] - offsets[number] : nil
    }

    /// The maximum size of a record of the text, an index or a header, above that of any real one.
    private static let maximumBytes = 16 << 20

    /// Returns a record of the text, an index or a header.
    ///
    /// - Throws: `.damaged` for a missing or truncated record; `.tooLarge`.
    func record(_ number: Int) throws(AdapterError) -> [UInt8] {
        guard byteCount(of: number) ?? 0 <= PalmDatabase.maximumBytes else { throw .tornBook }
        return try bytes(of: number)
    }

    /// Returns the bytes of a record from an offset on. An image has no limit here.
    ///
    /// - Throws: `.damaged` for a missing or truncated record.
    func bytes(of number: Int, from offset: Int = 0) throws(AdapterError) -> [UInt8] {
        guard let size = byteCount(of: number) else { throw .tornBook }
        return try file.read(at: offsets[number] + offset, exactly: size - offset)
    }

    private static let step = 1 << 16

    /// Whether two records are equal from their offsets on; false for one that cannot be read.
    func areEqual(_ one: Int, from place: Int, _ other: Int, from otherPlace: Int) -> Bool {
        guard let size = byteCount(of: one), let otherSize = byteCount(of: other),
            size - place == otherSize - otherPlace
        else { return false }
        for start in stride(from: 0, to: size - place, by: PalmDatabase.step) {
            let count = min(PalmDatabase.step, size - place - start)
            guard let first = try? file.read(at: offsets[one] + place + start, exactly: count),
                let second = try? file.read(at: offsets[other] + otherPlace + start, exactly: count), first == second
            else { return false }
        }
        return true
    }

    /// Returns the first bytes of a record; none without such a record.
    func head(of number: Int, count: Int) throws(AdapterError) -> [UInt8] {
        guard let size = byteCount(of: number) else { return [] }
        return try file.read(at: offsets[number], upTo: min(size, count))
    }

    /// Whether a record begins with a text.
    func record(_ number: Int, beginsWith text: String) throws(AdapterError) -> Bool {
        try head(of: number, count: text.utf8.count).elementsEqual(text.utf8)
    }
}

extension AdapterError {
    /// The error for a book whose records contradict each other.
    static let tornBook = AdapterError(.damaged, "the book's own structure is damaged")
}
