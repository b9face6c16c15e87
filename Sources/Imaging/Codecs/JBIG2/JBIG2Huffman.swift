/// A reader of bits, the most significant one of each byte first.
struct JBIG2BitReader {
    let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound * 8, range.upperBound * 8)
    }

    /// The range of the bytes that are not read yet.
    var rest: Range<Int> { (position + 7) / 8..<end / 8 }

    mutating func bit() throws(PictureFault) -> Int {
        guard position < end else { throw .brokenJBIG2 }
        defer { position += 1 }
        return Int(bytes[position / 8] >> UInt8(7 - position % 8)) & 1
    }

    mutating func bits(_ count: Int) throws(PictureFault) -> Int {
        var value = 0
        for _ in 0..<count { value = value << 1 | (try bit()) }
        return value
    }

    /// Goes to the next whole byte.
    mutating func align() { position = (position + 7) / 8 * 8 }

    mutating func skip(bytes count: Int) throws(PictureFault) {
        guard count >= 0, count <= (end - position) / 8 else { throw .brokenJBIG2 }
        position += 8 * count
    }
}

/// A table of Huffman codes for integers (ITU-T T.88, annex B).
struct JBIG2HuffmanTable {
    /// A range of integers with one code.
    struct Line {
        enum Kind { case range, downwards, outOfBand }
        var kind = Kind.range
        /// The first integer of the range; the last one for a range that goes downwards.
        let first: Int
        let codeLength: Int
        /// The number of bits that follow the code.
        let rangeLength: Int
    }

    private let lines: [Line]
    /// For each length of codes: the first code, and the lines in their order.
    private let codes: [(first: Int, lines: [Int])]

    /// Assigns the codes (B.3).
    init(_ lines: [Line]) throws(PictureFault) {
        self.lines = lines
        let longest = lines.map(\.codeLength).max() ?? 0
        guard longest <= 48 else { throw .brokenJBIG2 }
        var byLength = [[Int]](repeating: [], count: longest + 1)
        for (index, line) in lines.enumerated() where line.codeLength > 0 { byLength[line.codeLength].append(index) }
        var (codes, first): ([(Int, [Int])], Int) = ([(0, [])], 0)
        for length in byLength.indices.dropFirst() {
            first = (first + codes[length - 1].1.count) << 1
            codes.append((first, byLength[length]))
        }
        self.codes = codes
    }

    /// Decodes an integer; nil for the end of a line ("out of band").
    func integer(_ reader: inout JBIG2BitReader) throws(PictureFault) -> Int? {
        // A single range without a code.
        if codes.count == 1, let only = lines.first, lines.count == 1 {
            return only.first + (try reader.bits(only.rangeLength))
        }
        var code = 0
        for (first, lines) in codes.dropFirst() {
            code = code << 1 | (try reader.bit())
            guard code >= first, code - first < lines.count else { continue }
            let line = self.lines[lines[code - first]]
            let offset = try reader.bits(line.rangeLength)
            switch line.kind {
            case .range: return line.first + offset
            case .downwards: return line.first - offset
            case .outOfBand: return nil
            }
        }
        throw .brokenJBIG2
    }

    /// Reads a table from a segment (B.2).
    init(segment: ByteReader) throws(PictureFault) {
        guard let flags = segment.uint8(at: 0), let low = segment.int32(at: 1), let high = segment.int32(at: 5) else {
            throw .brokenJBIG2
        }
        let bytes = segment.array
        var reader = JBIG2BitReader(bytes, 9..<bytes.count)
        let (codeBits, rangeBits) = (flags >> 1 & 7 + 1, flags >> 4 & 7 + 1)
        var (lines, first): ([Line], Int) = ([], low)
        while first < high {
            let line = Line(
                first: first, codeLength: try reader.bits(codeBits), rangeLength: try reader.bits(rangeBits))
            guard line.rangeLength <= 32 else { throw .brokenJBIG2 }
            lines.append(line)
            first += 1 << line.rangeLength
        }
        lines.append(Line(kind: .downwards, first: low - 1, codeLength: try reader.bits(codeBits), rangeLength: 32))
        lines.append(Line(first: first, codeLength: try reader.bits(codeBits), rangeLength: 32))
        if flags & 1 == 1 {
            lines.append(Line(kind: .outOfBand, first: 0, codeLength: try reader.bits(codeBits), rangeLength: 0))
        }
        try self.init(lines)
    }

    /// Makes a table of numbers from 0 with codes of these lengths.
    init(lengths: [Int]) throws(PictureFault) {
        try self.init(lengths.enumerated().map { Line(first: $0.offset, codeLength: $0.element, rangeLength: 0) })
    }

    /// Returns one of the standard tables, B.1 to B.15.
    static func standard(_ number: Int) throws(PictureFault) -> JBIG2HuffmanTable {
        let table = standardTables[number - 1]
        var lines = table.ranges.map { Line(first: $0[0], codeLength: $0[1], rangeLength: $0[2]) }
        if let below = table.below {
            lines.append(Line(kind: .downwards, first: below[0], codeLength: below[1], rangeLength: 32))
        }
        if let above = table.above { lines.append(Line(first: above[0], codeLength: above[1], rangeLength: 32)) }
        if let length = table.outOfBand {
            lines.append(Line(kind: .outOfBand, first: 0, codeLength: length, rangeLength: 0))
        }
        return try JBIG2HuffmanTable(lines)
    }
}
