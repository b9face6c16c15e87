internal import PageModel

/// A strict reader of a progressive JPEG with Huffman codes (ITU-T T.81, annex G). It looks for coded data that does not fit its
/// blocks. libjpeg notices only a part of it. The reader keeps no values.
struct ProgressiveCheck {
    /// The parameters of a scan: some bits of some coefficients.
    private struct Scan {
        /// The places of its components in the image, and for each the number of its table.
        let components: [(place: Int, table: Int)]
        let coefficients: ClosedRange<Int>
        /// Whether no bit of the coefficients is known yet, and the number of bits that remain unknown.
        let isFirst: Bool
        let low: Int
    }

    /// More scans than programs write.
    private static let maximumScans = 64
    /// The most bits of a coefficient in an image of 8 bits (table F.2).
    private static let maximumBits = 10
    private static let (differences, coefficients) = (0, 0x10)

    private var components: [JPEGHeader.Component]
    private let size: PixelSize
    private let grid: PixelSize
    private var codes: [Int: JPEGCode] = [:]
    /// For each component, the coefficients of each block that are not zero, in rows of whole MCUs.
    private var nonzero: [[UInt64]]

    /// Checks a file. Other kinds of JPEGs, and those with restart markers, are not checked.
    static func check(_ file: [UInt8]) throws(ScanReader.Fault) {
        guard let header = JPEGHeader(file), header.frame == .progressive, header.restartInterval == nil,
            let size = header.size, let grid = header.grid
        else { return }
        var check = ProgressiveCheck(header.components, size, grid)
        var place = 2
        for _ in 0..<maximumScans {
            var scan: Scan?
            for segment in JPEGSegments(ByteReader(file), from: place) {
                place = segment.offset + 4 + segment.contents.count
                switch segment.marker {
                case 0xC4: if !SequentialScan.read(segment.contents, into: &check.codes) { return }
                case 0xDA: scan = check.scan(segment.contents)
                default: break
                }
            }
            guard let scan, let data = CodedData(file, from: place) else { return }
            try check.read(scan, data)
            place = data.marker
            if file[place + 1] == 0xD9 { return }
        }
    }

    private init(_ components: [JPEGHeader.Component], _ size: PixelSize, _ grid: PixelSize) {
        (self.size, self.grid) = (size, grid)
        self.components = components
        // A single component is stored block by block, regardless of its factors (A.2.2).
        if components.count == 1 { (self.components[0].horizontal, self.components[0].vertical) = (1, 1) }
        let mcus = (size.width / grid.width + 1) * (size.height / grid.height + 1)
        nonzero = self.components.map { [UInt64](repeating: 0, count: mcus * $0.horizontal * $0.vertical) }
    }

    /// Reads the header of a scan (B.2.3); nil if it is invalid, or not of a progressive JPEG.
    private func scan(_ header: ByteReader) -> Scan? {
        guard let count = header.uint8(at: 0), count > 0, header.count == 4 + 2 * count,
            let first = header.uint8(at: 1 + 2 * count), let last = header.uint8(at: 2 + 2 * count),
            let bits = header.uint8(at: 3 + 2 * count), last <= 63, first == 0 ? last == 0 : first <= last && count == 1
        else { return nil }
        let found = (0..<count).compactMap { index -> (place: Int, table: Int)? in
            guard let id = header.uint8(at: 1 + 2 * index), let tables = header.uint8(at: 2 + 2 * index) else {
                return nil
            }
            return components.firstIndex { $0.id == id }.map {
                ($0, first == 0 ? tables >> 4 : ProgressiveCheck.coefficients | tables & 15)
            }
        }
        guard found.count == count else { return nil }
        return Scan(components: found, coefficients: first...last, isFirst: bits >> 4 == 0, low: bits & 15)
    }

    private mutating func read(_ scan: Scan, _ data: CodedData) throws(ScanReader.Fault) {
        let place = try data.bytes.withUnsafeBufferPointer { bytes throws(ScanReader.Fault) in
            guard let base = bytes.baseAddress else { throw ScanReader.Fault() }
            var cursor = BitCursor(UnsafeRawPointer(base))
            let limit = data.ends[0] + 8
            if scan.coefficients.lowerBound == 0 {
                try readDifferences(scan, &cursor, limit)
            } else {
                try readCoefficients(scan, &cursor, limit)
            }
            return cursor.place
        }
        // Damage shows at the end, if at all: codes soon resynchronize, but with a different count.
        guard (place + 7) / 8 == data.ends[0] else { throw ScanReader.Fault() }
    }

    private func symbol(_ table: Int, _ cursor: inout BitCursor) throws(ScanReader.Fault) -> Int {
        cursor.refill()
        guard let word = codes[table]?.word(at: cursor.peek(JPEGCode.maximumBits)) else { throw ScanReader.Fault() }
        cursor.skip(word.length)
        return word.symbol
    }

    /// The blocks of a component across and down. A component alone is stored block by block (A.2.2).
    private func blocks(of component: JPEGHeader.Component) -> PixelSize {
        func count(_ length: Int, _ factor: Int, _ unit: Int) -> Int { (length * factor + unit - 1) / unit }
        return PixelSize(
            width: count(size.width, component.horizontal, grid.width),
            height: count(size.height, component.vertical, grid.height))
    }

    private func readDifferences(_ scan: Scan, _ cursor: inout BitCursor, _ limit: Int) throws(ScanReader.Fault) {
        let isAlone = scan.components.count == 1
        let mcus = PixelSize(
            width: (size.width + grid.width - 1) / grid.width, height: (size.height + grid.height - 1) / grid.height)
        let count = isAlone ? blocks(of: components[scan.components[0].place]).area : mcus.area
        for _ in 0..<count {
            for (place, table) in scan.components {
                for _ in 0..<(isAlone ? 1 : components[place].horizontal * components[place].vertical) {
                    var bits = 1
                    if scan.isFirst {
                        bits = try symbol(table, &cursor)
                        guard bits <= BlockTables.maximumDifference else { throw ScanReader.Fault() }
                    } else {
                        cursor.refill()
                    }
                    cursor.skip(bits)
                }
            }
            guard cursor.bytePlace <= limit else { throw ScanReader.Fault() }
        }
    }

    private mutating func readCoefficients(
        _ scan: Scan, _ cursor: inout BitCursor, _ limit: Int
    ) throws(ScanReader.Fault) {
        let (place, table) = scan.components[0]
        // The number of blocks whose rest is blank, from the current one on.
        var run = 0
        for block in 0..<blocks(of: components[place]).area {
            var known = nonzero[place][block]
            if scan.isFirst {
                try readFirst(scan, table, &cursor, &run, &known)
            } else {
                try readLater(scan, table, &cursor, &run, &known)
            }
            nonzero[place][block] = known
            guard cursor.bytePlace <= limit else { throw ScanReader.Fault() }
        }
        guard run == 0 else { throw ScanReader.Fault() }
    }

    /// Reads a block whose coefficients are all unknown (G.1.2.2).
    private func readFirst(
        _ scan: Scan, _ table: Int, _ cursor: inout BitCursor, _ run: inout Int, _ known: inout UInt64
    ) throws(ScanReader.Fault) {
        var place = scan.coefficients.lowerBound
        while run == 0, place <= scan.coefficients.upperBound {
            let symbol = try symbol(table, &cursor)
            let size = symbol & 15
            if size == 0, symbol != 0xF0 {
                run = ProgressiveCheck.run(symbol, &cursor)
                break
            }
            place += symbol >> 4
            if size > 0 {
                guard place <= scan.coefficients.upperBound, size + scan.low <= ProgressiveCheck.maximumBits else {
                    throw ScanReader.Fault()
                }
                cursor.skip(size)
                known |= 1 << UInt64(place)
            }
            place += 1
        }
        // Zeros beyond the last coefficient are damage that not all decoders report.
        guard place <= scan.coefficients.upperBound + 1 else { throw ScanReader.Fault() }
        run = max(0, run - 1)
    }

    /// Reads a block of whose coefficients only low bits are unknown (G.1.2.3).
    private func readLater(
        _ scan: Scan, _ table: Int, _ cursor: inout BitCursor, _ run: inout Int, _ known: inout UInt64
    ) throws(ScanReader.Fault) {
        var place = scan.coefficients.lowerBound
        let all = UInt64.max >> UInt64(63 - scan.coefficients.upperBound)
        var found: UInt64 = 0
        while run == 0, place <= scan.coefficients.upperBound {
            let symbol = try symbol(table, &cursor)
            if symbol & 15 == 0, symbol != 0xF0 {
                run = ProgressiveCheck.run(symbol, &cursor)
                break
            }
            guard symbol & 15 <= 1 else { throw ScanReader.Fault() }
            cursor.skip(symbol & 15)
            // The symbol passes that many zeros, and the coefficients between them get a bit each.
            let rest = all & UInt64.max << UInt64(place)
            var zeros = ~known & rest
            for _ in 0..<symbol >> 4 { zeros &= zeros &- 1 }
            guard zeros != 0 else { throw ScanReader.Fault() }
            place = zeros.trailingZeroBitCount
            skipBits(of: known & rest & (1 << UInt64(place) - 1), &cursor)
            if symbol & 15 == 1 { found |= 1 << UInt64(place) }
            place += 1
        }
        if run > 0 {
            skipBits(of: known & all & UInt64.max << UInt64(place), &cursor)
            run -= 1
        }
        known |= found
    }

    /// Skips a bit of each coefficient of a mask.
    private func skipBits(of mask: UInt64, _ cursor: inout BitCursor) {
        for _ in 0..<mask.nonzeroBitCount {
            cursor.refill()
            cursor.skip(1)
        }
    }

    /// Reads the number of blocks that a symbol ends (G.1.2.2).
    private static func run(_ symbol: Int, _ cursor: inout BitCursor) -> Int {
        let size = symbol >> 4
        defer { cursor.skip(size) }
        return 1 << size + (size > 0 ? cursor.peek(size) : 0)
    }
}
