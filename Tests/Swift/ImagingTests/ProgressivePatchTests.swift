import PageModel
import Scratch
import Testing

@testable import Imaging

/// Overlays on progressive JPEGs have the coefficients that libjpeg makes of the whole image, in the scans of the image.
@Suite struct ProgressivePatchTests {
    private static let size = JPEGPatchTests.size
    private static let areas = JPEGPatchTests.areas

    /// Scripts of scans for gray and color images, without and with several scans for the bits of a coefficient.
    private static let scripts = [
        "0: 0,0,0,0; 0: 1-63,0,0;": "0,1,2: 0,0,0,0; 0: 1-63,0,0; 1: 1-63,0,0; 2: 1-63,0,0;",
        "0: 0,0,0,2; 0: 1-9,0,3; 0: 0,0,2,1; 0: 1-9,3,2; 0: 0,0,1,0; 0: 10-63,0,0; 0: 1-9,2,1; 0: 1-9,1,0;":
            """
        0: 0,0,0,1; 1,2: 0,0,0,0; 0: 1-5,0,2; 0: 1-5,2,1; 0: 0,0,1,0; 2: 1-63,0,1; 1: 1-63,0,3; 0: 6-63,0,1; \
        1: 1-63,3,2; 2: 1-63,1,0; 0: 1-63,1,0; 1: 1-63,2,1; 1: 1-63,1,0;
        """,
    ]

    private static func progressive(_ file: [UInt8], script: (gray: String, color: String)? = nil) throws -> [UInt8] {
        guard let script else { return try ReferenceTool.output("jpegtran -progressive in > out", file, as: "") }
        let lines = (JPEGHeader(file)?.components.count == 1 ? script.gray : script.color)
        return try ReferenceTool.output("echo '\(lines)' > scans; jpegtran -scans scans in > out", file, as: "")
    }

    private static func gray(_ size: PixelSize, _ level: (Int) -> UInt8) throws -> [UInt8] {
        let picture = Array("P5 \(size.width) \(size.height) 255\n".utf8) + (0..<size.area).map(level)
        return try ReferenceTool.output("cjpeg -grayscale -progressive in > out", picture, as: "")
    }

    /// The headers of all scans.
    private static func scans(_ file: [UInt8]) throws -> [[UInt8]] {
        try #require(ProgressiveImage(file)).scans.map(\.header)
    }

    private static func requireEqual(_ file: [UInt8], _ areas: [PictureOverlay.Area], _ name: String) throws -> [UInt8]
    {
        let isGray = JPEGHeader(file)?.components.count == 1
        let areas = isGray ? PictureOverlay(areas).withoutTint.areas : areas
        let patched = try #require(ProgressivePatch.patch(file, areas, wasting: 1), "\(name)")
        let whole = try JPEGSurgery.encode(areas, on: file)
        #expect(patched.share == whole.share, "\(name)")
        #expect(try JPEGPatchTests.coefficients(patched.file) == JPEGPatchTests.coefficients(whole.file), "\(name)")
        #expect(try scans(patched.file) == scans(file), "\(name)")
        #expect(!patched.becomesProgressive)
        return patched.file
    }

    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases, 0..<3)
    func coefficientsAreThoseOfTheWholeImage(_ sampling: SyntheticJPEG.Sampling, _ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let scripts = [nil] + Self.scripts.map { (gray: $0.key, color: $0.value) }
        for script in scripts {
            let file = try Self.progressive(made.file, script: script)
            let name = "\(made) \(script?.color ?? "")"
            let result = try Self.requireEqual(file, Self.areas, name)
            #expect(try Self.requireEqual(file, Array(Self.areas[2...]), name) != result)
            // The result is an image, too.
            _ = try Self.requireEqual(result, [Self.areas[0]], name)
        }
    }

    /// A script of chance: each band of frequencies has its bits in one to four scans, in any order that is allowed.
    private static func script(components: Int, using random: inout SplitMix) -> String {
        var bands: [(components: [Int], frequencies: String)] = []
        var left = Array(0..<components)
        while !left.isEmpty {
            let count = Int.random(in: 1...left.count, using: &random)
            bands.append((Array(left.prefix(count)), "0-0"))
            left.removeFirst(count)
        }
        let firsts = bands.count
        for component in 0..<components {
            let ends = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 1..<63, using: &random) }
            var start = 1
            for end in Set(ends + [63]).sorted() {
                bands.append(([component], "\(start)-\(end)"))
                start = end + 1
            }
        }
        var next = bands.map { _ in Int?.none }
        var script = ""
        while !next.allSatisfy({ $0 == 0 }) {
            let open = bands.indices.filter { band in
                let hasFirsts = next[..<firsts].allSatisfy { $0 != nil }
                return next[band] != 0 && (hasFirsts || band < firsts)
            }
            let band = open.randomElement(using: &random) ?? 0
            let (high, low) = (next[band] ?? 0, next[band].map { $0 - 1 } ?? Int.random(in: 0...3, using: &random))
            let list = bands[band].components.map { String($0) }.joined(separator: ",")
            script += "\(list): \(bands[band].frequencies),\(high),\(low);\n"
            next[band] = low
        }
        return script
    }

    @Test(.needs("cjpeg", "jpegtran"), arguments: 0..<24 as Range<UInt64>)
    func anyScriptStays(_ seed: UInt64) throws {
        var random = SplitMix(seed: 100 + seed)
        let sampling = SyntheticJPEG.Sampling.allCases.randomElement(using: &random) ?? .both
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let lines = Self.script(components: sampling.isGray ? 1 : 3, using: &random)
        let file = try Self.progressive(made.file, script: (lines, lines))
        let rect = PixelRect(
            x: Int.random(in: 0..<150, using: &random), y: Int.random(in: 0..<250, using: &random),
            width: Int.random(in: 1...53, using: &random), height: Int.random(in: 1...67, using: &random))
        let other = PixelRect(x: rect.x, y: (rect.y + 150) % 250, width: 9, height: 3)
        let areas = abs(other.y - rect.y) > 70 ? [other, rect] : [rect]
        _ = try Self.requireEqual(file, areas.map { JPEGPatchTests.strokes($0) }, "\(made) \(lines) \(areas)")
    }

    /// Then no row is copied.
    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases)
    func overlaysMayCoverTheWholeImage(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 8)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let everywhere = JPEGPatchTests.strokes(PixelRect(x: 0, y: 0, Self.size))
        _ = try Self.requireEqual(Self.progressive(made.file), [everywhere], "\(made)")
    }

    /// The end of many blank blocks is one symbol. It is divided where an overlay lies, and joined with the rest.
    @Test(.needs("cjpeg", "jpegtran"), arguments: [[], [0], [1_999 * 1250 / 2], [0, 2_499_999]])
    func runsOfBlankBlocksAreDivided(_ dots: Set<Int>) throws {
        let size = PixelSize(width: 2000, height: 1250)
        let file = try Self.gray(size) { dots.contains($0) ? 0 : 255 }
        let places = [[0], [600], [100, 140, 900], [16, 1228], [8, 24, 40, 56, 700]]
        for rows in places {
            let areas = rows.map { JPEGPatchTests.strokes(PixelRect(x: 700, y: $0, width: 90, height: 9)) }
            let result = try Self.requireEqual(file, areas, "\(dots) \(rows)")
            #expect(result.count < file.count + 3500 * rows.count)
        }
    }

    /// Bits of coefficients that are known follow the end of a run. They stay in their order.
    @Test(.needs("cjpeg", "jpegtran"), arguments: 1...4)
    func laterBitsStayInOrder(_ period: Int) throws {
        let size = PixelSize(width: 320, height: 640)
        let file = try Self.gray(size) { place in
            let (x, y) = (place % 320, place / 320)
            return UInt8(128 + 60 * ((x / period + y / 8) % 3) - (x * y) % 7)
        }
        let areas = [16, 40, 41 + 80 * period, 600].map {
            JPEGPatchTests.strokes(PixelRect(x: 16 * period, y: $0, width: 40, height: 1))
        }
        _ = try Self.requireEqual(file, areas, "\(period)")
    }

    /// Codes for an image have no room. Long words change then, and with them data that is copied.
    @Test(.needs("cjpeg", "jpegtran")) func codesGetRoomForMoreSymbols() throws {
        var random = SplitMix(seed: 3)
        let size = PixelSize(width: 1200, height: 1200)
        // Noise that becomes rare, so that codes have words of all lengths.
        let levels = (0..<size.area).map { place -> UInt8 in
            let row = place / size.width
            let scale = 120 / Double(1 << (row / 100))
            return UInt8(128 + Double.random(in: -1...1, using: &random) * scale)
        }
        let file = try Self.gray(size) { levels[$0] }
        let image = try #require(ProgressiveImage(file))
        #expect(image.scans.contains { $0.codes.contains { $0.words.last?.length == 16 } })
        let areas = [JPEGPatchTests.strokes(PixelRect(x: 300, y: 1100, width: 300, height: 20))]
        let result = try Self.requireEqual(file, areas, "noise")
        func words(_ image: ProgressiveImage) -> [[Int]] { image.scans.flatMap(\.codes).map { $0.words.map(\.length) } }
        #expect(try words(#require(ProgressiveImage(result))) != words(image))
    }

    @Test(.needs("cjpeg", "jpegtran")) func otherKindsAreLeftToLibjpeg() throws {
        var random = SplitMix(seed: 5)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random).file
        let file = try Self.progressive(made)
        #expect(ProgressivePatch.patch(file, Self.areas, wasting: 1) != nil)
        // Its codes lack too much.
        #expect(ProgressivePatch.patch(file, Self.areas) == nil)
        let incomplete = "printf '0,1,2: 0,0,0,0; 0: 1-63,0,1; 1: 1-63,0,0; 2: 1-63,0,0;' > s; jpegtran -scans s"
        for command in [
            "jpegtran", "jpegtran -progressive -restart 1", "jpegtran -arithmetic -progressive", incomplete,
        ] {
            let other = try ReferenceTool.output("\(command) in > out", made, as: "")
            #expect(ProgressivePatch.patch(other, Self.areas, wasting: 1) == nil, "\(command)")
            #expect(try JPEGSurgery.lay(PictureOverlay(Self.areas), on: other).file.count > 0)
        }
        let outside = JPEGPatchTests.strokes(PixelRect(x: 200, y: 0, width: 9, height: 9))
        #expect(ProgressivePatch.patch(file, [outside], wasting: 1) == nil)
    }

    /// Metadata stay, also those between scans.
    @Test(.needs("cjpeg", "jpegtran")) func markersStay() throws {
        var random = SplitMix(seed: 6)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random).file
        var file = try Self.progressive(made)
        let second = try #require(ProgressiveImage(file)).scans[0].data.marker
        func comment(_ text: String) -> [UInt8] { [0xFF, 0xFE, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8) }
        file.insert(contentsOf: comment("between"), at: second)
        file.insert(contentsOf: comment("before"), at: 2)
        let result = try Self.requireEqual(file, Self.areas, "comments")
        #expect(result.starts(with: [0xFF, 0xD8] + comment("before")))
        let image = try #require(ProgressiveImage(result))
        #expect(image.scans.map { $0.metadata }.filter { !$0.isEmpty } == [comment("between")])
    }

    /// Damage that libjpeg notices is left to it.
    @Test(
        .needs("cjpeg", "jpegtran"),
        arguments: [SyntheticJPEG.Sampling.both, SyntheticJPEG.Sampling.gray, SyntheticJPEG.Sampling.full])
    func damagedDataAreNeverTakenAsSound(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 7)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let areas = sampling.isGray ? PictureOverlay(Self.areas).withoutTint.areas : Self.areas
        let file = try Self.progressive(made.file)
        for count in stride(from: file.count - 1, to: 0, by: -file.count / 50) {
            #expect(ProgressivePatch.patch(Array(file.prefix(count)), areas, wasting: 1) == nil)
        }
        for _ in 0..<400 {
            var copy = file
            let place = Int.random(in: 0..<copy.count, using: &random)
            copy[place] = UInt8(truncatingIfNeeded: random.next())
            guard let patched = ProgressivePatch.patch(copy, areas, wasting: 1) else { continue }
            let whole = try JPEGSurgery.encode(areas, on: copy)
            #expect(patched.share == whole.share, "byte \(place)")
            let (one, other) = (
                try JPEGDecoder.decode(patched.file, maximumPixels: 1 << 20),
                try JPEGDecoder.decode(whole.file, maximumPixels: 1 << 20)
            )
            #expect(one.diagnostics.isEmpty && one.raster.samples == other.raster.samples, "byte \(place)")
        }
    }

    // MARK: Files that no program writes

    /// A gray JPEG without quantization, of the given tables and scans.
    private static func gray(
        _ size: PixelSize, frame: UInt8, _ tables: [(number: UInt8, counts: [Int], symbols: [UInt8])],
        _ scans: [(frequencies: [UInt8], bits: String)]
    ) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        SequentialScan.append(0xDB, [0] + [UInt8](repeating: 1, count: 64), to: &file)
        let sides = [size.height >> 8, size.height & 255, size.width >> 8, size.width & 255].map { UInt8($0) }
        SequentialScan.append(frame, [8] + sides + [1, 1, 0x11, 0], to: &file)
        for table in tables {
            let counts = (0..<16).map { UInt8($0 < table.counts.count ? table.counts[$0] : 0) }
            SequentialScan.append(0xC4, [table.number] + counts + table.symbols, to: &file)
        }
        for scan in scans {
            SequentialScan.append(0xDA, [1, 1, 0] + scan.frequencies + [0], to: &file)
            let bits = Array(scan.bits + String(repeating: "1", count: (8 - scan.bits.count % 8) % 8))
            let bytes = stride(from: 0, to: bits.count, by: 8).map { UInt8(String(bits[$0..<$0 + 8]), radix: 2) ?? 0 }
            CodedData.append(bytes[...], to: &file)
        }
        return file + [0xFF, 0xD9]
    }

    /// A file states the number of words of a length in a byte, so a code with 255 long words has no room for another.
    @Test(.needs("jpegtran"), arguments: [0xC0, 0xC2] as [UInt8]) func codesMayBeFull(_ frame: UInt8) throws {
        let size = PixelSize(width: 64, height: 640)
        let symbols: [UInt8] = [0] + (2...255)
        let tables = [
            (number: 0x00 as UInt8, counts: [1], symbols: [0 as UInt8]),
            (number: 0x10, counts: [Int](repeating: 0, count: 15) + [255], symbols: symbols),
        ]
        func zeros(_ count: Int) -> String { String(repeating: "0", count: count * size.area / 64) }
        let file = Self.gray(
            size, frame: frame, tables,
            frame == 0xC0 ? [([0, 63], zeros(17))] : [([0, 0], zeros(1)), ([1, 63], zeros(16))])
        let areas = PictureOverlay([JPEGPatchTests.strokes(PixelRect(x: 8, y: 320, width: 40, height: 9))]).withoutTint
            .areas
        let whole = try JPEGSurgery.encode(areas, on: file)
        let laid = try JPEGSurgery.lay(PictureOverlay(areas), on: file)
        #expect(try JPEGPatchTests.coefficients(laid.file) == JPEGPatchTests.coefficients(whole.file))
        #expect(ProgressivePatch.patch(file, areas, wasting: 1) == nil)
    }

    /// A change next to a block that no image of 8 bits has is left to libjpeg.
    @Test func differencesMayBecomeTooLarge() throws {
        let size = PixelSize(width: 64, height: 64)
        let averages = [Int](repeating: 0, count: 28) + [2000, 4000, 6000, 7000, 5000, 3000, 1000]
        var (bits, last) = ("", 0)
        for block in 0..<64 {
            let average = block < averages.count ? averages[block] : 0
            let (length, value) = JPEGCode.additionalBits(of: average - last)
            last = average
            let digits = String(value, radix: 2)
            bits += length == 0 ? "0" : "10" + String(repeating: "0", count: 11 - digits.count) + digits
        }
        let file = Self.gray(
            size, frame: 0xC2,
            [(number: 0x00, counts: [1, 1], symbols: [0, 11]), (number: 0x10, counts: [1], symbols: [0])],
            [([0, 0], bits), ([1, 63], String(repeating: "0", count: 64))])
        func area(_ y: Int) -> PictureOverlay.Area {
            let paint = [UInt8](repeating: 0, count: 64)
            return PictureOverlay.Area(PixelRect(x: 0, y: y, width: 8, height: 8), black: paint, white: paint)
        }
        #expect(ProgressivePatch.patch(file, [area(0)], wasting: 1) != nil)
        #expect(ProgressivePatch.patch(file, [area(32)], wasting: 1) == nil)
    }
}
