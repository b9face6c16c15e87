internal import PageModel

/// The symbols of a sequential JPEG, divided among the scans of a progressive JPEG (ITU-T T.81, G.1.2).
///
/// Each scan has a range of frequencies of a component. One symbol stands for a run of blocks without any of them, so blank
/// paper needs hardly a bit. The symbols of a sequential scan already contain all coefficients, so none is decoded.
struct SeparatedScans: SymbolSink {
    private var differences = FrequencyScan(0...0)
    private var components: [ComponentScans]
    /// The component of the block, and the place of its last coefficient.
    private var (component, place) = (-1, 0)

    /// Returns a JPEG of one or three components as a progressive one with the same coefficients. The result is nil for other
    /// JPEGs, damaged ones and those with restart markers.
    static func progressive(_ file: [UInt8]) -> [UInt8]? {
        guard let scan = SequentialScan(file), [1, 3].contains(scan.components.count), scan.restartInterval == nil,
            let data = CodedData(file, of: scan), let header = scan.segments.last?.contents
        else { return nil }
        var scans = SeparatedScans(scan)
        let codings = Array(scan.components.indices)
        let isRead: Void? = try? ScanWalk.from(data, of: scan, as: codings) { walk throws(ScanWalk.Fault) in
            var last = codings.map { _ in 0 }
            try walk.read(scan.mcuCount.area, into: &scans, after: &last)
            try walk.checkWhole()
        }
        let ids = codings.compactMap { header.uint8(at: 1 + 2 * $0) }.map { UInt8($0) }
        guard isRead != nil, ids.count == codings.count else { return nil }
        scans.endBlock()
        var result = scan.head(for: scan.size, process: 0xC2, keepsCodes: false)
        guard scans.differences.append(to: &result, components: ids) else { return nil }
        for (id, component) in zip(ids, scans.components) {
            for var part in component.scans {
                guard part.append(to: &result, components: [id]) else { return nil }
            }
        }
        return result + [0xFF, 0xD9]
    }

    private init(_ scan: SequentialScan) {
        components = scan.components.indices.map { ComponentScans($0, of: scan) }
    }

    var hasRoom: Bool { true }

    /// Not called: the symbols are read one by one.
    func take(_ entry: Int, _ bits: Int) throws(ScanWalk.Fault) { throw ScanWalk.Fault() }

    @inline(__always)
    mutating func take(_ symbol: Int, _ value: Int, _ size: Int, table: Int) throws(ScanWalk.Fault) {
        let (number, hasCoefficients) = SymbolTables.parts(of: table)
        guard hasCoefficients else {
            endBlock()
            component = number
            differences.take(number == 0 ? symbol : symbol + FrequencyScan.secondCode, value)
            return
        }
        let run = symbol >> 4
        place += run + 1
        // Neither 16 zeros nor the end of the block is a coefficient.
        guard size > 0 else { return }
        guard SymbolTables.isSound(table + symbol), place < 64 else { throw ScanWalk.Fault() }
        components[component].take(at: place, size, value)
    }

    func endInterval() {}

    private mutating func endBlock() {
        place = 0
        if component >= 0 { components[component].endBlock() }
    }
}

/// The scans of a component's coefficients, except the first of each block.
///
/// A sequential scan has the blocks of an MCU together. These scans have them row by row (ITU-T T.81, A.2.3). Blocks that
/// only fill MCUs are left out.
private struct ComponentScans {
    /// The scans, with the frequencies that `separate_scans` has in C.
    private(set) var scans: [FrequencyScan]
    private let lasts: (low: Int, middle: Int)
    /// The blocks of an MCU across and down, and those of a row of MCUs.
    private let (across, down, rowBlocks): (Int, Int, Int)
    /// The blocks of the component, without those that only fill MCUs.
    private let size: PixelSize
    /// Whether the blocks of an MCU are in another order than in these scans.
    private let isReordered: Bool
    /// The coefficients of a row of MCUs, and for each of its blocks, where they end.
    private var items: [UInt32] = []
    private var ends: [Int] = []
    /// The rows of blocks before it.
    private var firstRow = 0

    init(_ number: Int, of scan: SequentialScan) {
        let component = scan.components[number]
        let last = scan.components.count == 1 ? [9, 27, 63] : number == 0 ? [9, 63] : [63]
        scans = zip([1] + last.map { $0 + 1 }, last).map { FrequencyScan($0...$1) }
        lasts = (last[0], last.count > 1 ? last[1] : last[0])
        (across, down) = (component.across, component.down)
        rowBlocks = across * down * scan.mcuCount.width
        size = scan.blocks(of: component, in: scan.size)
        isReordered = across * down > 1
    }

    @inline(__always)
    mutating func take(at place: Int, _ size: Int, _ value: Int) {
        if isReordered {
            items.append(UInt32(truncatingIfNeeded: place << 20 | size << 16 | value))
        } else {
            add(at: place, size, value)
        }
    }

    @inline(__always)
    mutating func endBlock() {
        guard isReordered else { return endScansBlock() }
        ends.append(items.count)
        if ends.count == rowBlocks { endRow() }
    }

    private mutating func endRow() {
        for row in 0..<min(down, size.height - firstRow) {
            for column in 0..<size.width {
                let (mcu, place) = column.quotientAndRemainder(dividingBy: across)
                let block = mcu * across * down + row * across + place
                for index in (block == 0 ? 0 : ends[block - 1])..<ends[block] {
                    let item = items[index]
                    add(at: Int(item >> 20), Int(item >> 16 & 15), Int(item & 0xFFFF))
                }
                endScansBlock()
            }
        }
        items.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        firstRow += down
    }

    @inline(__always)
    private mutating func add(at place: Int, _ size: Int, _ value: Int) {
        scans[place <= lasts.low ? 0 : place <= lasts.middle ? 1 : 2].take(at: place, size, value)
    }

    @inline(__always)
    private mutating func endScansBlock() {
        for scan in scans.indices { scans[scan].endBlock() }
    }
}
