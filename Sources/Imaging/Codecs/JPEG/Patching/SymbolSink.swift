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

    /// Ends a restart interval.
    mutating func endInterval()
}

extension SymbolSink {
    /// Takes the difference of a block's first coefficient from that of the block before (ITU-T T.81, F.1.2.1).
    mutating func take(difference: Int, table: Int) throws(ScanWalk.Fault) {
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        guard size <= BlockTables.maximumDifference else { throw ScanWalk.Fault() }
        let value = difference < 0 ? difference - 1 : difference
        try take(size, value & (1 << size - 1), size, table: table)
    }
}

/// The order of the numbers that belong to symbols: for each coding those of differences, then those of coefficients.
enum SymbolTables {
    /// The number of symbols of a code.
    static let size = 256

    static func differences(_ coding: Int) -> Int { 2 * coding * size }
    static func coefficients(_ coding: Int) -> Int { (2 * coding + 1) * size }
}

/// A sink for symbols that are skipped.
struct NoSink: SymbolSink {
    var hasRoom: Bool { true }
    func take(_ entry: Int, _ bits: Int) {}
    func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) {}
    func endInterval() {}
}
