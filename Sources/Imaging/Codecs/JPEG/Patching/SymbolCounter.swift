/// The number of times that a scan has each symbol.
struct SymbolCounter: SymbolSink {
    /// For each symbol, how often it was taken alone.
    private var counts: [Int]
    /// For each entry of `BlockTables`, how often it was taken.
    ///
    /// Counts beyond 31 bits, as of some hundred megabytes, are wrong. Then a symbol has no code, or the result has not
    /// enough room; a `SymbolWriter` notices both and throws.
    private var entries: [Int32]
    /// The number that a symbol adds to its count: -1 takes symbols back.
    var step: Int32 = 1

    init(codings: Int) {
        counts = [Int](repeating: 0, count: 2 * codings * SymbolTables.size)
        entries = [Int32](repeating: 0, count: codings * BlockTables.size)
    }

    var hasRoom: Bool { true }

    mutating func take(_ entry: Int, _ bits: Int) {
        entries[entry] &+= step
    }

    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) {
        counts[table &+ symbol] &+= Int(step)
    }

    func endInterval() {}

    /// Replaces the counts of entries by those of their symbols.
    ///
    /// - Parameter tables: the tables of the scan whose symbols were taken since the last call.
    mutating func resolve(_ tables: UnsafePointer<UInt16>) {
        for (entry, count) in entries.enumerated() where count != 0 {
            BlockTables.forEachSymbol(of: entry, tables) { symbol, _, _, _ in
                counts[SymbolTables.coefficients(entry / BlockTables.size) + symbol] += Int(count)
            }
            entries[entry] = 0
        }
    }

    /// Multiplies the counts, as for a part of the rows that stands for all of them.
    mutating func multiply(by factor: Int) {
        for index in counts.indices { counts[index] *= factor }
    }

    /// Adds the counts of another scan under the same codings.
    mutating func add(_ other: SymbolCounter) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    /// Gives each symbol of the codes a count of at least 1, so that it gets a code.
    mutating func include(_ codes: [JPEGCode]) {
        for (number, code) in codes.enumerated() {
            for word in code.words {
                let index = number * SymbolTables.size + word.symbol
                counts[index] = max(counts[index], 1)
            }
        }
    }

    /// Returns the symbols without a word in a code.
    ///
    /// - Parameter number: the number of the code in `SymbolTables`.
    func symbols(lackedBy code: JPEGCode, _ number: Int) -> [UInt8] {
        (0..<SymbolTables.size).filter { symbol in
            counts[number * SymbolTables.size + symbol] != 0 && code.word(for: symbol) == nil
        }.map { UInt8($0) }
    }

    /// Returns the number of bits of the symbols in the given codes, with their values; nil if one has no code.
    func bitCount(_ codes: [JPEGCode]) -> Int? {
        var bits = 0
        for (place, count) in counts.enumerated() where count != 0 {
            let (code, symbol) = place.quotientAndRemainder(dividingBy: SymbolTables.size)
            guard let word = codes[code].word(for: symbol) else { return nil }
            // Of a difference the symbol is the size; of a coefficient the low half is.
            bits += count * (word.length + symbol & 15)
        }
        return bits
    }

    /// The number of bits of the symbols in the best codes for them.
    var leastBitCount: Int? { optimalCodes().flatMap { bitCount($0) } }

    /// Whether an image of 8 bits may have all the symbols (ITU-T T.81, tables F.1 and F.2).
    var areSound: Bool {
        counts.indices.allSatisfy { counts[$0] == 0 || SymbolTables.isSound($0) }
    }

    /// Returns the best codes for the counts.
    func optimalCodes() -> [JPEGCode]? {
        let codes = stride(from: 0, to: counts.count, by: SymbolTables.size).compactMap { start in
            JPEGCode(optimalFor: counts[start..<start + SymbolTables.size])
        }
        return codes.count * SymbolTables.size == counts.count ? codes : nil
    }
}
