/// A walk through the coded data of a scan, MCU by MCU, that tracks each component's last average but no other coefficient.
struct ScanReader {
    /// An error for invalid data.
    struct Fault: Error {}

    /// An MCU count higher than that of any image.
    private static let noEnd = 1 << 32

    let components: [SequentialScan.Component]
    let data: CodedData
    /// The bytes of `data`.
    let source: UnsafeRawPointer
    private let tables: UnsafePointer<UInt16>
    var cursor: BitCursor
    /// The place in `data.ends` of the restart interval, and the MCUs left in it.
    private(set) var interval = 0
    private let intervalLength: Int
    var left: Int
    /// For each component, the first coefficient of its last block.
    var averages: [Int]

    /// Calls `body` with a walk at the first MCU. Copies of the walk are valid only during the call.
    static func from<Value>(
        _ data: CodedData, of scan: SequentialScan, _ body: (inout ScanReader) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        var tables: [UInt16] = []
        for component in scan.components where component.coding * BlockTables.size == tables.count {
            tables += BlockTables.make(difference: component.difference, coefficients: component.coefficients)
        }
        return try data.bytes.withUnsafeBufferPointer { source throws(Fault) in
            try tables.withUnsafeBufferPointer { tables throws(Fault) in
                guard let source = source.baseAddress, let tables = tables.baseAddress else { throw Fault() }
                var walk = ScanReader(data, of: scan, source: UnsafeRawPointer(source), tables: tables)
                return try body(&walk)
            }
        }
    }

    /// - Parameters:
    ///   - source: the bytes of `data`.
    ///   - tables: the `BlockTables` of the codings, one after the other.
    private init(
        _ data: CodedData, of scan: SequentialScan, source: UnsafeRawPointer, tables: UnsafePointer<UInt16>
    ) {
        components = scan.components
        self.data = data
        self.source = source
        self.tables = tables
        cursor = BitCursor(source)
        intervalLength = scan.restartInterval ?? ScanReader.noEnd
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
                    try passCoefficients(of: index, at: &cursor)
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
        try passCoefficients(of: component, at: &cursor)
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
    @inline(__always)
    func difference(of component: Int, at cursor: inout BitCursor) throws(Fault) -> Int {
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
        return JPEGCode.value(ofBits: value, size)
    }

    /// Passes the coefficients of a block except the first.
    ///
    /// - Returns: the place after the last coefficient. Without damage it is 64, or `BlockTables.restOfBlock` or more.
    @discardableResult
    @inline(__always)
    func passCoefficients(of component: Int, at cursor: inout BitCursor) throws(Fault) -> Int {
        let start = components[component].coding &* BlockTables.size
        let (steps, leaps) = (start &+ BlockTables.steps, start &+ BlockTables.leaps)
        var place = 1
        while place <= BlockTables.lastLeap {
            cursor.refill()
            var window = cursor.peek(BlockTables.bits)
            var entry = leaps &+ window
            let isKnown = tables[entry] != 0
            try pass(entry, of: component, at: &cursor, &place)
            guard place <= BlockTables.lastLeap, isKnown else { continue }
            // A leap has 25 bits at most: enough bits remain for another.
            window = cursor.peek(BlockTables.bits)
            entry = leaps &+ window
            guard tables[entry] != 0 else { continue }
            try pass(entry, of: component, at: &cursor, &place)
        }
        while place < 64 {
            cursor.refill()
            try pass(steps &+ cursor.peek(BlockTables.bits), of: component, at: &cursor, &place)
        }
        return place
    }

    /// Passes the symbols of an entry of the tables, or one symbol if its code is too long for the tables.
    @inline(__always)
    private func pass(_ index: Int, of component: Int, at cursor: inout BitCursor, _ place: inout Int) throws(Fault) {
        var entry = Int(tables[index])
        if entry == 0 {
            guard let word = components[component].coefficients.word(at: cursor.peek(JPEGCode.maximumBits)) else {
                throw Fault()
            }
            entry = BlockTables.step(word.length, word.symbol)
        }
        cursor.skip(entry & 31)
        place &+= entry &>> 5
    }
}
