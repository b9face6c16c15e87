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
            let bands = PatchBand.bands(for: areas, on: scan), let data = CodedData(file, of: scan)
        else { return nil }
        return try? ScanWalk.from(data, of: scan) { walk throws(ScanWalk.Fault) in
            var patch = ScanPatch(scan)
            try patch.countSymbols(from: walk)
            let reduced = scan.forParts()
            var (parts, blocks) = ([PatchPart](), 0)
            for band in bands {
                var start = patch.starts[band.rect.y / scan.grid.height]
                let header = reduced.header(for: band.rect.size, codes: scan.codes)
                let part = try ScanCut.part(of: scan, in: band.rect, from: &start, header: header)
                guard let (file, share) = try? JPEGSurgery.encode(band.areasInPart, on: part) else {
                    throw ScanWalk.Fault()
                }
                parts.append(PatchPart(file, in: band.rect, of: scan))
                let count = scan.blockCount(in: band.rect.size)
                blocks += Int(clamping: (share * Double(count)).rounded(), to: 0...count)
            }
            let result = try patch.result(with: parts)
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
        for _ in 0..<scan.mcuCount.height {
            starts.append(image.walk)
            try image.readRow(into: &counter)
        }
        starts.append(image.walk)
        try image.walk.checkWhole()
        counter.resolve(walk.tables)
    }
}

// MARK: The result

extension ScanPatch {
    /// Rows of MCUs that are read at once: those of a part, or one without a part.
    private struct Stretch {
        let rows: Range<Int>
        let part: PatchPart?
        /// Whether it has other symbols than the image. The first differences of the row after a part change, too.
        let isChanged: Bool
    }

    /// - Parameter parts: the parts from the top down.
    private func stretches(_ parts: [PatchPart]) -> [Stretch] {
        var stretches: [Stretch] = []
        var (row, isChanged) = (0, false)
        func addRows(until end: Int) {
            for row in row..<end {
                stretches.append(Stretch(rows: row..<row + 1, part: nil, isChanged: isChanged))
                isChanged = false
            }
        }
        for part in parts {
            addRows(until: part.rows.lowerBound)
            stretches.append(Stretch(rows: part.rows, part: part, isChanged: true))
            (row, isChanged) = (part.rows.upperBound, true)
        }
        addRows(until: scan.mcuCount.height)
        return stretches
    }

    private mutating func result(with parts: [PatchPart]) throws(ScanWalk.Fault) -> [UInt8] {
        let stretches = stretches(parts)
        try countAgain(stretches)
        let codes = try codes()
        guard let bitCount = counter.bitCount(codes ?? scan.codes) else { throw ScanWalk.Fault() }
        let intervals = starts[0].data.ends.count
        let room = SymbolWriter.room(bits: bitCount, intervals: intervals)
        var (isWritten, ends) = (false, [Int]())
        let data = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = SymbolWriter(target, room: room, codes ?? scan.codes, reading: starts[0].tables)
            isWritten = (try? write(stretches, keepsCodes: codes == nil, to: &writer)) != nil
            (count, ends) = (writer.byteCount, writer.ends)
        }
        guard isWritten, ends.count == intervals else { throw ScanWalk.Fault() }
        return scan.file(data, ends, codes)
    }

    /// Counts the symbols of changed rows again.
    private mutating func countAgain(_ stretches: [Stretch]) throws(ScanWalk.Fault) {
        var (image, plain) = (PatchedWalk(starts[0], width: width), PatchedWalk(starts[0], width: width))
        for stretch in stretches {
            guard stretch.isChanged else {
                image.move(to: starts[stretch.rows.upperBound])
                continue
            }
            plain.move(to: starts[stretch.rows.lowerBound])
            counter.step = -1
            for _ in stretch.rows { try plain.readRow(into: &counter) }
            counter.step = 1
            try ScanPatch.read(stretch, of: &image, into: &counter)
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
        _ stretches: [Stretch], keepsCodes: Bool, to writer: inout SymbolWriter
    ) throws(ScanWalk.Fault) {
        var image = PatchedWalk(starts[0], width: width)
        for stretch in stretches {
            let (start, end) = (starts[stretch.rows.lowerBound], starts[stretch.rows.upperBound])
            // A row within a restart interval is a sequence of bits.
            if keepsCodes, !stretch.isChanged, start.interval == end.interval {
                try writer.copy(start.place..<end.place, of: start.source)
                image.move(to: end)
            } else {
                try ScanPatch.read(stretch, of: &image, into: &writer)
            }
        }
        writer.endInterval()
    }

    private static func read<Sink: SymbolSink>(
        _ stretch: Stretch, of image: inout PatchedWalk, into sink: inout Sink
    ) throws(ScanWalk.Fault) {
        if let part = stretch.part {
            try image.readRows(of: part, into: &sink)
        } else {
            try image.readRow(into: &sink)
        }
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
