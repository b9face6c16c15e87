internal import PageModel

/// The symbols of a gray JPEG, divided among the scans of a progressive JPEG (ITU-T T.81, G.1.2).
///
/// Each scan has a range of frequencies. One symbol stands for a run of blocks without any of them, so blank paper needs
/// hardly a bit. The symbols of a sequential scan already contain all coefficients, so none is decoded.
struct SeparatedScans: SymbolSink {
    /// The frequencies of each scan in zigzag order, those of `separate_scans` in C.
    private var first = FrequencyScan(0...0)
    private var low = FrequencyScan(1...9)
    private var middle = FrequencyScan(10...27)
    private var high = FrequencyScan(28...63)
    /// The place of the last coefficient in the block.
    private var place = 0

    /// Returns a gray JPEG as a progressive one with the same coefficients. The result is nil for other JPEGs, damaged ones and
    /// those with restart markers.
    static func progressive(_ file: [UInt8]) -> [UInt8]? {
        guard let scan = SequentialScan(file), scan.components.count == 1, scan.restartInterval == nil,
            let data = CodedData(file, of: scan), let id = scan.segments.last?.contents.uint8(at: 1)
        else { return nil }
        var scans = SeparatedScans()
        let isRead: Void? = try? ScanWalk.from(data, of: scan, as: [0]) { walk throws(ScanWalk.Fault) in
            var last = [0]
            try walk.read(scan.mcuCount.area, into: &scans, after: &last)
            try walk.checkWhole()
        }
        guard isRead != nil else { return nil }
        scans.endBlock()
        var result = scan.head(for: scan.size, process: 0xC2, keepsCodes: false)
        for var part in [scans.first, scans.low, scans.middle, scans.high] {
            guard part.append(to: &result, component: UInt8(id)) else { return nil }
        }
        return result + [0xFF, 0xD9]
    }

    var hasRoom: Bool { true }

    /// Not called: the symbols are read one by one.
    func take(_ entry: Int, _ bits: Int) throws(ScanWalk.Fault) { throw ScanWalk.Fault() }

    @inline(__always)
    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) throws(ScanWalk.Fault) {
        if table == SymbolTables.differences(0) {
            endBlock()
            first.take(symbol, value)
            return
        }
        let run = symbol >> 4
        place += run + 1
        // Neither 16 zeros nor the end of the block is a coefficient.
        guard size > 0 else { return }
        guard size <= 10, place <= 63 else { throw ScanWalk.Fault() }
        if place <= low.frequencies.upperBound {
            low.take(at: place, size, value)
        } else if place <= middle.frequencies.upperBound {
            middle.take(at: place, size, value)
        } else {
            high.take(at: place, size, value)
        }
    }

    func endInterval() {}

    private mutating func endBlock() {
        place = 0
        guard !first.isEmpty else { return }
        low.endBlock()
        middle.endBlock()
        high.endBlock()
    }
}

/// A scan of a range of frequencies, as symbols without their codes.
private struct FrequencyScan {
    /// The maximum length of a run of blank blocks (ITU-T T.81, table G.1).
    private static let maximumRun = 0x7FFF

    let frequencies: ClosedRange<Int>
    /// The symbols, below their additional bits.
    private var symbols: [UInt32] = []
    private var counts = [Int](repeating: 0, count: SymbolTables.size)
    /// The last coefficient of the block, and the blocks before it whose end has not been written.
    private var last: Int
    private var blankBlocks = 0

    init(_ frequencies: ClosedRange<Int>) {
        self.frequencies = frequencies
        last = frequencies.lowerBound - 1
    }

    var isEmpty: Bool { symbols.isEmpty }

    @inline(__always)
    mutating func take(_ symbol: Int, _ value: Int) {
        counts[symbol] &+= 1
        symbols.append(UInt32(truncatingIfNeeded: value << 8 | symbol))
    }

    /// Adds a coefficient with the zeros before it (G.1.2.2).
    @inline(__always)
    mutating func take(at place: Int, _ size: Int, _ value: Int) {
        if blankBlocks > 0 { endBlankBlocks() }
        var run = place &- last &- 1
        while run > 15 {
            take(0xF0, 0)
            run &-= 16
        }
        take(run << 4 | size, value)
        last = place
    }

    @inline(__always)
    mutating func endBlock() {
        if last < frequencies.upperBound {
            blankBlocks &+= 1
            if blankBlocks == FrequencyScan.maximumRun { endBlankBlocks() }
        }
        last = frequencies.lowerBound - 1
    }

    private mutating func endBlankBlocks() {
        guard blankBlocks > 0 else { return }
        let size = Int.bitWidth - 1 - blankBlocks.leadingZeroBitCount
        take(size << 4, blankBlocks - 1 << size)
        blankBlocks = 0
    }

    /// The number of a symbol's additional bits: in the upper half for a run of blank blocks, else in the lower.
    private static func size(_ symbol: Int) -> Int {
        symbol & 15 > 0 || symbol == 0xF0 ? symbol & 15 : symbol >> 4
    }

    /// Appends the scan with its code to a file. Returns whether it has a code.
    mutating func append(to file: inout [UInt8], component: UInt8) -> Bool {
        endBlankBlocks()
        guard let code = JPEGCode(optimalFor: counts[...]) else { return false }
        var words = [(bits: UInt64, length: Int)](repeating: (0, 0), count: SymbolTables.size)
        var bitCount = 0
        for word in code.words {
            words[word.symbol] = (UInt64(word.code), word.length)
            bitCount += counts[word.symbol] * (word.length + FrequencyScan.size(word.symbol))
        }
        let room = SymbolWriter.room(bits: bitCount, intervals: 1)
        let data = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = BitWriter(target)
            for symbol in symbols {
                let (bits, length) = words[Int(symbol & 0xFF)]
                let size = FrequencyScan.size(Int(symbol & 0xFF))
                writer.put(bits << UInt64(size) | UInt64(symbol >> 8), length + size)
            }
            writer.finish()
            count = writer.byteCount
        }
        SequentialScan.append(0xC4, [frequencies.lowerBound == 0 ? 0 : 0x10] + code.table, to: &file)
        let ends = [UInt8(frequencies.lowerBound), UInt8(frequencies.upperBound)]
        SequentialScan.append(0xDA, [1, component, 0] + ends + [0], to: &file)
        CodedData.append(data[...], to: &file)
        return true
    }
}
