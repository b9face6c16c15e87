/// The data after the text of each record that name the lines of the table of contents in it (TBS).
///
/// Devices find the current line by them. Only those of a table of contents without levels are known well enough to be written.
struct ContentsMarks {
    /// The ranges of the lines in the text, in ascending order.
    private let lines: [Range<Int>]
    /// The first line that ends after the last record.
    private var first = 0

    /// The kind of marks of a book, as in files of calibre and kindlegen.
    private static let kind = 8

    init(lines: [Range<Int>]) {
        self.lines = lines
    }

    /// Returns the data of the next record, which end with their own length.
    ///
    /// - Parameter record: the range of its text.
    mutating func bytes(of record: Range<Int>) -> [UInt8] {
        while first < lines.count, lines[first].upperBound <= record.lowerBound { first += 1 }
        var end = first
        while end < lines.count, lines[end].lowerBound < record.upperBound { end += 1 }
        var bytes: [UInt8] = []
        if end > first {
            let count = end - first
            let spansRecord =
                lines[end - 1].lowerBound < record.lowerBound && lines[end - 1].upperBound > record.upperBound
            bytes.appendVariable(first << 3 | (count > 1 ? 4 : 0) | 2 | (spansRecord ? 1 : 0))
            bytes.appendVariable(ContentsMarks.kind)
            if count > 1 { bytes.append(UInt8(clamping: count)) }
            if spansRecord { bytes.appendVariable(0) }
        }
        return bytes + [UInt8(truncatingIfNeeded: bytes.count + 1) | 0x80]
    }
}
