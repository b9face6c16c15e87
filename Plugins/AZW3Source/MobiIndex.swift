internal import Imaging
internal import PageModel

/// An index of a book (INDX): entries with values, and the texts to which some of these refer.
struct MobiIndex {
    /// The values of an entry by the numbers of their kinds.
    typealias Entry = [Int: [Int]]

    private(set) var entries: [Entry] = []
    private var texts: [ByteReader] = []

    /// A kind of value (TAGX).
    private struct Tag {
        let number: Int
        let valueCount: Int
        let mask: Int
        /// Whether it ends the tags of a control byte.
        let isEnd: Bool
    }

    /// - Parameter number: the record that describes the index.
    /// - Throws: `.damaged`.
    init(_ database: PalmDatabase, at number: Int) throws(AdapterError) {
        let head = ByteReader(try database.record(number))
        guard head.has("INDX"), let tagPlace = head.uint32(at: 4), let recordCount = head.uint32(at: 24),
            let textCount = head.uint32(at: 52), recordCount + textCount < database.count,
            let tagHead = head.part(from: tagPlace), tagHead.has("TAGX"), let tagEnd = tagHead.uint32(at: 4),
            let controlCount = tagHead.uint32(at: 8), let tagBytes = tagHead.part(at: 12, count: tagEnd - 12)
        else { throw .tornBook }
        let tags = stride(from: 0, to: tagBytes.count - 3, by: 4).map { place in
            let parts = (0..<4).map { tagBytes.uint8(at: place + $0) ?? 0 }
            return Tag(number: parts[0], valueCount: parts[1], mask: parts[2], isEnd: parts[3] == 1)
        }
        for index in 1...max(1, recordCount) where index <= recordCount {
            try read(ByteReader(try database.record(number + index)), tags, controlCount: controlCount)
        }
        for index in 0..<textCount {
            texts.append(ByteReader(try database.record(number + 1 + recordCount + index)))
        }
    }

    /// Returns the text of a value.
    func text(_ reference: Int) -> String? {
        let number = reference >> 16
        guard texts.indices.contains(number) else { return nil }
        var place = reference & 0xFFFF
        guard let count = MobiIndex.number(in: texts[number], at: &place) else { return nil }
        return texts[number].part(at: place, count: count).map { String(decoding: $0.array, as: UTF8.self) }
    }

    /// Reads a record of entries.
    private mutating func read(_ record: ByteReader, _ tags: [Tag], controlCount: Int) throws(AdapterError) {
        guard record.has("INDX"), let table = record.uint32(at: 20), let count = record.uint32(at: 24),
            record.has("IDXT", at: table)
        else { throw .tornBook }
        var last = 0
        for index in 0..<count {
            guard let start = record.uint16(at: table + 4 + 2 * index) else { throw .tornBook }
            let end = index + 1 < count ? record.uint16(at: table + 6 + 2 * index) ?? table : table
            // Entries in ascending order take no longer than the record.
            guard start > last, let bytes = record.part(at: start, count: end - start) else { throw .tornBook }
            last = start
            entries.append(MobiIndex.entry(bytes, tags, controlCount: controlCount))
        }
    }

    private static func entry(_ bytes: ByteReader, _ tags: [Tag], controlCount: Int) -> Entry {
        var control = 1 + (bytes.uint8(at: 0) ?? 0)
        var place = control + controlCount
        // The counts of values come first, then all values. Those with a length have it instead of a count.
        var found: [(tag: Tag, count: Int?, byteCount: Int)] = []
        for tag in tags {
            if tag.isEnd {
                control += 1
                continue
            }
            let value = (bytes.uint8(at: control) ?? 0) & tag.mask
            guard value != 0, tag.mask != 0 else { continue }
            if value == tag.mask, tag.mask.nonzeroBitCount > 1 {
                guard let length = number(in: bytes, at: &place) else { break }
                found.append((tag, nil, length))
            } else {
                found.append((tag, value >> tag.mask.trailingZeroBitCount, 0))
            }
        }
        var entry: Entry = [:]
        for (tag, count, byteCount) in found {
            var values: [Int] = []
            let end = place + byteCount
            while count.map({ values.count < $0 * tag.valueCount }) ?? (place < end) {
                guard let value = number(in: bytes, at: &place) else { return entry }
                values.append(value)
            }
            entry[tag.number] = values
        }
        return entry
    }

    /// Reads a number in groups of seven bits; the last has a mark.
    private static func number(in bytes: ByteReader, at place: inout Int) -> Int? {
        var value = 0
        for _ in 0..<5 {
            guard let byte = bytes.uint8(at: place) else { return nil }
            place += 1
            value = value << 7 | byte & 0x7F
            if byte & 0x80 != 0 { return value }
        }
        return nil
    }
}
