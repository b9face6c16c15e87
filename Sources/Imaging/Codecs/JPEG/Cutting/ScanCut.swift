internal import PageModel

/// Cuts a part out of a JPEG's coded data without decoding it.
///
/// What is coded of a block depends on other blocks only in its first coefficient, the average, which is told by how much
/// it differs from that of the component's last block (ITU-T T.81, F.1.2.1). So the bits of MCUs that follow each other as
/// before are copied as they are, and only differences from another block than before are coded anew: along the left
/// side of the cut.
struct ScanCut {
    private let components: [SequentialScan.Component]
    /// The MCUs of the picture in a row, and of the part across and down.
    private let width: Int
    private let height: Int
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// Of each component, how many of its blocks in the part's last column and row belong to the part.
    private let lastAcross: [Int]
    private let lastDown: [Int]
    private var walk: ScanWalk
    private var writer: BitWriter
    private let source: UnsafeRawPointer
    /// Of each component, the average of the block that was last written.
    private var averages: [Int]

    /// - Parameter rect: its top and left side lie on the grid.
    /// - Returns: nil where it cannot be had in this way: the JPEG is of another kind or damaged, or its Huffman tables
    ///   lack a code that it takes.
    static func cut(_ file: [UInt8], to rect: PixelRect) -> [UInt8]? {
        guard let scan = SequentialScan(file), let data = CodedData(file, from: scan.dataOffset),
            rect.x.isMultiple(of: scan.grid.width), rect.y.isMultiple(of: scan.grid.height),
            PixelRect(x: 0, y: 0, scan.size).contains(rect)
        else { return nil }
        let blockCount = ScanCut.blockCount(rect, of: scan)
        // No block takes less than two bits.
        guard blockCount <= data.bytes.count * 4 else { return nil }
        var tables: [UInt16] = []
        for component in scan.components where component.coding * BlockTables.size == tables.count {
            tables += BlockTables.make(difference: component.difference, coefficients: component.coefficients)
        }
        var isCut = false
        // A block grows by no more than 4 bytes: the longest codes of a difference and of a block's end.
        let room = data.bytes.count + 4 * blockCount + 8
        let part = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            data.bytes.withUnsafeBytes { bytes in
                tables.withUnsafeBufferPointer { tables in
                    guard let target = target.baseAddress, let source = bytes.baseAddress,
                        let tables = tables.baseAddress
                    else { return }
                    var cut = ScanCut(
                        rect, of: scan, ScanWalk(data, of: scan, source: source, tables: tables), source: source,
                        target: target)
                    isCut = (try? cut.carryOut()) != nil
                    count = cut.writer.byteCount
                }
            }
        }
        guard isCut else { return nil }
        var result = scan.header(for: rect.size)
        CodedData.append(part, to: &result)
        result += [0xFF, 0xD9]
        return result
    }

    /// The most blocks that a part can have.
    private static func blockCount(_ rect: PixelRect, of scan: SequentialScan) -> Int {
        (rect.width / scan.grid.width + 1) * (rect.height / scan.grid.height + 1)
            * scan.components.reduce(0) { $0 + $1.blockCount }
    }

    private init(
        _ rect: PixelRect, of scan: SequentialScan, _ walk: ScanWalk, source: UnsafeRawPointer,
        target: UnsafeMutableRawPointer
    ) {
        func count(_ length: Int, _ unit: Int) -> Int { (length + unit - 1) / unit }
        let grid = scan.grid
        components = scan.components
        width = count(scan.size.width, grid.width)
        height = count(scan.size.height, grid.height)
        columns = rect.x / grid.width..<count(rect.x + rect.width, grid.width)
        rows = rect.y / grid.height..<count(rect.y + rect.height, grid.height)
        let (across, down) = (columns.count - 1, rows.count - 1)
        lastAcross = scan.components.map { count(rect.width * $0.across, grid.width) - across * $0.across }
        lastDown = scan.components.map { count(rect.height * $0.down, grid.height) - down * $0.down }
        self.walk = walk
        self.source = source
        writer = BitWriter(target)
        averages = scan.components.map { _ in 0 }
    }

    private mutating func carryOut() throws(ScanWalk.Fault) {
        try walk.skip(rows.lowerBound * width)
        for row in rows {
            try walk.skip(columns.lowerBound)
            try copyRow(isLast: row == rows.upperBound - 1)
            try walk.skip(width - columns.upperBound)
        }
        // Damage shows at the end, if at all: codes soon fall into step again, but their number is another.
        try walk.skip((height - rows.upperBound) * width)
        try walk.checkWhole()
        writer.finish()
    }

    /// Copies a row of MCUs from the part's left side to its right.
    private mutating func copyRow(isLast: Bool) throws(ScanWalk.Fault) {
        // The MCUs of the last column and row may have blocks that are no part of the picture.
        let hasHalfColumn = components.indices.contains { lastAcross[$0] < components[$0].across }
        let isHalf = isLast && components.indices.contains { lastDown[$0] < components[$0].down }
        let end = isHalf ? columns.lowerBound : hasHalfColumn ? columns.upperBound - 1 : columns.upperBound
        var column = columns.lowerBound
        while column < columns.upperBound {
            if column == columns.lowerBound || column >= end || walk.left == 0 {
                try copyMCU(isLastColumn: column == columns.upperBound - 1, isLastRow: isLast)
                column += 1
            } else {
                let next = min(end, column + walk.left)
                let start = walk.place
                try walk.skip(next - column)
                writer.copy(start..<walk.place, of: source)
                averages = walk.averages
                column = next
            }
        }
    }

    /// Copies an MCU, telling its differences anew.
    private mutating func copyMCU(isLastColumn: Bool, isLastRow: Bool) throws(ScanWalk.Fault) {
        try walk.beginMCU()
        for (index, component) in components.enumerated() {
            let across = isLastColumn ? lastAcross[index] : component.across
            let down = isLastRow ? lastDown[index] : component.down
            for block in 0..<component.blockCount {
                let rest = try walk.takeBlock(of: index)
                if block % component.across < across, block / component.across < down {
                    try write(difference: walk.averages[index] - averages[index], of: component)
                    averages[index] = walk.averages[index]
                    writer.copy(rest, of: source)
                } else {
                    // It only fills the MCU, and is as bright as the last (A.2.4).
                    try write(difference: 0, of: component)
                    try write(0, of: component.coefficients)
                }
            }
        }
    }

    /// Writes by how much a block is brighter than the last (F.1.2.1).
    private mutating func write(difference: Int, of component: SequentialScan.Component) throws(ScanWalk.Fault) {
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        guard size <= BlockTables.mostDifference else { throw ScanWalk.Fault() }
        try write(size, of: component.difference)
        let value = difference < 0 ? difference - 1 : difference
        writer.put(UInt64(truncatingIfNeeded: value & (1 << size - 1)), size)
    }

    private mutating func write(_ symbol: Int, of code: JPEGCode) throws(ScanWalk.Fault) {
        guard let word = code.word(for: symbol) else { throw ScanWalk.Fault() }
        writer.put(UInt64(word.code), word.length)
    }
}
