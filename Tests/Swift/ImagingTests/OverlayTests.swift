import PageModel
import Testing

@testable import Imaging

/// Overlays change what they touch, and nothing else.
@Suite struct OverlayTests {
    private static func noise(_ size: PixelSize, _ format: PixelFormat) -> Raster {
        var state: UInt32 = 7
        let count = Raster.bytesPerRow(width: size.width, format: format) * size.height
        let samples = (0..<count).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24) / 2 + 64
        }
        return Raster(size: size, format: format, samples: samples)
    }

    /// A box of one color, opaque.
    private static func box(_ rect: PixelRect, _ color: [UInt8]) -> OverlayPixels {
        let colors = (0..<rect.width * rect.height).flatMap { _ in color }
        return OverlayPixels([OverlayPixels.Area(rect, black: colors, white: colors)])
    }

    private static func decoded(_ file: [UInt8]) throws -> Raster {
        let raster = try PictureDecoder.decode(file, DecodeRequest(.jpeg, maximumPixels: 1 << 20)).raster
        return raster.format == .gray(bits: 8)
            ? raster.mapped((0...255).map { [$0, $0, $0] }, to: .rgb(bits: 8)) : raster
    }

    @Test(arguments: [PixelFormat.gray(bits: 8), .rgb(bits: 8)], [false, true])
    func jpegKeepsAllPixelsOutsideTouchedBlocks(_ format: PixelFormat, _ isColored: Bool) throws {
        let size = PixelSize(width: 203, height: 117)
        let file = try PictureEncoder.encode(Self.noise(size, format), as: .jpeg, .quality(80))
        let rect = PixelRect(x: 50, y: 40, width: 20, height: 9)
        let laid = try JPEGSurgery.patch(file, with: Self.box(rect, isColored ? [200, 30, 30] : [0, 0, 0]))
        let (patched, share) = (laid.file, laid.share)
        let (before, after) = (try Self.decoded(file), try Self.decoded(patched))
        #expect(before.size == after.size)
        #expect(share > 0 && share < 0.1)
        // Touched MCUs, and one pixel around them that decoders smooth colors into.
        let touched = PixelRect(x: 47, y: 31, width: 34, height: 34)
        var (outside, inside) = (0, 0)
        for y in 0..<size.height {
            for x in 0..<size.width {
                for channel in 0..<3 {
                    let index = 3 * (y * size.width + x) + channel
                    let difference = abs(Int(before.samples[index]) - Int(after.samples[index]))
                    let isTouched = touched.contains(PixelRect(x: x, y: y, width: 1, height: 1))
                    if !isTouched { outside = max(outside, difference) }
                    if rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) { inside = max(inside, difference) }
                }
            }
        }
        #expect(outside == 0)
        #expect(inside > 40)
    }

    @Test func touchedPixelsAreCountedByPlace() {
        let overlay = Self.box(PixelRect(x: 10, y: 10, width: 20, height: 10), [0, 0, 0])
        #expect(overlay.share(within: [PixelRect(x: 0, y: 0, width: 100, height: 100)]) == 1)
        #expect(overlay.share(within: [PixelRect(x: 0, y: 0, width: 15, height: 100)]) == 0.25)
        let halves = [PixelRect(x: 0, y: 0, width: 15, height: 100), PixelRect(x: 25, y: 0, width: 9, height: 15)]
        #expect(overlay.share(within: halves) == 0.375)
        #expect(overlay.share(within: [PixelRect(x: 50, y: 0, width: 9, height: 9)]) == 0)
        #expect(OverlayPixels([]).share(within: []) == 1)
        let columns = (0..<100).map { PixelRect(x: $0, y: 15, width: 1, height: 50) }
        #expect(overlay.share(within: columns) == 0.5)
        #expect(overlay.share(within: [PixelRect(x: -5, y: -5, width: 20, height: 20)]) == 0.125)
    }

    @Test func damagedJPEGIsRefused() throws {
        let size = PixelSize(width: 64, height: 64)
        let file = try PictureEncoder.encode(Self.noise(size, .gray(bits: 8)), as: .jpeg, .quality(80))
        let overlay = Self.box(PixelRect(x: 0, y: 0, width: 9, height: 9), [0, 0, 0])
        #expect(throws: PictureFault.self) { try JPEGSurgery.patch(Array(file.prefix(file.count / 2)), with: overlay) }
    }

    @Test(arguments: [
        ([0, 0, 0] as [UInt8], PixelFormat.gray(bits: 1)),
        ([128, 128, 128], .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 128, 128, 128])),
        ([200, 30, 30], .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 200, 30, 30])),
        ([35, 31, 32], .gray(bits: 1)),
        ([60, 56, 57], .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 57, 57, 57])),
        ([230, 230, 230], .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 230, 230, 230])),
        ([0, 0, 40], .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 0, 0, 40])),
    ])
    func blackAndWhiteGetAsFewColorsAsTheOverlayNeeds(_ color: [UInt8], _ expected: PixelFormat) throws {
        let size = PixelSize(width: 61, height: 40)
        let raster = Self.noise(size, .gray(bits: 1))
        let rect = PixelRect(x: 10, y: 10, width: 12, height: 12)
        let (laid, share) = try #require(raster.compositing(Self.box(rect, color)))
        #expect(laid.format == expected)
        #expect(share == Double(144) / Double(61 * 40))
        let (before, after) = (raster.widened(), laid.widened())
        // Sixteen levels are at most 9 of 255 apart from a color of a slight tint, and a palette has the color.
        let drawn = after.framed(Framing(size).keeping(rect)).samples
        #expect(zip(drawn, color).allSatisfy { abs(Int($0) - Int($1)) <= (color == [35, 31, 32] ? 35 : 9) })
        let step = after.format == .rgb(bits: 8) ? 3 : 1
        for y in 0..<size.height {
            for x in 0..<size.width where !rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) {
                let place = y * size.width + x
                #expect(after.samples[step * place] == before.samples[place])
            }
        }
    }

    /// A blue letter whose edge goes to white in 40 steps.
    @Test func smoothedEdgesInColorShareAPaletteOfSixteen() throws {
        let size = PixelSize(width: 61, height: 40)
        let paper = Raster(size: size, format: .gray(bits: 1), samples: [UInt8](repeating: 0xFF, count: 8 * 40))
        let rect = PixelRect(x: 10, y: 10, width: 40, height: 20)
        let colors = (0..<20).flatMap { y in
            (0..<40).flatMap { x -> [UInt8] in
                let level = y == 0 ? UInt8(6 * x + 10) : 0
                return [level, level, 255]
            }
        }
        let area = OverlayPixels.Area(rect, black: colors, white: colors)
        let laid = try #require(paper.compositing(OverlayPixels([area]))).raster
        guard case .palette(bits: 4, let table) = laid.format else {
            Issue.record("\(laid.format)")
            return
        }
        // The scan uses white alone.
        #expect(table.starts(with: [255, 255, 255, 0, 0, 255]))
        let drawn = laid.widened().framed(Framing(size).keeping(rect)).samples
        #expect(zip(drawn, colors).allSatisfy { abs(Int($0) - Int($1)) <= 24 })
    }

    /// A scan with a palette keeps one under black letters, although many of its colors have no pixel.
    @Test func palettesStayPalettes() throws {
        let size = PixelSize(width: 61, height: 40)
        let table = (0..<256).flatMap { [UInt8($0), UInt8($0 / 2), 255 - UInt8($0)] }
        let samples = (0..<61 * 40).map { UInt8($0 % 200) }
        let scan = Raster(size: size, format: .palette(bits: 8, colors: table), samples: samples)
        let rect = PixelRect(x: 10, y: 10, width: 12, height: 12)
        let laid = try #require(scan.compositing(Self.box(rect, [9, 0, 0]))).raster
        guard case .palette(bits: 8, let colors) = laid.format else {
            Issue.record("\(laid.format)")
            return
        }
        #expect(colors.count == 3 * 201)
        #expect(Array(laid.widened().samples.prefix(61 * 30)) == Array(scan.widened().samples.prefix(61 * 30)))
        #expect(laid.widened().framed(Framing(size).keeping(rect)).samples.prefix(3) == [9, 0, 0])
    }

    /// Sixteen levels have none between 238 and 255: a faint mark on white paper would vanish.
    @Test func faintContentKeepsItsLevels() throws {
        let size = PixelSize(width: 61, height: 40)
        let paper = Raster(size: size, format: .gray(bits: 1), samples: [UInt8](repeating: 0xFF, count: 8 * 40))
        let faint = Self.box(PixelRect(x: 10, y: 10, width: 12, height: 12), [250, 250, 250])
        let visible = Self.box(PixelRect(x: 40, y: 10, width: 12, height: 12), [128, 128, 128])
        let laid = try #require(paper.compositing(OverlayPixels(faint.areas + visible.areas))).raster
        #expect(laid.format == .gray(bits: 8) && laid.samples.contains(250))
    }

    @Test func onlyLargeOpaqueAreasHideSomething() {
        let box = Self.box(PixelRect(x: 0, y: 0, width: 30, height: 12), [0, 0, 0])
        #expect(box.hidesSquare(of: 12))
        #expect(!box.hidesSquare(of: 13))
        var translucent = box
        translucent.areas[0].white = [UInt8](repeating: 90, count: translucent.areas[0].white.count)
        #expect(!translucent.hidesSquare(of: 2))
    }

    /// Small letters have gray edges, and black and white express them; a gray box they do not.
    @Test func smoothedEdgesStayBlackAndWhite() throws {
        let size = PixelSize(width: 61, height: 40)
        let raster = Self.noise(size, .gray(bits: 1))
        // A stroke of three pixels: one opaque between two that are half covered.
        let rect = PixelRect(x: 10, y: 10, width: 3, height: 20)
        let white = (0..<20).flatMap { _ in [128, 128, 128, 0, 0, 0, 128, 128, 128] as [UInt8] }
        let stroke = OverlayPixels.Area(rect, black: [UInt8](repeating: 0, count: white.count), white: white)
        #expect(try #require(raster.compositing(OverlayPixels([stroke]))).raster.format == .gray(bits: 1))
        let faint = OverlayPixels.Area(rect, black: stroke.black, white: white.map { max($0, 128) })
        let format = try #require(raster.compositing(OverlayPixels([faint]))).raster.format
        #expect(format == .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 128, 128, 128]))
    }

    /// A smooth step needs 16 levels; a gray with few others at its edge needs 4.
    @Test(arguments: [false, true]) func edgesOfManyGraysGetSixteenLevels(_ isSmooth: Bool) throws {
        let raster = Self.noise(PixelSize(width: 61, height: 40), .gray(bits: 1))
        let rect = PixelRect(x: 10, y: 10, width: 40, height: 20)
        var colors: [UInt8] = []
        for pixel in 0..<800 {
            let column = pixel % 40
            let edge: UInt8 = column == 0 ? 217 : 229
            let level: UInt8 = isSmooth ? UInt8(6 * column + 10) : edge
            colors += [level, level, level]
        }
        let overlay = OverlayPixels([OverlayPixels.Area(rect, black: colors, white: colors)])
        let laid = try #require(raster.compositing(overlay)).raster
        let expected = PixelFormat.palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 229, 229, 229])
        #expect(laid.format == (isSmooth ? .gray(bits: 4) : expected))
    }

    /// A faint line beside a large box keeps its gray, although it has few of the touched pixels.
    @Test(arguments: [(153, 221), (0, 140)] as [(UInt8, UInt8)])
    func faintLinesBesideBoxesStay(_ box: UInt8, _ gray: UInt8) throws {
        let size = PixelSize(width: 300, height: 260)
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: 1))
        let raster = Raster(
            size: size, format: .gray(bits: 1), samples: [UInt8](repeating: .max, count: row * size.height))
        let line = PixelRect(x: 20, y: 230, width: 40, height: 3)
        let overlay = OverlayPixels(
            Self.box(PixelRect(x: 20, y: 10, width: 200, height: 200), [box, box, box]).areas
                + Self.box(line, [gray, gray, gray]).areas)
        let laid = try #require(raster.compositing(overlay)).raster.widened()
        let shown = laid.samples[laid.format.colorants * ((line.y + 1) * size.width + line.x + 5)]
        #expect(abs(Int(shown) - Int(gray)) <= 9)
    }

    /// A dark shade over black needs no level of its own. A pale one on white does, unless it is at an edge.
    @Test(arguments: [(0, 30, 2), (UInt8.max, 240, 4)] as [(UInt8, UInt8, Int)])
    func shadesOfBlackOverBlackNeedNoLevel(_ paper: UInt8, _ gray: UInt8, _ bits: Int) throws {
        let size = PixelSize(width: 300, height: 260)
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: 1))
        let raster = Raster(
            size: size, format: .gray(bits: 1), samples: [UInt8](repeating: paper, count: row * size.height))
        let overlay = OverlayPixels(
            Self.box(PixelRect(x: 20, y: 10, width: 200, height: 200), [153, 153, 153]).areas
                + Self.box(PixelRect(x: 20, y: 230, width: 9, height: 1), [gray, gray, gray]).areas)
        #expect(try #require(raster.compositing(overlay)).raster.format.bitsPerPixel == bits)
    }

    /// A gray that is visible on white stays, however few of the touched pixels have it.
    @Test func grayNeverBecomesWhiteNextToALargeBox() throws {
        let size = PixelSize(width: 300, height: 260)
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: 1))
        let raster = Raster(
            size: size, format: .gray(bits: 1), samples: [UInt8](repeating: .max, count: row * size.height))
        let overlay = OverlayPixels(
            Self.box(PixelRect(x: 20, y: 10, width: 200, height: 200), [0, 0, 0]).areas
                + Self.box(PixelRect(x: 20, y: 230, width: 9, height: 4), [229, 229, 229]).areas)
        let laid = try #require(raster.compositing(overlay)).raster
        #expect(laid.format == .palette(bits: 2, colors: [0, 0, 0, 255, 255, 255, 229, 229, 229]))
    }

    /// Over a picture with a profile colors look as they do over sRGB.
    @Test func colorsAreMixedAsTheyLook() throws {
        let size = PixelSize(width: 40, height: 30)
        var raster = Self.noise(size, .rgb(bits: 8))
        raster.iccProfile = try Fixture.bytes("made/wide.icc")
        let rect = PixelRect(x: 4, y: 4, width: 8, height: 8)
        let plain = Self.box(rect, [150, 90, 80])
        let mixed = try #require(try plain.mixed(on: raster))
        #expect(mixed.areas[0].black == mixed.areas[0].white && mixed.areas[0].black != plain.areas[0].black)
        let shown = try #require(raster.compositing(mixed)).raster.inSRGB()
        for place in 0..<64 {
            let start = 3 * ((4 + place / 8) * size.width + 4 + place % 8)
            let difference = zip(shown.samples[start..<start + 3], [150, 90, 80]).map { abs(Int($0) - $1) }
            #expect((difference.max() ?? 255) <= 3)
        }
        // Where nothing lies over it, the picture's own samples stay.
        #expect(try #require(raster.compositing(mixed)).raster.samples[0..<90] == raster.samples[0..<90])
        raster.iccProfile = nil
        #expect(try plain.mixed(on: raster) == nil)
    }
}
