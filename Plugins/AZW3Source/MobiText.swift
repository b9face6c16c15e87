internal import PageModel

/// The text of a book: its documents as one sequence of bytes.
enum MobiText {
    /// The maximum size of a text, above that of any book of images.
    private static let maximumBytes = 64 << 20

    /// - Throws: `.damaged`, `.unsupported`, `.tooLarge`.
    static func bytes(of header: MobiHeader, in database: PalmDatabase) throws(AdapterError) -> [UInt8] {
        guard [1, 2].contains(header.compression) else {
            throw AdapterError(
                .unsupported, "its text has a compression that jisui does not read",
                hint: "use Calibre to convert it to EPUB")
        }
        var text: [UInt8] = []
        for number in 0..<header.textRecordCount {
            let record = try database.record(header.start + 1 + number)
            let part = record.prefix(record.count - trailingCount(of: record, header.trailingFlags))
            if header.compression == 2 { unpack(part, to: &text) } else { text += part }
            guard text.count <= maximumBytes else {
                throw AdapterError(.tooLarge, "its text is longer than \(maximumBytes) bytes")
            }
        }
        return text
    }

    /// Returns the number of bytes after the text of a record.
    private static func trailingCount(of record: [UInt8], _ flags: Int) -> Int {
        var end = record.count
        for bit in stride(from: 15, through: 1, by: -1) where flags & 1 << bit != 0 {
            // The last byte of each entry, read backwards, begins its own length.
            var (count, shift) = (0, 0)
            var place = end
            while place > 0, shift < 28 {
                place -= 1
                count |= Int(record[place] & 0x7F) << shift
                shift += 7
                if record[place] & 0x80 != 0 { break }
            }
            end = max(0, end - count)
        }
        if flags & 1 != 0, end > 0 { end = max(0, end - Int(record[end - 1] & 3) - 1) }
        return record.count - end
    }

    /// Appends a record of text that is compressed as in PalmDOC.
    private static func unpack(_ record: ArraySlice<UInt8>, to text: inout [UInt8]) {
        let start = text.count
        var rest = record
        while let byte = rest.popFirst() {
            switch byte {
            case 1...8:
                text += rest.prefix(Int(byte))
                rest = rest.dropFirst(Int(byte))
            case 0x80...0xBF:
                guard let next = rest.popFirst() else { return }
                let code = Int(byte & 0x3F) << 8 | Int(next)
                let (distance, count) = (code >> 3, code & 7 + 3)
                // Of this record only: another one may be unpacked first.
                guard distance > 0, distance <= text.count - start else { return }
                for _ in 0..<count { text.append(text[text.count - distance]) }
            case 0xC0...0xFF:
                text += [0x20, byte ^ 0x80]
            default:
                text.append(byte)
            }
        }
    }
}
