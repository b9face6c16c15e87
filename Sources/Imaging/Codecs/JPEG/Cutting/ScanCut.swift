internal import PageModel

/// A crop of a JPEG's coded data without decoding it.
///
/// The code of a block depends on other blocks only in its first coefficient, the average. It is stored as the difference from
/// the component's last block (ITU-T T.81, F.1.2.1). So the bits of MCUs whose predecessor is unchanged are copied as they are.
/// Only differences from another block are coded again: along the left side of the cut.
struct ScanCut {
    private let components: [SequentialScan.Component]
    /// The number of MCUs in a row of the image, and in the part across and down.
    private let width: Int
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// For each component, the number of its blocks in the part's last column and row that belong to the part.
    private let lastAcross: [Int]
    private let lastDown: [Int]
    private var walk: ScanReader
    private var writer: BitWriter
    /// For each component, the average of the last block written.
    private var averages: [Int]

    /// Returns the part of a JPEG in `rect`, whose top and left sides must be on the MCU grid. The result is nil for a JPEG of
    /// another kind or a damaged one. It is also nil if the Huffman tables lack a code that the cut needs.
    static func cut(_ file: [UInt8], to rect: PixelRect) -> [UInt8]? {
        guard let scan = SequentialScan(file), let data = CodedData(file, of: scan),
            rect.x.isMultiple(of: scan.grid.width), rect.y.isMultiple(of: scan.grid.height),
            PixelRect(x: 0, y: 0, scan.size).contains(rect)
        else { return nil }
        let (width, height) = (scan.mcuCount.width, scan.mcuCount.height)
        let end = (rect.y + rect.height + scan.grid.height - 1) / scan.grid.height
        return try? ScanReader.from(data, of: scan) { walk throws(ScanReader.Fault) in
            try walk.skip(rect.y / scan.grid.height * width)
            let part = try part(of: scan, in: rect, from: &walk)
            // Damage shows at the end, if at all: codes soon resynchronize, but with a different count.
            try walk.skip((height - end) * width)
            try walk.checkWhole()
            return part
        }
    }

    /// - Parameter walk: a walk at the first MCU of the first row; it ends after the last row.
    private static func part(
        of scan: SequentialScan, in rect: PixelRect, from walk: inout ScanReader
    ) throws(ScanReader.Fault) -> [UInt8] {
        let blockCount = ScanCut.blockCount(rect, of: scan)
        // No block has fewer than two bits.
        guard blockCount <= walk.data.bytes.count * 4 else { throw ScanReader.Fault() }
        var isCut = false
        // A block grows by at most 4 bytes: the longest codes of a difference and of a block's end.
        let room = walk.data.bytes.count + 4 * blockCount + 8
        let part = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            guard let target = target.baseAddress else { return }
            var cut = ScanCut(rect, of: scan, walk, target: target)
            isCut = (try? cut.carryOut()) != nil
            count = cut.writer.byteCount
            walk = cut.walk
        }
        guard isCut else { throw ScanReader.Fault() }
        var result = scan.header(for: rect.size)
        result.reserveCapacity(result.count + part.count * 65 / 64 + 4)
        CodedData.append(part, to: &result)
        result += [0xFF, 0xD9]
        return result
    }

    /// Returns the maximum number of blocks of a part.
    private static func blockCount(_ rect: PixelRect, of scan: SequentialScan) -> Int {
        (rect.width / scan.grid.width + 1) * (rect.height / scan.grid.height + 1)
            * scan.components.reduce(0) { $0 + $1.blockCount }
    }

    private init(
        _ rect: PixelRect, of scan: SequentialScan, _ walk: ScanReader, target: UnsafeMutableRawPointer
    ) {
        func count(_ length: Int, _ unit: Int) -> Int { (length + unit - 1) / unit }
        let grid = scan.grid
        components = scan.components
        width = scan.mcuCount.width
        columns = rect.x / grid.width..<count(rect.x + rect.width, grid.width)
        rows = rect.y / grid.height..<count(rect.y + rect.height, grid.height)
        let (across, down) = (columns.count - 1, rows.count - 1)
        lastAcross = scan.components.map { count(rect.width * $0.across, grid.width) - across * $0.across }
        lastDown = scan.components.map { count(rect.height * $0.down, grid.height) - down * $0.down }
        self.walk = walk
        writer = BitWriter(target)
        averages = scan.components.map { _ in 0 }
    }

    private mutating func carryOut() throws(ScanReader.Fault) {
        for row in rows {
            try walk.skip(columns.lowerBound)
            try copyRow(isLast: row == rows.upperBound - 1)
            try walk.skip(width - columns.upperBound)
        }
        writer.finish()
    }

    /// Copies a row of MCUs from the part's left side to its right.
    private mutating func copyRow(isLast: Bool) throws(ScanReader.Fault) {
        // The MCUs of the last column and row may have blocks outside the image.
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
                writer.copy(start..<walk.place, of: walk.source)
                averages = walk.averages
                column = next
            }
        }
    }

    /// Copies an MCU and codes its differences again.
    private mutating func copyMCU(isLastColumn: Bool, isLastRow: Bool) throws(ScanReader.Fault) {
        try walk.beginMCU()
        for (index, component) in components.enumerated() {
            let across = isLastColumn ? lastAcross[index] : component.across
            let down = isLastRow ? lastDown[index] : component.down
            for block in 0..<component.blockCount {
                let rest = try walk.takeBlock(of: index)
                if block % component.across < across, block / component.across < down {
                    try write(difference: walk.averages[index] - averages[index], of: component)
                    averages[index] = walk.averages[index]
                    writer.copy(rest, of: walk.source)
                } else {
                    // The block only fills the MCU, and is as bright as the last (A.2.4).
                    try write(difference: 0, of: component)
                    try write(0, of: component.coefficients)
                }
            }
        }
    }

    /// Writes the difference in brightness between a block and the last (F.1.2.1).
    private mutating func write(difference: Int, of component: SequentialScan.Component) throws(ScanReader.Fault) {
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        guard size <= BlockTables.maximumDifference else { throw ScanReader.Fault() }
        try write(size, of: component.difference)
        let value = difference < 0 ? difference - 1 : difference
        writer.put(UInt64(truncatingIfNeeded: value & (1 << size - 1)), size)
    }

    private mutating func write(_ symbol: Int, of code: JPEGCode) throws(ScanReader.Fault) {
        guard let word = code.word(for: symbol) else { throw ScanReader.Fault() }
        writer.put(UInt64(word.code), word.length)
    }
}
