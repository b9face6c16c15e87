internal import PageModel

/// A reader of a progressive scan, block by block. It keeps coefficients only where `CoefficientRows` keep them.
struct ProgressiveReader {
    private let scan: ProgressiveScan
    /// For each code, `BlockTables.symbolEntries`.
    private let tables: UnsafePointer<UInt16>
    private var cursor: BitCursor
    /// The offset beyond which damaged data ended too early.
    private let limit: Int
    private var run = RowStart.Run()
    private var rare: RareSymbols

    /// The most bits of a coefficient in an image of 8 bits (table F.2).
    private static let mostBits = 10

    /// Reads a scan.
    ///
    /// - Parameters:
    ///   - rows: for each component of the image, its coefficients as the scans before left them.
    static func read(
        _ scan: ProgressiveScan, of image: SequentialScan, into rows: inout [CoefficientRows]
    ) throws(ScanWalk.Fault) -> ReadScan {
        // Single bits need no table, but an address.
        let tables = scan.codes.flatMap(BlockTables.symbolEntries) + [0]
        return try scan.data.bytes.withUnsafeBufferPointer { bytes throws(ScanWalk.Fault) in
            try tables.withUnsafeBufferPointer { tables throws(ScanWalk.Fault) in
                guard let base = bytes.baseAddress, let tables = tables.baseAddress else { throw ScanWalk.Fault() }
                var reader = ProgressiveReader(scan, UnsafeRawPointer(base), tables)
                let starts = try reader.read(image, into: &rows)
                guard let end = starts.last, end.run.left == 0, (end.place + 7) / 8 == scan.data.ends[0] else {
                    throw ScanWalk.Fault()
                }
                return ReadScan(scan: scan, starts: starts, rare: reader.rare)
            }
        }
    }

    private init(_ scan: ProgressiveScan, _ base: UnsafeRawPointer, _ tables: UnsafePointer<UInt16>) {
        self.scan = scan
        self.tables = tables
        cursor = BitCursor(base)
        limit = scan.data.ends[0] + 8
        rare = RareSymbols(byteCount: scan.data.ends[0])
    }

    private mutating func read(
        _ image: SequentialScan, into rows: inout [CoefficientRows]
    ) throws(ScanWalk.Fault) -> [RowStart] {
        guard scan.frequencies.lowerBound > 0 else { return try readDifferences(of: image, into: &rows) }
        return try readCoefficients(scan.size(of: image), into: &rows[scan.components[0]])
    }

    /// Reads a symbol. At least 40 bits remain for what follows.
    @inline(__always)
    private mutating func symbol(_ number: Int, at cursor: inout BitCursor) throws(ScanWalk.Fault) -> Int {
        cursor.refill()
        let entry = Int(tables[number &<< BlockTables.bits &+ cursor.peek(BlockTables.bits)])
        if entry != 0 {
            cursor.skip(entry & 31)
            return entry >> 5
        }
        return try rareSymbol(number, at: &cursor)
    }

    @inline(never)
    private mutating func rareSymbol(_ number: Int, at cursor: inout BitCursor) throws(ScanWalk.Fault) -> Int {
        guard let word = scan.codes[number].word(at: cursor.peek(JPEGCode.maximumBits)) else { throw ScanWalk.Fault() }
        rare.take(word.symbol, 0, 0, table: number * SymbolTables.size, at: cursor.place)
        cursor.skip(word.length)
        return word.symbol
    }

    /// Reads bits that are ready.
    @inline(__always)
    private static func bits(_ count: Int, at cursor: inout BitCursor) -> Int {
        guard count > 0 else { return 0 }
        let bits = cursor.peek(count)
        cursor.skip(count)
        return bits
    }
}

// MARK: First coefficients

extension ProgressiveReader {
    private mutating func readDifferences(
        of image: SequentialScan, into rows: inout [CoefficientRows]
    ) throws(ScanWalk.Fault) -> [RowStart] {
        let (units, size) = (scan.units(of: image), scan.size(of: image))
        var (starts, averages) = ([RowStart](), units.map { _ in 0 })
        for row in 0..<size.height {
            starts.append(RowStart(place: cursor.place, run: run, averages: averages))
            for column in 0..<size.width {
                for (place, unit) in units.enumerated() {
                    for block in 0..<unit.across * unit.down {
                        let (y, x) = block.quotientAndRemainder(dividingBy: unit.across)
                        let start = rows[unit.component].start(
                            row: row * unit.down + y, column: column * unit.across + x)
                        try readFirst(place, into: &rows[unit.component].values, at: start, &averages[place])
                    }
                }
                guard cursor.bytePlace <= limit else { throw ScanWalk.Fault() }
            }
        }
        return starts + [RowStart(place: cursor.place, run: run, averages: averages)]
    }

    @inline(__always)
    private mutating func readFirst(
        _ component: Int, into values: inout [Int16], at place: Int?, _ average: inout Int
    ) throws(ScanWalk.Fault) {
        // In registers only as long as it is a local copy.
        var cursor = cursor
        defer { self.cursor = cursor }
        guard scan.kind == .firstDifferences else {
            cursor.refill()
            let bit = ProgressiveReader.bits(1, at: &cursor)
            // Of a negative number, too: low bits are missing in two's complement.
            if let place { values[place] |= Int16(bit) << Int16(scan.low) }
            return
        }
        let size = try symbol(scan.codePlaces[component], at: &cursor)
        guard size <= BlockTables.maximumDifference else { throw ScanWalk.Fault() }
        average += JPEGCode.value(ofBits: ProgressiveReader.bits(size, at: &cursor), size)
        guard let value = Int16(exactly: average << scan.low) else { throw ScanWalk.Fault() }
        if let place { values[place] = value }
    }
}

// MARK: Other coefficients

extension ProgressiveReader {
    /// Reads a scan of a component with that many blocks.
    private mutating func readCoefficients(
        _ size: PixelSize, into rows: inout CoefficientRows
    ) throws(ScanWalk.Fault) -> [RowStart] {
        var starts: [RowStart] = []
        // Both are changed at once.
        var nonzero = [UInt64]()
        swap(&nonzero, &rows.nonzero)
        defer { swap(&nonzero, &rows.nonzero) }
        let (columns, places) = (rows.columns, rows.starts)
        try nonzero.withUnsafeMutableBufferPointer { nonzero throws(ScanWalk.Fault) in
            try rows.values.withUnsafeMutableBufferPointer { values throws(ScanWalk.Fault) in
                guard let nonzero = nonzero.baseAddress else { throw ScanWalk.Fault() }
                for row in 0..<size.height {
                    starts.append(RowStart(place: cursor.place, run: run, averages: []))
                    let kept = places[row] >= 0 ? values.baseAddress.map { $0 + places[row] } : nil
                    if scan.kind == .firstCoefficients {
                        try readFirstRow(size.width, nonzero + row * columns, kept)
                    } else {
                        try readLaterRow(size.width, nonzero + row * columns, kept)
                    }
                }
            }
        }
        return starts + [RowStart(place: cursor.place, run: run, averages: [])]
    }

    /// Reads a row of blocks whose coefficients are all unknown (G.1.2.2).
    private mutating func readFirstRow(
        _ columns: Int, _ nonzero: UnsafeMutablePointer<UInt64>, _ kept: UnsafeMutablePointer<Int16>?
    ) throws(ScanWalk.Fault) {
        var (cursor, run) = (cursor, run)
        let (last, low) = (scan.frequencies.upperBound, scan.low)
        var column = 0
        while column < columns {
            if run.left > 0 {
                let count = min(run.left, columns &- column)
                run.left &-= count
                column &+= count
                continue
            }
            var (place, known) = (scan.frequencies.lowerBound, nonzero[column])
            while place <= last {
                let start = cursor.place
                let symbol = try symbol(0, at: &cursor)
                let size = symbol & 15
                guard size > 0 else {
                    guard symbol != 0xF0 else {
                        place &+= 16
                        continue
                    }
                    run = ProgressiveReader.run(symbol, from: start, at: &cursor)
                    break
                }
                place &+= symbol &>> 4
                guard place <= last, size &+ low <= ProgressiveReader.mostBits else { throw ScanWalk.Fault() }
                let value = JPEGCode.value(ofBits: ProgressiveReader.bits(size, at: &cursor), size)
                known |= 1 &<< UInt64(place)
                if let kept { kept[column &* 64 &+ place] = Int16(truncatingIfNeeded: value &<< low) }
                place &+= 1
            }
            // Sixteen zeros beyond the last coefficient are damage that not all decoders report.
            guard place <= last &+ 1, cursor.bytePlace <= limit else { throw ScanWalk.Fault() }
            nonzero[column] = known
            column &+= 1
        }
        (self.cursor, self.run) = (cursor, run)
    }

    /// Returns the run of blocks that begins with the current one.
    @inline(__always)
    private static func run(_ symbol: Int, from place: Int, at cursor: inout BitCursor) -> RowStart.Run {
        let size = symbol &>> 4
        let length = 1 &<< size &+ ProgressiveReader.bits(size, at: &cursor)
        return RowStart.Run(place: place, bits: cursor.place, length: length, left: length &- 1)
    }

    /// Reads a row of blocks of whose coefficients only low bits are unknown (G.1.2.3).
    private mutating func readLaterRow(
        _ columns: Int, _ nonzero: UnsafeMutablePointer<UInt64>, _ kept: UnsafeMutablePointer<Int16>?
    ) throws(ScanWalk.Fault) {
        var (cursor, run) = (cursor, run)
        let (first, last) = (scan.frequencies.lowerBound, scan.frequencies.upperBound)
        let bit = Int16(truncatingIfNeeded: 1 &<< scan.low)
        // Bits from the first frequency to the last.
        let all = UInt64.max &<< UInt64(first) & UInt64.max &>> UInt64(63 &- last)
        for column in 0..<columns {
            guard cursor.bytePlace <= limit else { throw ScanWalk.Fault() }
            let block = kept.map { $0 + 64 &* column }
            var (place, known) = (first, nonzero[column])
            if run.left > 0 {
                run.left &-= 1
                ProgressiveReader.correct(known & all, of: block, by: bit, at: &cursor)
                continue
            }
            while place <= last {
                let start = cursor.place
                let symbol = try symbol(0, at: &cursor)
                let rest = all & UInt64.max &<< UInt64(place)
                let size = symbol & 15
                if size == 0, symbol != 0xF0 {
                    run = ProgressiveReader.run(symbol, from: start, at: &cursor)
                    ProgressiveReader.correct(known & rest, of: block, by: bit, at: &cursor)
                    break
                }
                guard size <= 1 else { throw ScanWalk.Fault() }
                let isPositive = size == 1 && ProgressiveReader.bits(1, at: &cursor) == 1
                // The symbol passes that many zeros, and the coefficients between them get a bit each.
                var zeros = ~known & rest
                for _ in 0..<symbol &>> 4 { zeros &= zeros &- 1 }
                guard zeros != 0 else { throw ScanWalk.Fault() }
                place = zeros.trailingZeroBitCount
                ProgressiveReader.correct(
                    known & rest & (1 &<< UInt64(place) &- 1), of: block, by: bit, at: &cursor)
                if size == 1 {
                    known |= 1 &<< UInt64(place)
                    if let block { block[place] = isPositive ? bit : 0 &- bit }
                }
                place &+= 1
            }
            nonzero[column] = known
        }
        (self.cursor, self.run) = (cursor, run)
    }

    /// Reads a bit of each coefficient of a mask, which `bit` stands for.
    @inline(__always)
    private static func correct(
        _ mask: UInt64, of block: UnsafeMutablePointer<Int16>?, by bit: Int16, at cursor: inout BitCursor
    ) {
        var (rest, left) = (mask, mask.nonzeroBitCount)
        while left > 0 {
            let count = min(left, ProgressiveReader.mostReady)
            left &-= count
            cursor.refill()
            if let block {
                var bits = cursor.peek(count) &<< (Int.bitWidth &- count)
                for _ in 0..<count {
                    let place = rest.trailingZeroBitCount
                    if bits < 0 { block[place] &+= block[place] < 0 ? 0 &- bit : bit }
                    bits &<<= 1
                    rest &= rest &- 1
                }
            }
            cursor.skip(count)
        }
    }

    /// The number of bits that are ready after a refill.
    private static let mostReady = 56
}
