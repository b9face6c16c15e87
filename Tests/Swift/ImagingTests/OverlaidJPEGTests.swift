import PageModel
import Scratch
import Testing

@testable import Imaging

/// Overlays change the blocks under them, and no other coefficient.
@Suite struct OverlaidJPEGTests {
    private static let size = PixelSize(width: 203, height: 317)

    /// Strokes with smooth edges.
    private static func strokes(_ rect: PixelRect) -> OverlayPixels.Area {
        var (black, white): ([UInt8], [UInt8]) = ([], [])
        for place in 0..<rect.size.area {
            let step = (place % rect.width + place / rect.width / 3) % 7
            black += [UInt8](repeating: 0, count: 3)
            white += [UInt8](repeating: step == 0 ? 0 : step == 1 ? 128 : 255, count: 3)
        }
        return OverlayPixels.Area(rect, black: black, white: white)
    }

    /// Between the rows 96 and 192, which are a multiple of any MCU.
    private static let areas = [
        strokes(PixelRect(x: 21, y: 100, width: 50, height: 9)), strokes(PixelRect(x: 110, y: 97, width: 9, height: 3)),
        strokes(PixelRect(x: 150, y: 174, width: 53, height: 17)),
    ]

    /// Returns the coefficients of some rows, as the file that jpegtran makes of nothing else.
    private static func coefficients(
        _ file: [UInt8], from top: Int = 0, to bottom: Int = size.height
    ) throws -> [UInt8] {
        let crop = "-crop \(size.width)x\(bottom - top)+0+\(top)"
        return try ReferenceTool.output("jpegtran -copy none -optimize \(crop) in > out", file, as: "")
    }

    /// A page of little print, whose blank blocks need a code each unless it is progressive.
    private static func sparsePage(_ options: String) throws -> [UInt8] {
        let levels = (0..<size.area).map { $0 / size.width % 48 < 4 && $0 % 5 == 0 ? UInt8(60) : 240 }
        let picture = Array("P5 \(size.width) \(size.height) 255\n".utf8) + levels
        return try ReferenceTool.output("cjpeg \(options) -quality 90 -sample 1x1 in > out", picture, as: "")
    }

    @Test(
        .needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases,
        ["", "-optimize -restart 1", "-restart 3B", "-progressive", "-progressive -restart 2B"])
    func otherBlocksStay(_ sampling: SyntheticJPEG.Sampling, _ options: String) throws {
        var random = SplitMix(seed: 3)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let file = try ReferenceTool.output("jpegtran \(options) in > out", made.file, as: "")
        let laid = try JPEGSurgery.patch(file, with: OverlayPixels(Self.areas))
        let (before, after) = (try #require(JPEGHeader(file)), try #require(JPEGHeader(laid.file)))
        #expect(laid.becomesProgressive == (after.frame != before.frame))
        #expect(after.restartInterval == before.restartInterval && after.tables == before.tables)
        for (top, bottom) in [(0, 96), (192, Self.size.height)] {
            #expect(
                try Self.coefficients(laid.file, from: top, to: bottom)
                    == Self.coefficients(file, from: top, to: bottom))
        }
        #expect(try Self.coefficients(laid.file, from: 96, to: 192) != Self.coefficients(file, from: 96, to: 192))
        #expect(laid.share > 0 && laid.share < 0.2)
    }

    /// The whole image under an overlay of nothing, and the given one.
    private static func enlarged(_ area: OverlayPixels.Area) -> OverlayPixels.Area {
        let (rect, count) = (area.rect, 3 * area.rect.width)
        var large = OverlayPixels.Area(
            PixelRect(x: 0, y: 0, Self.size), black: [UInt8](repeating: 0, count: 3 * Self.size.area),
            white: [UInt8](repeating: 255, count: 3 * Self.size.area))
        for y in 0..<rect.height {
            let place = 3 * ((rect.y + y) * Self.size.width + rect.x)
            large.black.replaceSubrange(place..<place + count, with: area.black[count * y..<count * (y + 1)])
            large.white.replaceSubrange(place..<place + count, with: area.white[count * y..<count * (y + 1)])
        }
        return large
    }

    /// An area of most of the image is decoded with all of it, a small one by itself.
    @Test(
        .needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases, ["", "-progressive", "-scans scans"])
    func largeAreasHaveTheCoefficientsOfSmallOnes(_ sampling: SyntheticJPEG.Sampling, _ options: String) throws {
        var random = SplitMix(seed: 9)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        // Decoders smooth images whose lowest frequencies are incomplete. The result has them in full.
        let all = sampling.isGray ? "0" : "0 1 2"
        let scans = "\(all): 0-0,0,0; 0: 1-5,0,2;"
        let file = try ReferenceTool.output(
            "echo '\(scans)' > scans; jpegtran \(options) in > out", made.file, as: "")
        let small = Self.strokes(PixelRect(x: 101, y: 93, width: 60, height: 21))
        let large = Self.enlarged(small)
        let (one, other) = (try JPEGSurgery.encode([small], on: file), try JPEGSurgery.encode([large], on: file))
        #expect(one.share == other.share)
        #expect(try Self.coefficients(one.file) == Self.coefficients(other.file))
        // Two areas in one region are both there.
        let halves = [PixelRect(x: 0, y: 0, width: 203, height: 105), PixelRect(x: 0, y: 105, width: 203, height: 212)]
        let parts = halves.map { half in
            let range = 3 * half.y * Self.size.width..<3 * (half.y + half.height) * Self.size.width
            return OverlayPixels.Area(half, black: Array(large.black[range]), white: Array(large.white[range]))
        }
        let divided = try JPEGSurgery.encode(parts, on: file)
        #expect(divided.share == one.share)
        #expect(try Self.coefficients(divided.file) == Self.coefficients(one.file))
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

    /// The headers of all scans, without the numbers of their tables.
    private static func scans(_ file: [UInt8]) -> [[UInt8]] {
        file.indices.dropLast(3).filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }.map { place in
            let count = Int(file[place + 4])
            let ids = (0..<count).map { file[place + 5 + 2 * $0] }
            return ids + file[place + 5 + 2 * count..<place + 8 + 2 * count]
        }
    }

    @Test(.needs("cjpeg", "jpegtran"), arguments: 0..<24 as Range<UInt64>)
    func progressiveImagesKeepTheirScans(_ seed: UInt64) throws {
        var random = SplitMix(seed: 100 + seed)
        let sampling = SyntheticJPEG.Sampling.allCases.randomElement(using: &random) ?? .both
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let script = Self.script(components: sampling.isGray ? 1 : 3, using: &random)
        let file = try ReferenceTool.output("echo '\(script)' > s; jpegtran -scans s in > out", made.file, as: "")
        let laid = try JPEGSurgery.patch(file, with: OverlayPixels(Self.areas))
        #expect(Self.scans(laid.file) == Self.scans(file), "\(script)")
        let plain = try JPEGSurgery.patch(made.file, with: OverlayPixels(Self.areas))
        #expect(try Self.coefficients(laid.file) == Self.coefficients(plain.file))
    }

    @Test(.needs("cjpeg", "jpegtran")) func damageAndOtherColorsAreRefused() throws {
        var random = SplitMix(seed: 6)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random).file
        let rgb = try ReferenceTool.output("djpeg in | cjpeg -rgb > out", made, as: "")
        let outside = Self.strokes(PixelRect(x: 200, y: 0, width: 9, height: 9))
        for file in [Array(made.dropLast(99)), rgb, []] {
            #expect(throws: PictureFault.self) { try JPEGSurgery.patch(file, with: OverlayPixels(Self.areas)) }
        }
        #expect(throws: PictureFault.self) { try JPEGSurgery.patch(made, with: OverlayPixels([outside])) }
    }

    /// Blank blocks need no bytes then.
    @Test(.needs("cjpeg", "jpegtran")) func sparseImagesBecomeProgressiveInsteadOfLarger() throws {
        let file = try Self.sparsePage("-optimize")
        let lines = Self.strokes(PixelRect(x: 5, y: 100, width: 190, height: 60))
        let laid = try JPEGSurgery.patch(file, with: OverlayPixels([lines]))
        #expect(laid.becomesProgressive && JPEGHeader(laid.file)?.frame == .progressive)
        #expect(try Self.coefficients(laid.file, to: 96) == Self.coefficients(file, to: 96))
        let dot = try JPEGSurgery.patch(
            file, with: OverlayPixels([Self.strokes(PixelRect(x: 5, y: 201, width: 2, height: 2))]))
        #expect(!dot.becomesProgressive && JPEGHeader(dot.file)?.frame == .baseline)
    }

    /// Gray blocks of a color image need no bytes then.
    @Test(.needs("cjpeg", "jpegtran"), arguments: ["-optimize", "-progressive"])
    func grayImagesThatBecomeColorAreProgressive(_ options: String) throws {
        let file = try Self.sparsePage(options)
        var red = Self.strokes(PixelRect(x: 5, y: 201, width: 9, height: 9))
        for place in stride(from: 0, to: red.black.count, by: 3) where red.white[place] == 0 {
            (red.black[place], red.white[place]) = (200, 200)
        }
        let laid = try JPEGSurgery.patch(file, with: OverlayPixels([red]))
        #expect(laid.becomesProgressive == (options != "-progressive"))
        let header = try #require(JPEGHeader(laid.file))
        #expect(header.components.count == 3 && header.frame == .progressive)
        #expect(laid.file.count < file.count * 11 / 10 + 1000)
        // The brightness keeps its coefficients.
        let luma = "jpegtran -copy none -optimize -grayscale -crop 203x192+0+0 in > out"
        #expect(try ReferenceTool.output(luma, laid.file, as: "") == Self.coefficients(file, to: 192))
    }
}
