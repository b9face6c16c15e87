/// A user of the symbols that make up a scan.
protocol SymbolSink {
    /// Whether an MCU of any length still has room.
    var hasRoom: Bool { get }

    /// Takes the symbols of an entry of `BlockTables`.
    ///
    /// - Parameter bits: the symbols' codes and values.
    mutating func take(_ entry: Int, _ bits: Int) throws(ScanWalk.Fault)

    /// Takes one symbol.
    ///
    /// - Parameters:
    ///   - value: its additional bits, and `size` their number.
    ///   - table: the place of its code: see `SymbolTables`.
    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) throws(ScanWalk.Fault)

    /// Takes a symbol that no entry of `BlockTables` has, because its code has more bits.
    ///
    /// - Parameter place: the place of the code in the scan's data, in bits.
    mutating func take(
        _ symbol: Int, _ value: Int, _ size: Int, table: Int, at place: Int
    ) throws(ScanWalk.Fault)

    /// Ends a restart interval.
    mutating func endInterval()
}

extension SymbolSink {
    @inline(__always)
    mutating func take(
        _ symbol: Int, _ value: Int, _ size: Int, table: Int, at place: Int
    ) throws(ScanWalk.Fault) {
        try take(symbol, value, size, table: table)
    }

    /// Takes the difference of a block's first coefficient from that of the block before (ITU-T T.81, F.1.2.1).
    mutating func take(difference: Int, table: Int) throws(ScanWalk.Fault) {
        let (size, bits) = JPEGCode.additionalBits(of: difference)
        guard size <= BlockTables.maximumDifference else { throw ScanWalk.Fault() }
        try take(size, bits, size, table: table)
    }
}

/// The order of the numbers that belong to symbols: for each coding those of differences, then those of coefficients.
enum SymbolTables {
    /// The number of symbols of a code.
    static let size = 256

    static func differences(_ coding: Int) -> Int { 2 * coding * size }
    static func coefficients(_ coding: Int) -> Int { (2 * coding + 1) * size }

    /// Returns the coding of a table, and whether it has coefficients.
    static func parts(of table: Int) -> (coding: Int, hasCoefficients: Bool) {
        (table / (2 * size), table & size != 0)
    }

    /// Whether an image of 8 bits may have the symbol of this number (ITU-T T.81, tables F.1 and F.2).
    static func isSound(_ number: Int) -> Bool {
        number & 15 <= 10 || number & (2 * size - 1) == BlockTables.maximumDifference
    }

    /// Whether an image of 8 bits may have all symbols of its codes.
    static func areSound(_ codes: [JPEGCode]) -> Bool {
        codes.enumerated().allSatisfy { number, code in
            code.words.allSatisfy { isSound(number * size + $0.symbol) }
        }
    }
}

/// A sink for symbols that are skipped.
struct NoSink: SymbolSink {
    var hasRoom: Bool { true }
    func take(_ entry: Int, _ bits: Int) {}
    func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) {}
    func endInterval() {}
}
