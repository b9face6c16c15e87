/// An index of a KF8: a record that describes its entries, records of entries, and records of texts (CNCX).
struct KindleIndex {
    /// A kind of value that entries have (TAGX).
    struct Tag {
        let number: UInt8
        /// The values of an entry.
        var valueCount: UInt8 = 1
        /// The bits of an entry's control byte that count them.
        let mask: UInt8
    }

    /// Records of at most 64 KB, because their offsets have 16 bits.
    private static let maximumRecordBytes = 60_000
    /// A text must fit into a record.
    private static let maximumLetters = 1000
    private static let headerCount = 192

    private let tags: [Tag]
    private var entries: [(label: [UInt8], bytes: [UInt8])] = []
    private var texts: [[UInt8]] = []

    init(_ tags: [Tag]) {
        self.tags = tags
    }

    /// Adds an entry. Labels must ascend.
    mutating func add(_ label: String, control: UInt8, _ values: [Int]) {
        var bytes = [control]
        for value in values { bytes.appendVariable(value) }
        entries.append((Array(label.utf8), bytes))
    }

    /// Adds a text and returns its number, to which a value refers.
    mutating func add(text: String) -> Int {
        var bytes: [UInt8] = []
        let utf8 = Array(String(String.UnicodeScalarView(text.unicodeScalars.prefix(KindleIndex.maximumLetters))).utf8)
        bytes.appendVariable(utf8.count)
        bytes += utf8
        if texts.isEmpty || texts[texts.count - 1].count + bytes.count > KindleIndex.maximumRecordBytes {
            texts.append([])
        }
        let last = texts.count - 1
        defer { texts[last] += bytes }
        return last << 16 | texts[last].count
    }

    /// The records, the description first.
    var records: [[UInt8]] {
        var groups: [[(label: [UInt8], bytes: [UInt8])]] = [[]]
        var count = 0
        for entry in entries {
            let size = 3 + entry.label.count + entry.bytes.count
            if count + size > KindleIndex.maximumRecordBytes {
                groups.append([])
                count = 0
            }
            groups[groups.count - 1].append(entry)
            count += size
        }
        let lasts = groups.map { group in
            var bytes: [UInt8] = []
            bytes.append16(group.count)
            return (label: group.last?.label ?? [], bytes: bytes)
        }
        let described = record(lasts, isDescription: true)
        return [described] + groups.map { record($0, isDescription: false) }
            + texts.map { text in
                var text = text
                text.pad4()
                return text
            }
    }

    private func record(_ entries: [(label: [UInt8], bytes: [UInt8])], isDescription: Bool) -> [UInt8] {
        var body = isDescription ? description : []
        var offsets: [Int] = []
        for entry in entries {
            offsets.append(KindleIndex.headerCount + body.count)
            body.append(UInt8(truncatingIfNeeded: entry.label.count))
            body += entry.label + entry.bytes
        }
        body.pad4()
        var header = Array("INDX".utf8)
        let unknown = 0xFFFF_FFFF
        let words = [
            KindleIndex.headerCount, 0, isDescription ? 0 : 1, isDescription ? 2 : 0,
            KindleIndex.headerCount + body.count, entries.count, isDescription ? 65001 : unknown, unknown,
            isDescription ? self.entries.count : 0, 0, 0, 0, isDescription ? texts.count : 0,
        ]
        for word in words { header.append32(word) }
        header += [UInt8](repeating: 0, count: 124)
        header.append32(isDescription ? KindleIndex.headerCount : 0)
        header += [UInt8](repeating: 0, count: 8)
        var record = header + body + Array("IDXT".utf8)
        for offset in offsets { record.append16(offset) }
        record.pad4()
        return record
    }

    /// The description of the values (TAGX).
    private var description: [UInt8] {
        var bytes = Array("TAGX".utf8)
        bytes.append32(12 + 4 * (tags.count + 1))
        // The number of control bytes of an entry.
        bytes.append32(1)
        for tag in tags { bytes += [tag.number, tag.valueCount, tag.mask, 0] }
        return bytes + [0, 0, 0, 1]
    }
}
