internal import PageModel

/// An overlay on a JPEG's coded data. Only the MCUs around it are decoded.
///
/// The code of a block depends on other blocks only in its first coefficient (ITU-T T.81, F.1.2.1). So the symbols of
/// other MCUs are copied, and only differences from another block change. The Huffman tables stay, unless a symbol has
/// no code or better tables save much.
struct ScanPatch {
    /// The part of a file's bytes that other tables must save.
    private static let minimumSaving = 0.005
    /// The number of pairs of tables in the baseline process (B.2.4.2).
    private static let maximumCodings = 2

    private let scan: SequentialScan
    private let width: Int
    /// The walks at the beginning of each row of MCUs, and after the last.
    private var starts: [ScanWalk] = []
    private var counter: SymbolCounter

    /// Returns the JPEG under an overlay, and the fraction of its blocks that were encoded again.
    ///
    /// The result is nil for a JPEG of another kind or a damaged one. It is also nil if a gray JPEG becomes a color
    /// JPEG, or the overlay covers most of the image.
    static func patch(
        _ file: [UInt8], _ areas: [PictureOverlay.Area]
    ) -> (file: [UInt8], share: Double)? {
        guard let scan = SequentialScan(file), scan.codes.count <= 2 * maximumCodings,
            let bands = PatchBand.bands(for: areas, on: scan), let data = CodedData(file, from: scan.dataOffset)
        else { return nil }
        return try? ScanWalk.from(data, of: scan) { walk throws(ScanWalk.Fault) in
            var patch = ScanPatch(scan)
            try patch.countSymbols(from: walk)
            var (patched, blocks) = ([Patched](), 0)
            for band in bands {
                var start = patch.starts[band.rect.y / scan.grid.height]
                let part = try ScanCut.part(of: scan, in: band.rect, from: &start)
                guard let (file, share) = try? JPEGSurgery.encode(band.areasInPart, on: part),
                    let result = Patched(file, in: band.rect),
                    result.scan.components.elementsEqual(
                        scan.components, by: { $0.across == $1.across && $0.down == $1.down })
                else { throw ScanWalk.Fault() }
                patched.append(result)
                let count = scan.blockCount(in: band.rect.size)
                blocks += Int(clamping: (share * Double(count)).rounded(), to: 0...count)
            }
            let result = try ScanPatch.withParts(patched[...], on: scan) { parts throws(ScanWalk.Fault) in
                try patch.result(with: parts)
            }
            return (result, Double(blocks) / Double(scan.blockCount(in: scan.size)))
        }
    }

    private init(_ scan: SequentialScan) {
        self.scan = scan
        width = scan.mcuCount.width
        counter = SymbolCounter(codings: scan.codes.count / 2)
    }

    /// Reads the whole scan. Damage shows at the end, if at all.
    private mutating func countSymbols(from walk: ScanWalk) throws(ScanWalk.Fault) {
        var image = PatchedWalk(walk, width: width)
        for row in 0..<scan.mcuCount.height {
            starts.append(image.walk)
            try image.readRow(row, into: &counter)
        }
        starts.append(image.walk)
        try image.walk.checkWhole()
        counter.resolve(walk.tables)
    }
}

// MARK: The parts

extension ScanPatch {
    /// A part that was encoded again.
    private struct Patched {
        let rect: PixelRect
        let scan: SequentialScan
        let data: CodedData

        init?(_ file: [UInt8], in rect: PixelRect) {
            guard let scan = SequentialScan(file), scan.size == rect.size, scan.restartInterval == nil,
                let data = CodedData(file, from: scan.dataOffset)
            else { return nil }
            (self.rect, self.scan, self.data) = (rect, scan, data)
        }
    }

    /// Calls `body` with walks through the parts, which are valid only during the call.
    private static func withParts<Value>(
        _ patched: ArraySlice<Patched>, on scan: SequentialScan, _ parts: [PatchedWalk.Part] = [],
        _ body: ([PatchedWalk.Part]) throws(ScanWalk.Fault) -> Value
    ) throws(ScanWalk.Fault) -> Value {
        guard let first = patched.first else { return try body(parts) }
        return try ScanWalk.from(first.data, of: first.scan, as: scan.components.map(\.coding)) {
            walk throws(ScanWalk.Fault) in
            let (column, row) = (first.rect.x / scan.grid.width, first.rect.y / scan.grid.height)
            let count = first.scan.mcuCount
            let part = PatchedWalk.Part(
                columns: column..<column + count.width, rows: row..<row + count.height, walk: walk)
            return try withParts(patched.dropFirst(), on: scan, parts + [part], body)
        }
    }
}

// MARK: The result

extension ScanPatch {
    private mutating func result(with parts: [PatchedWalk.Part]) throws(ScanWalk.Fault) -> [UInt8] {
        let image = PatchedWalk(starts[0], width: width, parts: parts)
        // The first differences of the row after a part change, too.
        let changed = (0..<scan.mcuCount.height).map { row in
            parts.contains { $0.rows.contains(row) || $0.rows.upperBound == row }
        }
        try countAgain(changed, image)
        let codes = try codes()
        guard let bitCount = counter.bitCount(codes ?? scan.codes) else { throw ScanWalk.Fault() }
        let intervals = starts[0].data.ends.count
        let room = SymbolWriter.room(bits: bitCount, intervals: intervals)
        var (isWritten, ends) = (false, [Int]())
        let data = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = SymbolWriter(target, room: room, codes ?? scan.codes, reading: starts[0].tables)
            isWritten = (try? write(image, changed, keepsCodes: codes == nil, to: &writer)) != nil
            (count, ends) = (writer.byteCount, writer.ends)
        }
        guard isWritten, ends.count == intervals else { throw ScanWalk.Fault() }
        return scan.file(data, ends, codes)
    }

    /// Counts the symbols of changed rows again.
    private mutating func countAgain(_ changed: [Bool], _ image: PatchedWalk) throws(ScanWalk.Fault) {
        var (image, plain) = (image, PatchedWalk(starts[0], width: width))
        for row in changed.indices where changed[row] {
            plain.move(to: starts[row])
            counter.step = -1
            try plain.readRow(row, into: &counter)
            if row == 0 || !changed[row - 1] { image.move(to: starts[row]) }
            counter.step = 1
            try image.readRow(row, into: &counter)
        }
        counter.resolve(starts[0].tables)
        guard counter.areSound else { throw ScanWalk.Fault() }
    }

    /// Returns the codes of the result; nil for the image's own.
    private func codes() throws(ScanWalk.Fault) -> [JPEGCode]? {
        guard let best = counter.optimalCodes(), let bitCount = counter.bitCount(best) else { throw ScanWalk.Fault() }
        guard let own = counter.bitCount(scan.codes) else { return best }
        let saving = (own - bitCount) / 8 - (ScanPatch.size(best) - ScanPatch.size(scan.codes))
        return Double(saving) > ScanPatch.minimumSaving * Double(own / 8) ? best : nil
    }

    private static func size(_ codes: [JPEGCode]) -> Int { codes.reduce(0) { $0 + $1.table.count } }

    private func write(
        _ image: PatchedWalk, _ changed: [Bool], keepsCodes: Bool, to writer: inout SymbolWriter
    ) throws(ScanWalk.Fault) {
        var image = image
        for row in changed.indices {
            let (start, end) = (starts[row], starts[row + 1])
            // A row within a restart interval is a sequence of bits.
            if keepsCodes, !changed[row], start.interval == end.interval {
                try writer.copy(start.place..<end.place, of: start.source)
                image.move(to: end)
            } else {
                try image.readRow(row, into: &writer)
            }
        }
        writer.endInterval()
    }
}

extension SequentialScan {
    /// The codes of each coding: of differences, then of coefficients.
    fileprivate var codes: [JPEGCode] {
        components.reduce(into: []) { codes, component in
            if codes.count == 2 * component.coding { codes += [component.difference, component.coefficients] }
        }
    }

    /// Returns the number of blocks of a part of the image, without those that only fill MCUs.
    fileprivate func blockCount(in size: PixelSize) -> Int {
        components.reduce(0) { sum, component in
            let across = (size.width * component.across + grid.width - 1) / grid.width
            return sum + across * ((size.height * component.down + grid.height - 1) / grid.height)
        }
    }

    /// Returns the file with other coded data.
    ///
    /// - Parameters:
    ///   - ends: the ends of the restart intervals in `data`.
    ///   - codes: the codes of the data; nil for the image's own.
    fileprivate func file(_ data: [UInt8], _ ends: [Int], _ codes: [JPEGCode]?) -> [UInt8] {
        var file = header(for: size, restarts: true, codes: codes)
        file.reserveCapacity(file.count + data.count * 65 / 64 + 2 * ends.count + 2)
        var start = 0
        for (index, end) in ends.enumerated() {
            if index > 0 { file += [0xFF, 0xD0 + UInt8((index - 1) & 7)] }
            CodedData.append(data[start..<end], to: &file)
            start = end
        }
        file += [0xFF, 0xD9]
        return file
    }
}
