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
