/// A walk through the coded data of a scan, MCU by MCU, that tracks each component's last average but no other coefficient.
struct ScanWalk {
    /// An error for invalid data.
    struct Fault: Error {}

    /// An MCU count higher than that of any image.
    private static let noEnd = 1 << 32

    private let components: [SequentialScan.Component]
    private let data: CodedData
    private let tables: UnsafePointer<UInt16>
    private var cursor: BitCursor
    /// The place in `data.ends` of the restart interval, and the MCUs left in it.
    private var interval = 0
    private let intervalLength: Int
    private(set) var left: Int
    /// For each component, the first coefficient of its last block.
    private(set) var averages: [Int]

    /// - Parameters:
    ///   - source: the bytes of `data`.
    ///   - tables: the `BlockTables` of the codings, one after the other.
    init(
        _ data: CodedData, of scan: SequentialScan, source: UnsafeRawPointer, tables: UnsafePointer<UInt16>
    ) {
        components = scan.components
        self.data = data
        self.tables = tables
        cursor = BitCursor(source)
        intervalLength = scan.restartInterval ?? ScanWalk.noEnd
        left = intervalLength
        averages = scan.components.map { _ in 0 }
    }

    /// The position in bits from the beginning of the data.
    var place: Int { cursor.place }

    /// Skips some MCUs.
    mutating func skip(_ count: Int) throws(Fault) {
        var rest = count
        while rest > 0 {
            if left == 0 { try beginInterval() }
            let now = min(rest, left)
            try skipWithinInterval(now)
            left -= now
            rest -= now
        }
    }

    private mutating func skipWithinInterval(_ count: Int) throws(Fault) {
        // In registers only as long as it is a local copy.
        var cursor = cursor
        let limit = data.ends[interval] + 8
        for _ in 0..<count {
            for index in components.indices {
                var average = averages[index]
                for _ in 0..<components[index].blockCount {
                    average += try difference(of: index, at: &cursor)
                    try skipCoefficients(of: index, at: &cursor)
                }
                averages[index] = average
            }
            guard cursor.bytePlace <= limit else { throw Fault() }
        }
        self.cursor = cursor
    }

    /// Starts an MCU: `takeBlock(of:)` returns its first block next.
    mutating func beginMCU() throws(Fault) {
        if left == 0 { try beginInterval() }
        left -= 1
    }

    /// Skips a block, and returns the range of all its coefficients except the first.
    mutating func takeBlock(of component: Int) throws(Fault) -> Range<Int> {
        averages[component] += try difference(of: component, at: &cursor)
        let start = cursor.place
        try skipCoefficients(of: component, at: &cursor)
        guard cursor.bytePlace <= data.ends[interval] + 8 else { throw Fault() }
        return start..<cursor.place
    }

    private mutating func beginInterval() throws(Fault) {
        try checkEnd()
        interval += 1
        guard interval < data.ends.count else { throw Fault() }
        cursor.move(toByte: data.ends[interval - 1])
        for index in averages.indices { averages[index] = 0 }
        left = intervalLength
    }

    /// Throws unless the interval has been read to its end, except for the bits that fill its last byte.
    private func checkEnd() throws(Fault) {
        guard (place + 7) / 8 == data.ends[interval] else { throw Fault() }
    }

    /// Throws unless all data have been read.
    func checkWhole() throws(Fault) {
        try checkEnd()
        guard interval == data.ends.count - 1 else { throw Fault() }
    }

    /// Returns the difference in brightness between a block and the last one of its component (F.1.2.1).
    private func difference(of component: Int, at cursor: inout BitCursor) throws(Fault) -> Int {
        cursor.refill()
        let entry = Int(tables[components[component].coding &* BlockTables.size &+ cursor.peek(BlockTables.bits)])
        var (length, size) = (entry & 31, entry &>> 5)
        if entry == 0 {
            guard let word = components[component].difference.word(at: cursor.peek(JPEGCode.maximumBits)),
                word.symbol <= BlockTables.maximumDifference
            else { throw Fault() }
            (length, size) = (word.length, word.symbol)
        }
        cursor.skip(length)
        guard size > 0 else { return 0 }
        let value = cursor.peek(size)
        cursor.skip(size)
        return value &>> (size &- 1) == 0 ? value &- (1 &<< size) &+ 1 : value
    }

    /// Skips the coefficients of a block except the first.
    private func skipCoefficients(of component: Int, at cursor: inout BitCursor) throws(Fault) {
        let steps = tables + (components[component].coding &* BlockTables.size &+ BlockTables.steps)
        let leaps = tables + (components[component].coding &* BlockTables.size &+ BlockTables.leaps)
        var place = 1
        while place <= BlockTables.lastLeap {
            cursor.refill()
            let leap = Int(leaps[cursor.peek(BlockTables.bits)])
            try step(leap, of: component, at: &cursor, &place)
            guard place <= BlockTables.lastLeap, leap != 0 else { continue }
            // A leap has 27 bits at most: enough bits remain for another.
            let another = Int(leaps[cursor.peek(BlockTables.bits)])
            guard another != 0 else { continue }
            try step(another, of: component, at: &cursor, &place)
        }
        while place < 64 {
            cursor.refill()
            try step(Int(steps[cursor.peek(BlockTables.bits)]), of: component, at: &cursor, &place)
        }
    }

    private func step(_ entry: Int, of component: Int, at cursor: inout BitCursor, _ place: inout Int) throws(Fault) {
        var entry = entry
        if entry == 0 {
            guard let word = components[component].coefficients.word(at: cursor.peek(JPEGCode.maximumBits)) else {
                throw Fault()
            }
            entry = BlockTables.step(word)
        }
        cursor.skip(entry & 31)
        place &+= entry &>> 5
    }
}
