/// A writer of a progressive scan. Some of its rows change, and all others are copied.
struct ScanRowWriter {
    /// A symbol with its additional bits, or bits alone.
    private struct Item {
        /// The number of the symbol's code; 0xFF for bits alone.
        let code: UInt8
        let symbol: UInt8
        let size: UInt8
        let bits: UInt16
    }

    private enum Piece {
        /// A range of the scan's bits.
        case copied(Range<Int>)
        case items(Range<Int>)
    }

    private static let noCode: UInt8 = 0xFF

    private let scan: ProgressiveScan
    private let rare: RareSymbols
    /// False if the scan cannot have a change.
    private var isSound = true
    private var pieces: [Piece] = []
    private var items: [Item] = []
    private var writtenItems = 0
    /// The blocks whose end has not been written, and the bits that follow it.
    private var blankBlocks = 0
    private var laterBits: [Item] = []
    /// The frequencies of the scan as bits.
    private let mask: UInt64

    init(_ read: ReadScan) {
        (scan, rare) = (read.scan, read.rare)
        mask =
            UInt64.max << UInt64(scan.frequencies.lowerBound) & UInt64.max >> UInt64(63 - scan.frequencies.upperBound)
    }

    mutating func copy(_ range: Range<Int>) {
        endItems()
        if !range.isEmpty { pieces.append(.copied(range)) }
    }

    private mutating func endItems() {
        if writtenItems < items.count { pieces.append(.items(writtenItems..<items.count)) }
        writtenItems = items.count
    }

    private mutating func put(_ symbol: Int, _ bits: Int, _ size: Int, code: Int = 0) {
        items.append(
            Item(
                code: UInt8(code), symbol: UInt8(symbol), size: UInt8(size),
                bits: UInt16(truncatingIfNeeded: bits & (1 << size - 1))))
    }

    /// Appends bits without a symbol.
    private static func put(_ bits: UInt64, _ count: Int, into items: inout [Item]) {
        var left = count
        while left > 0 {
            let size = min(16, left)
            left -= size
            let part = UInt16(truncatingIfNeeded: bits >> UInt64(left) & (1 << UInt64(size) - 1))
            items.append(Item(code: noCode, symbol: 0, size: UInt8(size), bits: part))
        }
    }
}

// MARK: Blocks

extension ScanRowWriter {
    /// Adds the first coefficient of a block.
    ///
    /// - Parameters:
    ///   - component: its place in the scan.
    ///   - average: the first coefficient of the component's last block, without the low bits.
    mutating func addFirst(_ value: Int16, of component: Int, after average: inout Int) {
        guard scan.kind == .firstDifferences else {
            return ScanRowWriter.put(UInt64(value >> Int16(scan.low) & 1), 1, into: &items)
        }
        let shifted = Int(value) >> scan.low
        let (size, bits) = JPEGCode.additionalBits(of: shifted - average)
        // A change may make a difference from an unchanged block too large for an image of 8 bits.
        if size > BlockTables.maximumDifference { isSound = false }
        put(size, bits, size, code: scan.codePlaces[component])
        average = shifted
    }

    /// Adds the other coefficients of a block.
    ///
    /// - Parameters:
    ///   - block: all its coefficients, in zigzag order.
    ///   - nonzero: a bit for each coefficient that is not zero.
    mutating func addOthers(_ block: UnsafeBufferPointer<Int16>, _ nonzero: UInt64) {
        if scan.kind == .firstCoefficients { addHighBits(block, nonzero) } else { addLaterBits(block, nonzero) }
    }

    /// G.1.2.2.
    private mutating func addHighBits(_ block: UnsafeBufferPointer<Int16>, _ nonzero: UInt64) {
        var (rest, last) = (nonzero & mask, scan.frequencies.lowerBound - 1)
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest &- 1
            let value = Int(block[place])
            let magnitude = Int(value.magnitude) >> scan.low
            guard magnitude > 0 else { continue }
            endRun()
            let zeros = place - last - 1
            for _ in 0..<zeros >> 4 { put(0xF0, 0, 0) }
            let (size, bits) = JPEGCode.additionalBits(of: value < 0 ? -magnitude : magnitude)
            put((zeros & 15) << 4 | size, bits, size)
            last = place
        }
        if last < scan.frequencies.upperBound { addBlankBlocks(1) }
    }

    /// G.1.2.3.
    private mutating func addLaterBits(_ block: UnsafeBufferPointer<Int16>, _ nonzero: UInt64) {
        // Coefficients that have bits at last, and those that had some before.
        var (known, former) = (0 as UInt64, 0 as UInt64)
        var rest = nonzero & mask
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest &- 1
            let magnitude = Int(block[place].magnitude) >> scan.low
            if magnitude > 0 { known |= 1 << UInt64(place) }
            if magnitude > 1 { former |= 1 << UInt64(place) }
        }
        // After the last new coefficient, zeros need no symbols.
        let lastNew = 63 - (known & ~former).leadingZeroBitCount
        var (zeros, next) = (0, scan.frequencies.lowerBound)
        var (passed, count) = (0 as UInt64, 0)
        while known != 0 {
            let place = known.trailingZeroBitCount
            known &= known &- 1
            zeros += place - next
            next = place + 1
            while zeros > 15, place <= lastNew {
                endRun()
                put(0xF0, 0, 0)
                ScanRowWriter.put(passed, count, into: &items)
                (passed, count) = (0, 0)
                zeros -= 16
            }
            guard former >> UInt64(place) & 1 == 0 else {
                passed = passed << 1 | UInt64(block[place].magnitude >> UInt16(scan.low) & 1)
                count += 1
                continue
            }
            endRun()
            put(zeros << 4 | 1, block[place] < 0 ? 0 : 1, 1)
            ScanRowWriter.put(passed, count, into: &items)
            (passed, count, zeros) = (0, 0, 0)
        }
        guard lastNew < scan.frequencies.upperBound else { return }
        addBlankBlocks(1)
        ScanRowWriter.put(passed, count, into: &laterBits)
    }
}

// MARK: Runs of blocks

extension ScanRowWriter {
    /// Adds blocks to the current run.
    private mutating func addBlankBlocks(_ count: Int) {
        if blankBlocks + count > FrequencyScan.maximumRun { endRun() }
        blankBlocks += count
    }

    /// Adds blocks to the current run that the scan's own data has in a run.
    ///
    /// - Parameter bits: the places of the bits of their coefficients that were not zero before.
    mutating func addBlankBlocks(_ count: Int, _ bits: Range<Int>) {
        addBlankBlocks(count)
        for start in stride(from: bits.lowerBound, to: bits.upperBound, by: 16) {
            let places = start..<min(start + 16, bits.upperBound)
            let part = places.reduce(0 as UInt64) { part, place in
                part << 1 | UInt64(scan.data.bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
            }
            ScanRowWriter.put(part, places.count, into: &laterBits)
        }
    }

    /// Ends the current run.
    ///
    /// - Parameter left: the number of further blocks of the run. They are copied, with their bits.
    mutating func endRun(with left: Int = 0) {
        if blankBlocks + left > FrequencyScan.maximumRun, left > 0 { endRun() }
        let length = blankBlocks + left
        guard length > 0 else { return }
        let size = Int.bitWidth - 1 - length.leadingZeroBitCount
        put(size << 4, length, size)
        items += laterBits
        laterBits.removeAll(keepingCapacity: true)
        blankBlocks = 0
    }
}

// MARK: The result

extension ScanRowWriter {
    /// Returns the codes with words for all symbols; nil if a code has no room for more.
    private func codes(_ counts: [Int]) -> [JPEGCode]? {
        let codes = scan.codes.enumerated().compactMap { number, code in
            let start = number * SymbolTables.size
            let lacking = (0..<SymbolTables.size).filter { counts[start + $0] > 0 && code.word(for: $0) == nil }
            return code.adding(lacking.map { UInt8($0) }, changingRare: rare.areComplete)
        }
        return codes.count == scan.codes.count ? codes : nil
    }

    /// Returns the number of bits of words for symbols.
    private static func bitCount(_ codes: [JPEGCode], _ counts: [Int]) -> Int {
        codes.enumerated().reduce(0) { sum, entry in
            let start = entry.offset * SymbolTables.size
            return sum + entry.element.words.reduce(0) { $0 + $1.length * counts[start + $1.symbol] }
        }
    }

    /// Returns the scan's codes and data, and the number of bits that codes for the changed rows alone would save. The result is
    /// nil if the scan cannot have the changed rows, or a code has no room for their symbols.
    mutating func finished() -> (codes: [JPEGCode], data: [UInt8], saving: Int)? {
        guard isSound else { return nil }
        endItems()
        var counts = [Int](repeating: 0, count: scan.codes.count * SymbolTables.size)
        for item in items where item.code != ScanRowWriter.noCode {
            counts[Int(item.code) * SymbolTables.size + Int(item.symbol)] += 1
        }
        let best = scan.codes.indices.compactMap { number in
            let start = number * SymbolTables.size
            return JPEGCode(optimalFor: counts[start..<start + SymbolTables.size])
        }
        let copiesNothing = !pieces.contains { if case .copied = $0 { true } else { false } }
        guard best.count == scan.codes.count, let codes = copiesNothing ? best : codes(counts) else { return nil }
        let saving = ScanRowWriter.bitCount(codes, counts) - ScanRowWriter.bitCount(best, counts)
        let words = codes.flatMap(\.packedWords)
        // No item has more than 32 bits. Words of at least 11 bits become words of at most 16.
        let most = scan.data.ends[0] * 3 / 2 + 4 * items.count
        var isWritten = false
        let data = [UInt8](unsafeUninitializedCapacity: most + CodedData.slack) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = BitWriter(target)
            isWritten = (try? write(words, limit: most, to: &writer)) != nil
            writer.finish()
            count = writer.byteCount
        }
        return isWritten ? (codes, data, saving) : nil
    }

    private func write(_ words: [UInt64], limit: Int, to writer: inout BitWriter) throws(ScanWalk.Fault) {
        try scan.data.bytes.withUnsafeBufferPointer { source throws(ScanWalk.Fault) in
            guard let source = source.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
            for piece in pieces {
                switch piece {
                case .copied(let range):
                    try writer.copy(
                        range, of: source, rare.symbols(in: range), from: scan.codes, to: words, limit: limit)
                case .items(let range):
                    for item in items[range] {
                        var (bits, length) = (UInt64(item.bits), Int(item.size))
                        if item.code != ScanRowWriter.noCode {
                            let word = words[Int(item.code) * SymbolTables.size + Int(item.symbol)]
                            bits |= (word >> 8) << UInt64(length)
                            length += Int(word & 0xFF)
                        }
                        writer.put(bits, length)
                    }
                }
            }
        }
    }
}
