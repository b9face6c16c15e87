extension ScanWalk {
    /// Beyond it a first coefficient would not fit where decoders keep it.
    private static let maximumAverage = Int(Int16.max)

    /// Reads MCUs of the current restart interval symbol by symbol.
    ///
    /// - Parameters:
    ///   - count: at most `left`.
    ///   - last: for each component, the first coefficient of the last block that `sink` got. It gets the differences
    ///     from them.
    mutating func read<Sink: SymbolSink>(
        _ count: Int, into sink: inout Sink, after last: inout [Int]
    ) throws(Fault) {
        // In registers only as long as it is a local copy.
        var cursor = cursor
        let limit = data.ends[interval] + 8
        for _ in 0..<count {
            for index in components.indices {
                let table = SymbolTables.differences(sinkCodings[index])
                var (average, lastAverage) = (averages[index], last[index])
                for _ in 0..<components[index].blockCount {
                    average += try difference(of: index, at: &cursor)
                    guard average.magnitude <= ScanWalk.maximumAverage else { throw Fault() }
                    try sink.take(difference: average - lastAverage, table: table)
                    lastAverage = average
                    let place = try passCoefficients(of: index, at: &cursor, into: &sink)
                    // Zeros beyond the block are damage that not all decoders report.
                    guard place == 64 || place >= BlockTables.restOfBlock else { throw Fault() }
                }
                (averages[index], last[index]) = (average, lastAverage)
            }
            guard cursor.bytePlace <= limit, sink.hasRoom else { throw Fault() }
        }
        left -= count
        self.cursor = cursor
    }
}
