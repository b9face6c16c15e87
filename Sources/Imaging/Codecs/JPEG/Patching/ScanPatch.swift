internal import PageModel

/// An overlay on a JPEG's coded data. Only the MCUs around it are decoded.
///
/// The code of a block depends on other blocks only in its first coefficient (ITU-T T.81, F.1.2.1). So the symbols of
/// other MCUs are copied, and only differences from another block change. The Huffman tables stay, unless better tables
/// save much. They get codes for symbols without one.
struct ScanPatch {
    /// The part of a file's bytes that other tables must save.
    private static let minimumSaving = 0.005
    /// The number of pairs of tables in the baseline process (B.2.4.2).
    private static let maximumCodings = 2
    /// Of an image with at least `minimumRows` rows of MCUs, the symbols of one row in four are counted. All symbols of
    /// its tables get codes then, which makes files 0.1 % larger.
    private static let (sampleInterval, minimumRows) = (4, 64)

    /// The number of bits per block below which an image has many blank blocks. Gray pages of books have 16 to 35 bits, and
    /// color scans 38 to 98.
    private static let sparseBits = 36

    private let scan: SequentialScan
    private let width: Int
    private let data: CodedData
    /// The walks at the beginning of each row of MCUs, and after the last.
    private var starts: [ScanWalk] = []
    /// The symbols of every `interval`th row, and the places of rare symbols in all rows.
    private var survey: SymbolSurvey
    private let interval: Int

    /// Returns the JPEG under an overlay, and the factor by which the overlay makes the image larger under the best codes for
    /// each. The factor is 1 for a dense image.
    ///
    /// The result is nil for a JPEG of another kind or a damaged one. It is also nil if a gray JPEG becomes a color
    /// JPEG, or the overlay covers most of the image.
    static func patch(
        _ file: [UInt8], _ areas: [PictureOverlay.Area]
    ) -> (overlaid: JPEGSurgery.Overlaid, growth: Double)? {
        guard let scan = SequentialScan(file), scan.codes.count <= 2 * maximumCodings,
            let bands = PatchBand.bands(for: areas, on: scan), let data = CodedData(file, of: scan)
        else { return nil }
        return try? ScanWalk.from(data, of: scan) { walk throws(ScanWalk.Fault) in
            var patch = ScanPatch(scan, data)
            try patch.countSymbols(from: walk)
            let reduced = scan.forParts()
            var (parts, blocks) = ([PatchPart](), 0)
            for band in bands {
                var start = patch.starts[band.rect.y / scan.grid.height]
                let header = reduced.header(for: band.rect.size, codes: scan.codes)
                let part = try ScanCut.part(of: scan, in: band.rect, from: &start, header: header)
                let (patchPart, count) = try patch.part(part, band)
                parts.append(patchPart)
                blocks += count
            }
            let (result, growth) = try patch.result(with: parts)
            let share = Double(blocks) / Double(scan.blockCount(in: scan.size))
            return (JPEGSurgery.Overlaid(file: result, share: share), growth)
        }
    }

    private init(_ scan: SequentialScan, _ data: CodedData) {
        self.scan = scan
        self.data = data
        width = scan.mcuCount.width
        survey = SymbolSurvey(
            counter: SymbolCounter(codings: scan.codes.count / 2), rare: RareSymbols(byteCount: data.bytes.count))
        // All rows are counted if a code has a symbol that an image may not have.
        let isLarge = scan.mcuCount.height >= ScanPatch.minimumRows
        interval = isLarge && SymbolTables.areSound(scan.codes) ? ScanPatch.sampleInterval : 1
    }

    /// Returns a part of the image under its overlays, and the number of blocks that they touch.
    private func part(_ file: [UInt8], _ band: PatchBand) throws(ScanWalk.Fault) -> (PatchPart, blocks: Int) {
        if scan.components.count == 1, let (file, isTouched) = try? JPEGSurgery.composite(band.areasInPart, on: file) {
            return (
                PatchPart(file, in: band.rect, of: scan, replacing: isTouched), isTouched.count { $0 }
            )
        }
        guard let laid = try? JPEGSurgery.encode(band.areasInPart, on: file) else { throw ScanWalk.Fault() }
        let count = scan.blockCount(in: band.rect.size)
        return (
            PatchPart(laid.file, in: band.rect, of: scan),
            Int(clamping: (laid.share * Double(count)).rounded(), to: 0...count)
        )
    }

    /// Whether the symbols of a row of MCUs are counted: one of each `interval` rows. Their distances are uneven, because
    /// those of lines of text are even.
    private func isCounted(_ row: Int) -> Bool {
        let (group, place) = row.quotientAndRemainder(dividingBy: interval)
        return place == ((group &* 0x9E37) >> 8) % interval
    }

    /// Reads the whole scan. Damage shows at the end, if at all.
    private mutating func countSymbols(from walk: ScanWalk) throws(ScanWalk.Fault) {
        var image = PatchedWalk(walk, width: width)
        for row in 0..<scan.mcuCount.height {
            starts.append(image.walk)
            if isCounted(row) {
                try image.readRow(into: &survey)
            } else {
                try image.readRow(into: &survey.rare)
            }
        }
        starts.append(image.walk)
        try image.walk.checkWhole()
        survey.counter.resolve(walk.tables)
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

    private mutating func result(
        with parts: [PatchPart]
    ) throws(ScanWalk.Fault) -> (file: [UInt8], growth: Double) {
        let stretches = stretches(parts)
        var former = survey.counter
        former.multiply(by: interval)
        let changed = try changedSymbols(stretches)
        var symbols = survey.counter
        symbols.add(changed)
        guard symbols.areSound else { throw ScanWalk.Fault() }
        let (codes, areOwn) = try codes(for: symbols)
        guard let room = room(symbols, changed, codes) else { throw ScanWalk.Fault() }
        let intervals = data.ends.count
        var (isWritten, ends) = (false, [Int]())
        let written = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = SymbolWriter(target, room: room, codes, reading: starts[0].tables)
            isWritten = (try? write(stretches, keepsCodes: areOwn, to: &writer)) != nil
            (count, ends) = (writer.byteCount, writer.ends)
        }
        guard isWritten, ends.count == intervals else { throw ScanWalk.Fault() }
        let isSame = Swift.zip(codes, scan.codes).allSatisfy { $0.words.count == $1.words.count }
        var growth: Double?
        if 8 * data.bytes.count < ScanPatch.sparseBits * scan.blockCount(in: scan.size),
            let before = former.leastBitCount, let after = symbols.leastBitCount
        {
            growth = Double(after) / Double(max(before, 1))
        }
        return (scan.file(written, ends, areOwn && isSame ? nil : codes), growth ?? 1)
    }

    /// Returns the symbols of changed rows, and takes their former symbols from those of the image.
    private mutating func changedSymbols(_ stretches: [Stretch]) throws(ScanWalk.Fault) -> SymbolCounter {
        var (image, plain) = (PatchedWalk(starts[0], width: width), PatchedWalk(starts[0], width: width))
        var changed = SymbolCounter(codings: scan.codes.count / 2)
        survey.counter.step = -1
        for stretch in stretches {
            guard stretch.isChanged else {
                image.move(to: starts[stretch.rows.upperBound])
                continue
            }
            for row in stretch.rows where isCounted(row) {
                plain.move(to: starts[row])
                try plain.readRow(into: &survey.counter)
            }
            try ScanPatch.read(stretch, of: &image, into: &changed)
        }
        survey.counter.resolve(starts[0].tables)
        survey.counter.multiply(by: interval)
        changed.resolve(starts[0].tables)
        return changed
    }

    /// Returns the codes of the result, and whether they are the image's own, with more symbols if needed.
    private func codes(for symbols: SymbolCounter) throws(ScanWalk.Fault) -> (codes: [JPEGCode], areOwn: Bool) {
        var all = symbols
        if interval > 1 { all.include(scan.codes) }
        guard let best = all.optimalCodes(), let bitCount = symbols.bitCount(best) else { throw ScanWalk.Fault() }
        guard let own = ownCodes(with: symbols), let ownBitCount = symbols.bitCount(own) else { return (best, false) }
        let saving = (ownBitCount - bitCount) / 8 - (ScanPatch.size(best) - ScanPatch.size(own))
        let isBetter = Double(saving) > ScanPatch.minimumSaving * Double(ownBitCount / 8)
        return isBetter ? (best, false) : (own, true)
    }

    /// Returns the image's codes with more symbols, under which all data but rare symbols have the same bits.
    private func ownCodes(with symbols: SymbolCounter) -> [JPEGCode]? {
        let codes = scan.codes.enumerated().compactMap { number, code in
            // The places of differences with long codes are not known, and other places not always.
            let isKnown = !number.isMultiple(of: 2) && survey.rare.areComplete
            return code.adding(symbols.symbols(lackedBy: code, number), changingRare: isKnown)
        }
        return codes.count == scan.codes.count ? codes : nil
    }

    private static func size(_ codes: [JPEGCode]) -> Int { codes.reduce(0) { $0 + $1.table.count } }

    /// Returns the room for the result. If counts are estimates, it is enough unless other rows are very different.
    private func room(_ symbols: SymbolCounter, _ changed: SymbolCounter, _ codes: [JPEGCode]) -> Int? {
        guard var bits = symbols.bitCount(codes), let changed = changed.bitCount(codes) else { return nil }
        if interval > 1 { bits = max(bits, 8 * data.bytes.count) * 9 / 8 + changed }
        return SymbolWriter.room(bits: bits, intervals: data.ends.count)
    }

    /// - Parameter keepsCodes: whether only rare symbols have other codes than in the image.
    private func write(
        _ stretches: [Stretch], keepsCodes: Bool, to writer: inout SymbolWriter
    ) throws(ScanWalk.Fault) {
        let codes = scan.codes
        var image = PatchedWalk(starts[0], width: width)
        for stretch in stretches {
            if keepsCodes, !stretch.isChanged, let (range, isFirst) = sequence(of: stretch.rows) {
                if isFirst { writer.endInterval() }
                try writer.copy(range, of: starts[0].source, survey.rare.symbols(in: range), in: codes)
                image.move(to: starts[stretch.rows.upperBound])
            } else {
                try ScanPatch.read(stretch, of: &image, into: &writer)
            }
        }
        writer.endInterval()
    }

    /// Returns the bits of rows within a restart interval, and whether they are the first of it; nil for other rows.
    private func sequence(of rows: Range<Int>) -> (bits: Range<Int>, isFirst: Bool)? {
        let (start, end) = (starts[rows.lowerBound], starts[rows.upperBound])
        if start.interval == end.interval { return (start.place..<end.place, false) }
        guard start.left == 0, start.interval + 1 == end.interval else { return nil }
        return (8 * data.ends[start.interval]..<end.place, true)
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
