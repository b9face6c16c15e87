/// Where a row of a progressive scan begins: a row of MCUs if the scan is interleaved, otherwise one of blocks.
struct RowStart {
    /// A run of blocks whose end is one symbol (ITU-T T.81, G.1.2.2).
    struct Run {
        /// The place of the symbol, and of the bits after it.
        var place = 0
        var bits = 0
        /// The number of its blocks, and of those that are still to come.
        var length = 0
        var left = 0
    }

    /// The place of the next bit in the scan's data.
    let place: Int
    /// The last run of blocks that began before it. None of it is left if it ended before, too.
    let run: Run
    /// For each component of a scan of differences, the first coefficient of its last block.
    let averages: [Int]
}

/// A scan that was read.
struct ReadScan {
    let scan: ProgressiveScan
    /// The starts of its rows, and at last its end.
    let starts: [RowStart]
    /// The places of its rare symbols.
    let rare: RareSymbols
}
