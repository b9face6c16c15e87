internal import PageModel

/// Parts of an image's coefficients, written as sequential JPEGs and read from them.
extension ProgressiveImage {
    /// Returns the part of the image in a rectangle on the MCU grid as a sequential JPEG.
    ///
    /// - Parameters:
    ///   - reduced: the image's outline, reduced to the segments of parts.
    ///   - rows: the coefficients of each component.
    func part(
        in rect: PixelRect, _ reduced: SequentialScan, from rows: [CoefficientRows]
    ) throws(ScanWalk.Fault) -> [UInt8] {
        var averages = outline.components.map { _ in 0 }
        let words = outline.codes.map(\.packedWords)
        var isWhole = true
        // A block has at most 15 bits of a difference, three symbols of 16 zeros, its end, and 18 bits for each coefficient.
        var most = 0
        forEachBlock(in: rect) { component, row, column in
            let nonzero = rows[component].nonzero[row * rows[component].columns + column]
            most += 15 + 4 * 8 + 18 * nonzero.nonzeroBitCount
        }
        let room = most / 8 + CodedData.slack
        let data = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = SequentialWriter(bits: BitWriter(target), differences: words[0], coefficients: words[1])
            forEachBlock(in: rect) { component, row, column in
                guard let start = rows[component].start(row: row, column: column) else { return isWhole = false }
                let mask = rows[component].nonzero[row * rows[component].columns + column]
                rows[component].values.withUnsafeBufferPointer { values in
                    writer.add(UnsafeBufferPointer(rebasing: values[start..<start + 64]), mask, &averages[component])
                }
            }
            writer.bits.finish()
            count = writer.bits.byteCount
            isWhole = isWhole && writer.isSound
        }
        guard isWhole else { throw ScanWalk.Fault() }
        var file = reduced.header(for: rect.size, codes: outline.codes)
        CodedData.append(data[...], to: &file)
        return file + [0xFF, 0xD9]
    }

    /// Replaces the coefficients in a rectangle by those of a part, and marks the rows of MCUs that change.
    func take(
        _ part: [UInt8], in rect: PixelRect, into rows: inout [CoefficientRows], changing isChanged: inout [Bool]
    ) throws(ScanWalk.Fault) {
        guard let scan = SequentialScan(part), scan.size == rect.size, scan.restartInterval == nil,
            scan.components.elementsEqual(outline.components, by: { $0.across == $1.across && $0.down == $1.down }),
            let data = CodedData(part, of: scan)
        else { throw ScanWalk.Fault() }
        var sink = CoefficientSink(components: scan.components.count, blocks: codedBlockCount(in: rect))
        let codings = Array(scan.components.indices)
        try ScanWalk.from(data, of: scan, as: codings) { walk throws(ScanWalk.Fault) in
            var last = codings.map { _ in 0 }
            try walk.read(scan.mcuCount.area, into: &sink, after: &last)
            try walk.checkWhole()
        }
        let sizes = outline.components.map { outline.blocks(of: $0, in: outline.size) }
        let downs = outline.components.map(\.down)
        sink.values.withUnsafeBufferPointer { values in
            guard var block = values.baseAddress else { return }
            forEachBlock(in: rect) { component, row, column in
                defer { block += 64 }
                // Other blocks only fill MCUs.
                guard row < sizes[component].height, column < sizes[component].width else { return }
                if rows[component].replace(row: row, column: column, with: block) {
                    isChanged[row / downs[component]] = true
                }
            }
        }
    }

    /// Returns the number of blocks of a rectangle, with those that only fill MCUs.
    private func codedBlockCount(in rect: PixelRect) -> Int {
        let grid = outline.grid
        let columns = (rect.width + grid.width - 1) / grid.width
        return columns * ((rect.height + grid.height - 1) / grid.height)
            * outline.components.reduce(0) { $0 + $1.blockCount }
    }

    /// Calls `body` with the blocks of a rectangle on the MCU grid, in the order of a sequential scan.
    private func forEachBlock(in rect: PixelRect, _ body: (_ component: Int, _ row: Int, _ column: Int) -> Void) {
        let grid = outline.grid
        let shapes = outline.components.map { (across: $0.across, down: $0.down) }
        for y in rect.y / grid.height..<(rect.y + rect.height + grid.height - 1) / grid.height {
            for x in rect.x / grid.width..<(rect.x + rect.width + grid.width - 1) / grid.width {
                for (index, shape) in shapes.enumerated() {
                    for block in 0..<shape.across * shape.down {
                        let (down, across) = block.quotientAndRemainder(dividingBy: shape.across)
                        body(index, y * shape.down + down, x * shape.across + across)
                    }
                }
            }
        }
    }
}

/// A writer of the blocks of a sequential scan (ITU-T T.81, F.1.2).
private struct SequentialWriter {
    var bits: BitWriter
    /// The words of the scan's codes: `JPEGCode.packedWords`.
    let differences: [UInt64]
    let coefficients: [UInt64]
    /// False after a coefficient that no image of 8 bits has.
    private(set) var isSound = true

    /// - Parameters:
    ///   - mask: the coefficients that are not zero.
    ///   - average: the first coefficient of the component's last block.
    mutating func add(_ block: UnsafeBufferPointer<Int16>, _ mask: UInt64, _ average: inout Int) {
        put(Int(block[0]) - average, 0, differences)
        average = Int(block[0])
        var (rest, last) = (mask, 0)
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest &- 1
            let zeros = place &- last &- 1
            for _ in 0..<zeros >> 4 { put(0, 15, coefficients) }
            put(Int(block[place]), zeros & 15, coefficients)
            last = place
        }
        if last < 63 { put(0, 0, coefficients) }
    }

    private mutating func put(_ value: Int, _ run: Int, _ words: [UInt64]) {
        let (size, additional) = JPEGCode.additionalBits(of: value)
        let word = size < 16 ? words[run << 4 | size] : 0
        guard word != 0 else { return isSound = false }
        bits.put((word >> 8) << UInt64(size) | UInt64(additional), Int(word & 0xFF) + size)
    }
}

/// A sink that keeps all coefficients, in zigzag order.
private struct CoefficientSink: SymbolSink {
    /// 64 values for each block.
    var values: [Int16]
    private var averages: [Int]
    private var block = -1
    private var place = 0

    init(components: Int, blocks: Int) {
        values = [Int16](repeating: 0, count: 64 * blocks)
        averages = [Int](repeating: 0, count: components)
    }

    var hasRoom: Bool { true }

    /// Not called: the symbols are read one by one.
    func take(_ entry: Int, _ bits: Int) throws(ScanWalk.Fault) { throw ScanWalk.Fault() }

    mutating func take(_ symbol: Int, _ bits: Int, _ size: Int, table: Int) throws(ScanWalk.Fault) {
        let value = JPEGCode.value(ofBits: bits, size)
        let (component, hasCoefficients) = SymbolTables.parts(of: table)
        if hasCoefficients {
            place += symbol >> 4 + 1
            // Neither 16 zeros nor the end of the block has a value.
            guard size > 0 else { return }
        } else {
            averages[component] += value
            (block, place) = (block + 1, 0)
        }
        let index = 64 * block + place
        guard place < 64, values.indices.contains(index),
            let number = Int16(exactly: hasCoefficients ? value : averages[component])
        else { throw ScanWalk.Fault() }
        values[index] = number
    }

    func endInterval() {}
}
