/// The places of the symbols that no entry of `BlockTables` has, because their codes have more bits.
///
/// With them data can be copied to a code that differs only in its long words.
struct RareSymbols: SymbolSink {
    /// A symbol and the place of its code in the scan's data, in bits.
    struct Symbol {
        fileprivate let packed: Int

        /// The place in `SymbolTables` of its code and of the symbol itself.
        var number: Int { packed & 0xFFFF }
        var place: Int { packed >> 16 }
    }

    /// They are ordered by place.
    private var symbols: [Symbol] = []
    /// The number of symbols beyond which they would take much memory. Then no symbol is kept.
    private let maximum: Int
    private(set) var areComplete = true

    /// - Parameter byteCount: the bytes of the scan's data. The symbols take at most as much memory.
    init(byteCount: Int) {
        maximum = byteCount / MemoryLayout<Symbol>.stride
    }

    var hasRoom: Bool { true }

    mutating func take(_ entry: Int, _ bits: Int) {}

    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) {}

    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int, at place: Int) {
        guard areComplete else { return }
        guard symbols.count < maximum else {
            areComplete = false
            symbols = []
            return
        }
        symbols.append(Symbol(packed: place << 16 | table + symbol))
    }

    func endInterval() {}

    /// Returns the symbols in a part of the data.
    func symbols(in range: Range<Int>) -> ArraySlice<Symbol> {
        symbols[first(from: range.lowerBound)..<first(from: range.upperBound)]
    }

    /// Returns the index of the first symbol that is not before a place.
    private func first(from place: Int) -> Int {
        var range = symbols.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = symbols[middle].place < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension JPEGCode {
    /// For each symbol its code, above 8 bits with the code's length; 0 if it has none.
    var packedWords: [UInt64] {
        (0..<SymbolTables.size).map { word(for: $0).map { UInt64($0.code << 8 | $0.length) } ?? 0 }
    }

    /// Returns the code with more symbols. Only words that belong to rare symbols change.
    ///
    /// - Parameter isKnown: whether the places of all rare symbols are known. Otherwise no word changes.
    /// - Returns: nil if the code has no room for them.
    func adding(_ more: [UInt8], changingRare isKnown: Bool) -> JPEGCode? {
        // A symbol with two words would be written with the first.
        let isUnique = Set(words.map(\.symbol)).count == words.count
        return adding(more, keeping: isKnown && isUnique ? BlockTables.bits : JPEGCode.maximumBits)
    }
}

extension BitWriter {
    /// Copies coded data that begin and end between symbols, with other words for rare symbols.
    ///
    /// - Parameters:
    ///   - rare: the rare symbols in the data.
    ///   - codes: the codes of the data.
    ///   - words: the words to write: `JPEGCode.packedWords` for each code.
    ///   - limit: the number of bytes beyond which the writer has no room.
    mutating func copy(
        _ range: Range<Int>, of data: UnsafeRawPointer, _ rare: ArraySlice<RareSymbols.Symbol>, from codes: [JPEGCode],
        to words: [UInt64], limit: Int
    ) throws(ScanWalk.Fault) {
        var start = range.lowerBound
        for symbol in rare {
            let (code, number) = symbol.number.quotientAndRemainder(dividingBy: SymbolTables.size)
            let word = words[symbol.number]
            guard let own = codes[code].word(for: number), word != 0 else { throw ScanWalk.Fault() }
            guard word != UInt64(own.code << 8 | own.length) else { continue }
            guard byteCount + (symbol.place - start) / 8 <= limit else { throw ScanWalk.Fault() }
            copy(start..<symbol.place, of: data)
            put(word >> 8, Int(word & 0xFF))
            start = symbol.place + own.length
        }
        guard byteCount + (range.upperBound - start) / 8 <= limit else { throw ScanWalk.Fault() }
        copy(start..<range.upperBound, of: data)
    }
}

/// A sink that counts all symbols and keeps the places of rare ones.
struct SymbolSurvey: SymbolSink {
    var counter: SymbolCounter
    var rare: RareSymbols

    var hasRoom: Bool { true }

    mutating func take(_ entry: Int, _ bits: Int) {
        counter.take(entry, bits)
    }

    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) {
        counter.take(symbol, value, size, table: table)
    }

    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int, at place: Int) {
        counter.take(symbol, value, size, table: table)
        rare.take(symbol, value, size, table: table, at: place)
    }

    func endInterval() {}
}
