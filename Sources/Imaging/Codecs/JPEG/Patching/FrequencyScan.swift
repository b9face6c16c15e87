/// A scan of a progressive JPEG, as symbols without their codes.
///
/// It has the differences of all components, or a range of frequencies of one component (ITU-T T.81, G.1.2).
struct FrequencyScan {
    /// The maximum length of a run of blank blocks (table G.1).
    static let maximumRun = 0x7FFF
    /// The number that is added to the differences of all components but the first. They have a code of their own.
    static let secondCode = 16

    let frequencies: ClosedRange<Int>
    /// The symbols, below their additional bits.
    private var symbols: [UInt32] = []
    private var counts = [Int](repeating: 0, count: SymbolTables.size)
    /// The last coefficient of the block, and the blocks before it whose end has not been written.
    private var last: Int
    private var blankBlocks = 0

    /// - Parameter frequencies: in zigzag order. 0 is for differences.
    init(_ frequencies: ClosedRange<Int>) {
        self.frequencies = frequencies
        last = frequencies.lowerBound - 1
    }

    private var hasDifferences: Bool { frequencies.lowerBound == 0 }

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

    /// The number of a symbol's additional bits. It is in the lower half for a coefficient, and in the upper half for a run of
    /// blank blocks.
    private func size(_ symbol: Int) -> Int {
        hasDifferences || symbol & 15 > 0 || symbol == 0xF0 ? symbol & 15 : symbol >> 4
    }

    /// Appends the scan with its codes to a file.
    ///
    /// - Parameter components: the ids of its components.
    /// - Returns: false if the symbols have no code.
    mutating func append(to file: inout [UInt8], components: [UInt8]) -> Bool {
        endBlankBlocks()
        let step = hasDifferences && components.count > 1 ? FrequencyScan.secondCode : counts.count
        let starts = hasDifferences && components.count > 1 ? [0, step] : [0]
        var words = [(bits: UInt64, length: Int)](repeating: (0, 0), count: counts.count)
        var bitCount = 0
        for (number, start) in starts.enumerated() {
            guard let code = JPEGCode(optimalFor: counts[start..<start + step]) else { return false }
            for word in code.words {
                words[start + word.symbol] = (UInt64(word.code), word.length)
                bitCount += counts[start + word.symbol] * (word.length + size(start + word.symbol))
            }
            SequentialScan.append(0xC4, [UInt8(hasDifferences ? number : 0x10)] + code.table, to: &file)
        }
        let data = data(words, bitCount)
        var selectors: [UInt8] = []
        for (number, id) in components.enumerated() { selectors += [id, hasDifferences && number > 0 ? 0x10 : 0] }
        var header = [UInt8(components.count)] + selectors
        header += [UInt8(frequencies.lowerBound), UInt8(frequencies.upperBound), 0]
        SequentialScan.append(0xDA, header, to: &file)
        CodedData.append(data[...], to: &file)
        return true
    }

    private func data(_ words: [(bits: UInt64, length: Int)], _ bitCount: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SymbolWriter.room(bits: bitCount, intervals: 1)) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = BitWriter(target)
            for symbol in symbols {
                let (bits, length) = words[Int(symbol & 0xFF)]
                let size = size(Int(symbol & 0xFF))
                writer.put(bits << UInt64(size) | UInt64(symbol >> 8), length + size)
            }
            writer.finish()
            count = writer.byteCount
        }
    }
}
