/// A writer of symbols in codes of its own.
struct SymbolWriter: SymbolSink {
    /// The free bytes that must follow the written ones: those of an MCU of any length.
    private static let slack = CodedData.slack

    private var bits: BitWriter
    private let limit: Int
    /// The ends of the restart intervals that are complete, in bytes.
    private(set) var ends: [Int] = []
    /// For each symbol its code, above 8 bits with the code's length; 0 if it has none.
    private let words: [UInt64]
    /// The bits to write for each entry of `BlockTables`; 0 if a symbol has no code.
    ///
    /// The low byte holds the length, and the next the number of the last symbol's additional bits, which follow. The
    /// bits are above them.
    private let entries: [UInt64]

    /// - Parameters:
    ///   - tables: the tables of the scan that is read. Leaps over more bits than can be written at once become steps.
    ///   - codes: for each coding, the codes to be written: of differences, then of coefficients.
    ///   - room: the number of bytes at `base`.
    init(_ base: UnsafeMutableRawPointer, room: Int, _ codes: [JPEGCode], reading tables: UnsafeMutablePointer<UInt16>)
    {
        bits = BitWriter(base)
        limit = room - SymbolWriter.slack
        let words = codes.flatMap(\.packedWords)
        self.words = words
        entries = (0..<codes.count / 2 * BlockTables.size).map { entry in
            let translation = SymbolWriter.translated(entry, tables, words)
            guard translation == 0, let step = BlockTables.step(forLeap: entry) else { return translation }
            tables[entry] = tables[step]
            return SymbolWriter.translated(step, tables, words)
        }
    }

    /// Returns the room for symbols of that many bits.
    static func room(bits: Int, intervals: Int) -> Int { bits / 8 + 1 + intervals + slack }

    private static func translated(_ entry: Int, _ tables: UnsafePointer<UInt16>, _ words: [UInt64]) -> UInt64 {
        let table = SymbolTables.coefficients(entry / BlockTables.size)
        var (bits, length, rest, isComplete) = (0 as UInt64, 0, 0, true)
        BlockTables.forEachSymbol(of: entry, tables) { symbol, value, size, isLast in
            let word = words[table + symbol]
            bits = bits << (word & 0xFF) | word >> 8
            length += Int(word & 0xFF)
            isComplete = isComplete && word != 0
            if isLast {
                rest = size
            } else {
                bits = bits << UInt64(size) | UInt64(value)
                length += size
            }
        }
        return isComplete && length <= 48 && length + rest <= 56 ? bits << 16 | UInt64(rest << 8 | length) : 0
    }

    var byteCount: Int { bits.byteCount }

    var hasRoom: Bool { bits.byteCount <= limit }

    mutating func take(_ entry: Int, _ bits: Int) throws(ScanWalk.Fault) {
        let translation = entries[entry]
        guard translation != 0 else { throw ScanWalk.Fault() }
        let (length, size) = (Int(translation & 0xFF), translation &>> 8 & 0xFF)
        let value = UInt64(truncatingIfNeeded: bits) & (1 &<< size &- 1)
        self.bits.put((translation &>> 16) &<< size | value, length &+ Int(size))
    }

    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) throws(ScanWalk.Fault) {
        let word = words[table &+ symbol]
        guard word != 0 else { throw ScanWalk.Fault() }
        bits.put((word &>> 8) &<< UInt64(size) | UInt64(truncatingIfNeeded: value), Int(word & 0xFF) &+ size)
    }

    /// Copies coded data that begin and end between symbols.
    ///
    /// - Parameters:
    ///   - rare: the symbols in the data whose codes may differ from those of the writer.
    ///   - codes: the codes of the data.
    mutating func copy(
        _ range: Range<Int>, of data: UnsafeRawPointer, _ rare: ArraySlice<RareSymbols.Symbol>, in codes: [JPEGCode]
    ) throws(ScanWalk.Fault) {
        try bits.copy(range, of: data, rare, from: codes, to: words, limit: limit)
    }

    mutating func endInterval() {
        bits.finish()
        ends.append(bits.byteCount)
    }
}
