internal import PageModel

/// A part that was encoded again, in place of a rectangle of MCUs.
struct PatchPart {
    let columns: Range<Int>
    let rows: Range<Int>
    private let size: PixelSize
    /// The part's file. It is read again for each use, because the tables of many parts would take much memory.
    private let file: [UInt8]
    private let image: SequentialScan
    /// For each of its MCUs, row by row, whether it replaces the image's; nil if all do.
    private let isTouched: [Bool]?

    /// - Parameters:
    ///   - rect: the part's place in the image, on the MCU grid.
    ///   - isTouched: for each of its MCUs, row by row, whether it replaces the image's; nil if all do.
    init(_ file: [UInt8], in rect: PixelRect, of image: SequentialScan, replacing isTouched: [Bool]? = nil) {
        func mcus(_ start: Int, _ count: Int, _ unit: Int) -> Range<Int> {
            start / unit..<(start + count + unit - 1) / unit
        }
        columns = mcus(rect.x, rect.width, image.grid.width)
        rows = mcus(rect.y, rect.height, image.grid.height)
        size = rect.size
        self.file = file
        self.image = image
        self.isTouched = isTouched
    }

    /// Calls `body` with each run of a row's MCUs that replace the image's, or that do not.
    ///
    /// - Parameter row: the row in the part.
    func forEachRun(
        inRow row: Int, _ body: (_ count: Int, _ isTouched: Bool) throws(ScanWalk.Fault) -> Void
    ) throws(ScanWalk.Fault) {
        guard let isTouched else { return try body(columns.count, true) }
        var places = isTouched[row * columns.count..<(row + 1) * columns.count]
        while let first = places.first {
            let run = places.prefix { $0 == first }
            try body(run.count, first)
            places = places[run.endIndex...]
        }
    }

    /// Calls `body` with a walk at the part's first MCU. A sink gets the symbols under the image's codings.
    func withWalk(_ body: (inout ScanWalk) throws(ScanWalk.Fault) -> Void) throws(ScanWalk.Fault) {
        guard let scan = SequentialScan(file), scan.size == size, scan.restartInterval == nil,
            scan.components.elementsEqual(image.components, by: { $0.across == $1.across && $0.down == $1.down }),
            let data = CodedData(file, of: scan)
        else { throw ScanWalk.Fault() }
        try ScanWalk.from(data, of: scan, as: image.components.map(\.coding), body)
    }
}
