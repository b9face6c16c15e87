import PageModel
import Scratch
import Testing

@testable import Imaging

/// Overlays on coded data have the coefficients that libjpeg makes of the whole image.
@Suite struct JPEGPatchTests {
    static let size = PixelSize(width: 203, height: 317)
    /// The symbols of only some rows are counted.
    private static let tallSize = PixelSize(width: 101, height: 1107)

    /// Strokes of a color, with smooth edges.
    static func strokes(_ rect: PixelRect, _ color: UInt8 = 0) -> PictureOverlay.Area {
        var (black, white): ([UInt8], [UInt8]) = ([], [])
        for place in 0..<rect.size.area {
            let step = (place % rect.width + place / rect.width / 3) % 7
            black += [UInt8](repeating: step == 0 ? color : 0, count: 3)
            white += [UInt8](repeating: step == 0 ? color : step == 1 ? 128 : 255, count: 3)
        }
        return PictureOverlay.Area(rect, black: black, white: white)
    }

    static let areas = [
        strokes(PixelRect(x: 21, y: 40, width: 50, height: 9)), strokes(PixelRect(x: 110, y: 37, width: 9, height: 3)),
        strokes(PixelRect(x: 150, y: 300, width: 53, height: 17)),
    ]

    /// Returns the coefficients, as the file that jpegtran makes of nothing else.
    static func coefficients(_ file: [UInt8]) throws -> [UInt8] {
        try ReferenceTool.output("jpegtran -copy none -optimize in > out", file, as: "")
    }

    private static func patched(_ file: [UInt8], _ areas: [PictureOverlay.Area]) -> (file: [UInt8], share: Double)? {
        ScanPatch.patch(file, areas).map { ($0.overlaid.file, $0.overlaid.share) }
    }

    private static func requireEqual(_ file: [UInt8], _ areas: [PictureOverlay.Area], _ name: String) throws -> [UInt8]
    {
        // Only levels of gray over a gray image are encoded without the image's other blocks.
        let levels = PictureOverlay(areas).withoutTint.areas
        if JPEGHeader(file)?.components.count == 1, levels != areas {
            #expect(try requireEqual(file, levels, "\(name), gray") == requireEqualColors(file, areas, name))
        }
        return try requireEqualColors(file, areas, name)
    }

    private static func requireEqualColors(
        _ file: [UInt8], _ areas: [PictureOverlay.Area], _ name: String
    ) throws -> [UInt8] {
        let quick = try #require(patched(file, areas), "\(name)")
        let whole = try JPEGSurgery.encode(areas, on: file)
        #expect(quick.share == whole.share, "\(name)")
        #expect(try coefficients(quick.file) == coefficients(whole.file), "\(name)")
        #expect(quick.file.count <= whole.file.count * 101 / 100 + 200, "\(name)")
        return quick.file
    }

    @Test(
        .needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases,
        ["", "-restart 1B", "-restart 3B", "-restart 1"])
    func coefficientsAreThoseOfTheWholeImage(_ sampling: SyntheticJPEG.Sampling, _ options: String) throws {
        var random = SplitMix(seed: 3)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let file = try ReferenceTool.output("jpegtran \(options) in > out", made.file, as: "")
        let result = try Self.requireEqual(file, Self.areas, "\(made)")
        #expect(JPEGHeader(result)?.restartInterval == JPEGHeader(file)?.restartInterval)
        #expect(try Self.requireEqual(file, Array(Self.areas[2...]), "\(made)") != result)
    }

    /// Own tables get codes for what an overlay adds, and other tables are made from some of the rows.
    @Test(
        .needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases,
        ["", "-optimize", "-optimize -restart 1", "-optimize -restart 5B", "-restart 3B"])
    func coefficientsOfTallImagesAreThoseOfTheWholeImage(
        _ sampling: SyntheticJPEG.Sampling, _ options: String
    ) throws {
        var random = SplitMix(seed: 5)
        let made = try SyntheticJPEG.random(sampling, Self.tallSize, plainly: true, using: &random)
        let file = try ReferenceTool.output("jpegtran \(options) in > out", made.file, as: "")
        let areas = [
            Self.strokes(PixelRect(x: 11, y: 401, width: 50, height: 9)),
            Self.strokes(PixelRect(x: 60, y: 1090, width: 41, height: 17)),
        ]
        let result = try Self.requireEqual(file, areas, "\(made)")
        #expect(JPEGHeader(result)?.restartInterval == JPEGHeader(file)?.restartInterval)
        #expect(Self.patched(file, areas)?.file == result)
        _ = try Self.requireEqual(file, Array(areas[..<1]), "\(made)")
    }

    /// Short codes stay, so that most data are copied bit by bit.
    @Test(.needs("cjpeg")) func tablesGetMoreCodes() throws {
        var random = SplitMix(seed: 8)
        let levels = (0..<Self.tallSize.area).map { _ in UInt8.random(in: 200...230, using: &random) }
        let picture = Array("P5 \(Self.tallSize.width) \(Self.tallSize.height) 255\n".utf8) + levels
        let file = try ReferenceTool.output("cjpeg -optimize -quality 80 in > out", picture, as: "")
        let result = try Self.requireEqual(
            file, [Self.strokes(PixelRect(x: 11, y: 401, width: 30, height: 9))], "smooth")
        let (before, after) = (try #require(SequentialScan(file)), try #require(SequentialScan(result)))
        let (few, many) = (before.components[0].coefficients, after.components[0].coefficients)
        #expect(few.words.count < many.words.count)
        for word in few.words where word.length <= BlockTables.bits {
            #expect(many.word(for: word.symbol)?.code == word.code)
            #expect(many.word(for: word.symbol)?.length == word.length)
        }
    }

    /// libjpeg's own JPEGs have one pair of tables for luma and another for chroma.
    @Test(
        .needs("jpegtran"), arguments: [[0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 1], [1, 1, 1]],
        [nil, 5] as [Int?])
    func componentsMayShareTables(_ tables: [Int], _ restartInterval: Int?) throws {
        var random = SplitMix(seed: 11)
        let file = SharedTableJPEG.random(
            Self.size, tables: tables, restartInterval: restartInterval, using: &random)
        #expect(try JPEGDecoder.decode(file, maximumPixels: 1 << 20).diagnostics.isEmpty)
        let result = try Self.requireEqual(file, Self.areas, "\(tables)")
        #expect(JPEGHeader(result)?.restartInterval == restartInterval)
        // The tables are the best now, and stay under an overlay that changes nothing.
        let (black, white) = ([UInt8](repeating: 0, count: 108), [UInt8](repeating: 255, count: 108))
        let nothing = PictureOverlay.Area(
            PixelRect(x: 60, y: 60, width: 6, height: 6), black: black, white: white)
        #expect(try Self.tables(of: Self.requireEqual(result, [nothing], "\(tables)")) == Self.tables(of: result))
    }

    /// Tables made for the image lack codes for what an overlay adds. They stay if they have all.
    @Test(.needs("cjpeg", "jpegtran")) func tablesStayWherePossible() throws {
        var random = SplitMix(seed: 4)
        let (rich, plain) = ("jpegtran -optimize in > out", "cjpeg -optimize -quality 90 in > out")
        let made = try SyntheticJPEG.random(.both, Self.size, quality: 95, plainly: true, using: &random)
        let file = try ReferenceTool.output(rich, made.file, as: "")
        let faint = Self.strokes(PixelRect(x: 60, y: 60, width: 4, height: 4), 120)
        let kept = try Self.requireEqual(file, [faint], "rich")
        #expect(try Self.tables(of: kept) == Self.tables(of: file))
        let paper = Array("P5 203 317 255\n".utf8) + [UInt8](repeating: 240, count: Self.size.area)
        let blank = try ReferenceTool.output(plain, paper, as: "")
        let changed = try Self.requireEqual(blank, Self.areas, "blank")
        #expect(try Self.tables(of: changed) != Self.tables(of: blank))
        // Those of the standard are longer than need be.
        let standard = try ReferenceTool.output("jpegtran in > out", made.file, as: "")
        #expect(try Self.requireEqual(standard, [faint], "standard").count < standard.count)
    }

    private static func tables(of file: [UInt8]) throws -> ArraySlice<UInt8> {
        let scan = try #require(JPEGHeader(file)?.scanOffset)
        let first = try #require((0..<scan).first { file[$0] == 0xFF && file[$0 + 1] == 0xC4 })
        return file[first..<scan]
    }

    @Test(.needs("cjpeg", "jpegtran")) func otherKindsAreLeftToLibjpeg() throws {
        var random = SplitMix(seed: 5)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random).file
        for command in [
            "jpegtran -progressive", "jpegtran -arithmetic", "printf '0;\n1;\n2;\n' > s; jpegtran -scans s",
        ] {
            let file = try ReferenceTool.output("\(command) in > out", made, as: "")
            #expect(Self.patched(file, Self.areas) == nil)
            #expect(try JPEGSurgery.lay(PictureOverlay(Self.areas), on: file).file.count > 0)
        }
        let gray = try SyntheticJPEG.random(.gray, Self.size, plainly: true, using: &random).file
        var red = Self.areas[0]
        for place in stride(from: 0, to: red.black.count, by: 3) where red.white[place] == 0 {
            (red.black[place], red.white[place]) = (200, 200)
        }
        #expect(Self.patched(gray, [red]) == nil)
        #expect(try JPEGHeader(JPEGSurgery.lay(PictureOverlay([red]), on: gray).file)?.components.count == 3)
        let everywhere = Self.strokes(PixelRect(x: 0, y: 0, Self.size))
        #expect(Self.patched(made, [everywhere]) == nil)
        let outside = Self.strokes(PixelRect(x: 200, y: 0, width: 9, height: 9))
        #expect(Self.patched(made, [outside]) == nil)
    }

    /// What is damaged is refused, as libjpeg refuses it, or shows the same.
    @Test(
        .needs("cjpeg", "jpegtran"), arguments: ["", "-optimize", "-restart 2B"], [Self.size, Self.tallSize])
    func damagedDataAreNeverTakenAsSound(_ options: String, _ size: PixelSize) throws {
        try Self.checkDamaged(.both, Self.areas, options, size)
        try Self.checkDamaged(.gray, PictureOverlay(Self.areas).withoutTint.areas, options, size)
    }

    private static func checkDamaged(
        _ sampling: SyntheticJPEG.Sampling, _ areas: [PictureOverlay.Area], _ options: String, _ size: PixelSize
    ) throws {
        var random = SplitMix(seed: 6)
        let made = try SyntheticJPEG.random(sampling, size, plainly: true, using: &random)
        let file = try ReferenceTool.output("jpegtran \(options) in > out", made.file, as: "")
        let scan = try #require(JPEGHeader(file)?.scanOffset)
        for count in stride(from: file.count - 1, to: 0, by: -file.count / 50) {
            #expect(patched(Array(file.prefix(count)), areas) == nil)
        }
        for _ in 0..<300 {
            var copy = file
            let place = Int.random(in: (Bool.random(using: &random) ? scan : 0)..<copy.count, using: &random)
            copy[place] = UInt8(truncatingIfNeeded: random.next())
            guard let (quick, share) = patched(copy, areas) else { continue }
            let whole = try JPEGSurgery.encode(areas, on: copy)
            #expect(share == whole.share)
            let (one, other) = (
                try JPEGDecoder.decode(quick, maximumPixels: 1 << 20),
                try JPEGDecoder.decode(whole.file, maximumPixels: 1 << 20)
            )
            #expect(one.diagnostics.isEmpty && one.raster.samples == other.raster.samples, "byte \(place)")
        }
    }

    /// A part has nothing of the metadata, however many parts there are.
    @Test(.needs("cjpeg", "jpegtran")) func headersOfPartsAreShort() throws {
        var random = SplitMix(seed: 12)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random).file
        let plain = try #require(SequentialScan(made))
        let quantisation = try #require(plain.segments.first { $0.marker == 0xDB })
        // The first of the tables that are replaced has other values.
        let number = quantisation.contents.array[0]
        let replaced: [UInt8] = [0xFF, 0xDB, 0, 67, number] + [UInt8](repeating: 1, count: 64)
        let comment: [UInt8] = [0xFF, 0xFE, 0xEA, 0x62] + [UInt8](repeating: 7, count: 60_000)
        let many = (0..<20).flatMap { _ in comment + replaced }
        var file = made
        file.insert(contentsOf: many, at: quantisation.offset)
        let scan = try #require(SequentialScan(file))
        let header = scan.forParts().header(for: Self.size)
        #expect(header.count < 300)
        let (one, other) = (try #require(JPEGHeader(header)), try #require(JPEGHeader(made)))
        #expect(one.tables == other.tables && one.hasJFIF && one.components == other.components)
        _ = try Self.requireEqual(file, Self.areas, "metadata")
    }

    /// libjpeg refuses such tables even if no component has them, and parts lack them.
    @Test(.needs("cjpeg")) func tablesWithTooManySymbolsAreRefused() throws {
        var random = SplitMix(seed: 13)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random).file
        let scan = try #require(JPEGHeader(made)?.scanOffset)
        var table: [UInt8] = [0xFF, 0xC4, 0x01, 0x3F, 0x13] + [UInt8](repeating: 0, count: 14)
        table += [150, 150] + [UInt8](repeating: 1, count: 300)
        var file = made
        file.insert(contentsOf: table, at: scan)
        #expect(Self.patched(file, Self.areas) == nil)
        #expect(throws: PictureFault.self) { _ = try JPEGSurgery.encode(Self.areas, on: file) }
    }

    /// An image may have a restart marker after each MCU.
    @Test func manyIntervalsAreAppendedWithoutCopyingTheFile() {
        var (file, capacities) = ([UInt8](), Set<Int>())
        for _ in 0..<10_000 {
            CodedData.append([1, 2, 0xFF, 3], to: &file)
            capacities.insert(file.capacity)
        }
        #expect(file.count == 50_000 && file.prefix(5) == [1, 2, 0xFF, 0, 3])
        #expect(capacities.count < 50)
    }

    @Test func codesGetMoreSymbols() throws {
        // One word of 1 bit, then all words of 3 bits but the one of ones.
        let short = try #require(JPEGCode(counts: [1, 0, 3] + [Int](repeating: 0, count: 13), symbols: [4, 5, 6, 7]))
        let more = try #require(short.adding([1, 2], keeping: 10))
        #expect(more.words.prefix(4).map(\.code) == short.words.map(\.code))
        #expect(more.words.suffix(2).map(\.length) == [16, 16] && more.words.suffix(2).map(\.symbol) == [1, 2])
        #expect(more.words.last?.code == 0b1110_0000_0000_0001)
        // All room is taken but the word of ones.
        let full = try #require(JPEGCode(counts: [Int](repeating: 1, count: 16), symbols: (0..<16).map { $0 }))
        #expect(full.adding([99], keeping: 15) == nil)
        #expect(full.adding([], keeping: 15)?.words.count == 16)
        let longer = try #require(full.adding([99, 98], keeping: 13))
        #expect(longer.words.count == 18 && longer.words.prefix(13).map(\.length) == Array(1...13))
        #expect(longer.words.dropFirst(13).map(\.symbol) == [13, 14, 15, 99, 98])
        #expect(longer.words.dropFirst(13).allSatisfy { $0.length == 16 })
        #expect(longer.words.reduce(0) { $0 + 1 << (16 - $1.length) } < 1 << 16)
    }

    @Test func rareSymbolsAreFoundByPlace() {
        var rare = RareSymbols(byteCount: 80)
        for place in [3, 20, 21, 90] { rare.take(7, 0, 0, table: 256, at: place) }
        #expect(rare.symbols(in: 0..<20).map(\.place) == [3])
        #expect(rare.symbols(in: 20..<90).map(\.place) == [20, 21])
        #expect(rare.symbols(in: 91..<95).isEmpty && rare.symbols(in: 0..<99).map(\.number) == [263, 263, 263, 263])
        for place in 100..<107 { rare.take(7, 0, 0, table: 256, at: place) }
        #expect(!rare.areComplete && rare.symbols(in: 0..<200).isEmpty)
    }

    @Test func optimalCodesAreShortAndComplete() throws {
        var counts = [Int](repeating: 0, count: 256)
        // Without a limit their codes have up to 20 bits.
        for symbol in 0..<20 { counts[symbol] = 1 << symbol }
        let code = try #require(JPEGCode(optimalFor: counts[...]))
        #expect(code.words.count == 20 && code.words.map(\.length).max() == 16)
        #expect(code.word(for: 19)?.length == 1 && code.word(for: 20) == nil)
        #expect(code.table.count == 16 + 20 && code.table[0] == 1)
        // The code of ones stays free.
        #expect(code.words.reduce(0) { $0 + 1 << (16 - $1.length) } < 1 << 16)
        var even = [Int](repeating: 0, count: 256)
        for symbol in 0..<7 { even[symbol] = 5 }
        #expect(try #require(JPEGCode(optimalFor: even[...])).words.map(\.length).sorted() == [3, 3, 3, 3, 3, 3, 3])
        even = [Int](repeating: 0, count: 256)
        even[9] = 4
        #expect(try #require(JPEGCode(optimalFor: even[...])).words.map(\.symbol) == [9])
    }
}
