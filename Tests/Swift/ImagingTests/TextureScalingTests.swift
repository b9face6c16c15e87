import PageModel
import Scratch
import Testing

@testable import Imaging

/// Pages whose texture decides how they are scaled.
@Suite struct TextureScalingTests {
    /// Returns a gray page; `ink` is the share of a pixel, at 4 by 4 points, that is black.
    private static func page(_ width: Int, _ height: Int, _ isInk: (_ x: Double, _ y: Double) -> Bool) -> Raster {
        let samples = (0..<width * height).map { place -> UInt8 in
            var light = 0
            for point in 0..<16 {
                let x = Double(place % width) + (Double(point % 4) + 0.5) / 4
                let y = Double(place / width) + (Double(point / 4) + 0.5) / 4
                light += isInk(x, y) ? 0 : 1
            }
            return SRGBCurve.sample8[light * 65535 / 16]
        }
        return Raster(size: PixelSize(width: width, height: height), format: .gray(bits: 8), samples: samples)
    }

    /// Whether a point is on a dot of a screen at 45°.
    private static func isDot(_ x: Double, _ y: Double, pitch: Double, radius: Double) -> Bool {
        let (u, v) = ((x + y) / pitch / 2.0.squareRoot(), (x - y) / pitch / 2.0.squareRoot())
        let (across, down) = (u - u.rounded(), v - v.rounded())
        return across * across + down * down < radius * radius
    }

    private static func isStroke(_ x: Double, _ y: Double) -> Bool { abs((x + 2 * y).remainder(dividingBy: 90)) < 3 }

    /// The mean light of the middle of a page.
    private static func light(_ raster: Raster) -> Double {
        let (width, height) = (raster.size.width, raster.size.height)
        let middle = (height / 4..<height * 3 / 4).flatMap { row in
            (width / 4..<width * 3 / 4).map { Double(SRGBCurve.light8[Int(raster.samples[row * width + $0])]) }
        }
        return middle.reduce(0, +) / Double(middle.count)
    }

    /// Returns the weights of screentone of the cells, and the number of cells in a row.
    private static func tones(_ raster: Raster) -> (weights: [Float], across: Int) {
        let map = TextureMap(raster.size)
        raster.samples.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            let rows = GrayRows(pixels: start, width: raster.size.width, rows: 0..<raster.size.height)
            while map.bands.count < map.down { map.addBand(rows) }
            for band in 0..<map.down { map.findCells(ofBand: band, rows) }
        }
        return ((0..<map.cellsDown).flatMap { map.tones(ofRow: $0) }, map.cellsAcross)
    }

    @Test(arguments: [(4.2, 0.3), (5.1, 0.2), (7.0, 0.18), (8.9, 0.45)])
    func screentoneKeepsItsGray(_ pitch: Double, _ radius: Double) throws {
        let page = Self.page(200, 200) { Self.isDot($0, $1, pitch: pitch, radius: radius) }
        let tones = Self.tones(page).weights
        #expect(tones.reduce(0) { $0 + Double($1) } / Double(tones.count) > 0.9)
        let scaled = try page.fitted(to: PixelSize(width: 112, height: 112))
        let (before, after) = (Self.light(page), Self.light(scaled))
        #expect(abs(before - after) < 0.006, "\(before) became \(after)")
        // Dots that are finer than three pixels become gray: no more than half of the contrast is left that they have otherwise.
        if pitch * 0.56 < 3 {
            func contrast(_ raster: Raster) throws -> Int {
                let middle = raster.samples[112 * 56 + 20..<112 * 56 + 92]
                return Int(try #require(middle.max())) - Int(try #require(middle.min()))
            }
            let usual = try page.scaled(to: PixelSize(width: 112, height: 112))
            #expect(try 2 * contrast(scaled) < contrast(usual))
        }
    }

    /// At these heights, a row of the soft filter waits longest for the sharp one.
    @Test(arguments: [(203, 75), (245, 227), (329, 305)])
    func screentoneHasNoBlackRow(_ height: Int, _ target: Int) throws {
        let page = Self.page(80, height) { Self.isDot($0, $1, pitch: 5.1, radius: 0.3) }
        let scaled = try page.fitted(to: PixelSize(width: 80 * target / height, height: target))
        let width = scaled.size.width
        let rows = (0..<target).map { row in
            Double(scaled.samples[row * width..<(row + 1) * width].reduce(0) { $0 + Int($1) }) / Double(width)
        }
        let mean = rows.reduce(0, +) / Double(target)
        #expect(rows.allSatisfy { $0 > mean / 2 })
    }

    @Test func linesKeepTheirDepth() throws {
        let page = Self.page(200, 200) { x, y in abs((x + 2 * y).remainder(dividingBy: 60)) < 2 }
        #expect(Self.tones(page).weights.allSatisfy { $0 == 0 })
        let target = PixelSize(width: 94, height: 94)
        func darkest(_ raster: Raster) -> Double {
            let dark = raster.samples.sorted().prefix(raster.samples.count / 50)
            return Double(dark.reduce(0) { $0 + Int($1) }) / Double(dark.count)
        }
        let (ours, inLight) = (try darkest(page.fitted(to: target)), try darkest(page.scaled(to: target)))
        #expect(ours < inLight - 15, "\(ours) against \(inLight)")
    }

    @Test func strokesAreNoTone() {
        let page = Self.page(256, 192) { x, y in
            Self.isStroke(x, y) || Self.isDot(x, y, pitch: 5.1, radius: 0.3)
        }
        let (tones, across) = Self.tones(page)
        func weight(_ isCounted: (Double, Double) -> Bool) -> Float {
            let cells = tones.indices.filter {
                let (x, y) = (Double($0 % across * 4 + 2), Double($0 / across * 4 + 2))
                return isCounted(x, y)
            }
            return cells.reduce(0) { $0 + tones[$1] } / Float(cells.count)
        }
        #expect(weight(Self.isStroke) < 0.2)
        #expect(weight { x, y in abs(abs((x + 2 * y).remainder(dividingBy: 90)) - 45) < 10 } > 0.9)
    }

    /// The bars and arcs of small letters, which have a rhythm across but none down.
    @Test func smallTextIsNoTone() {
        var random = SplitMix(seed: 9)
        let heights = (0..<4000).map { _ in Int.random(in: 0..<4, using: &random) }
        let page = Self.page(256, 256) { x, y in
            let (column, row) = (Int(x / 7), Int(y / 14))
            guard y.truncatingRemainder(dividingBy: 14) < 9 else { return false }
            let (left, top) = (x.truncatingRemainder(dividingBy: 7), y.truncatingRemainder(dividingBy: 14))
            let kind = heights[row * 40 + column]
            return left < 1.5 && kind > 0 || kind > 1 && left < 5 && abs(top - Double(2 * kind)) < 0.8
        }
        let tones = Self.tones(page).weights
        #expect(tones.count { $0 > 0 } * 100 <= tones.count)
    }

    @Test func photographsAreScaledAsBefore() throws {
        var random = SplitMix(seed: 4)
        let samples = (0..<192 * 192).map { place in
            UInt8((place % 192 + place / 192) / 3 + 30 + Int.random(in: 0...90, using: &random))
        }
        let photo = Raster(size: PixelSize(width: 192, height: 192), format: .gray(bits: 8), samples: samples)
        let target = PixelSize(width: 100, height: 100)
        #expect(try photo.fitted(to: target) == photo.scaled(to: target))
    }

    @Test func colorsAreScaledAsTheirBrightness() throws {
        let gray = Self.page(192, 192) { x, y in Self.isStroke(x, y) || Self.isDot(x, y, pitch: 6.3, radius: 0.35) }
        let color = Raster(size: gray.size, format: .rgb(bits: 8), samples: gray.samples.flatMap { [$0, $0, $0] })
        let target = PixelSize(width: 107, height: 107)
        #expect(try color.fitted(to: target).gray() == gray.fitted(to: target))
    }

    @Test func sharpeningStaysWithinItsBound() {
        let page = Self.page(64, 64, Self.isStroke)
        let sharp = page.sharpened(percent: 100)
        #expect(sharp != page)
        for y in 0..<64 {
            for x in 0..<64 {
                let near = (max(0, y - 1)...min(63, y + 1)).flatMap { row in
                    (max(0, x - 1)...min(63, x + 1)).map { Int(page.samples[row * 64 + $0]) }
                }
                let value = Int(sharp.samples[y * 64 + x])
                #expect(value >= (near.min() ?? 0) - 8 && value <= (near.max() ?? 255) + 8)
            }
        }
    }

    @Test func everyFormatIsSharpenedAlike() {
        let gray = Self.page(30, 20, Self.isStroke)
        let sharp = gray.sharpened(percent: 60).samples
        func sharpened(_ format: PixelFormat, _ pixel: (UInt8) -> [UInt8]) -> [UInt8] {
            Raster(size: gray.size, format: format, samples: gray.samples.flatMap(pixel)).sharpened(percent: 60).samples
        }
        #expect(sharpened(.rgb(bits: 8)) { [$0, $0, $0] } == sharp.flatMap { [$0, $0, $0] })
        #expect(
            sharpened(.grayAlpha(bits: 8)) { [$0, 255 - $0] }.enumerated().allSatisfy { index, value in
                value == (index % 2 == 0 ? sharp[index / 2] : 255 - gray.samples[index / 2])
            })
        // Sixteen bits keep fractions.
        let deep = sharpened(.gray(bits: 16)) { [$0, $0] }
        #expect(sharp.indices.allSatisfy { abs(Int(deep[2 * $0]) - Int(sharp[$0])) <= 1 })
    }

    // MARK: JPEGs that are scaled while they are decoded

    private static func drawing(_ x: Double, _ y: Double) -> Bool {
        isStroke(x / 2, y / 2) || x > 600 && isDot(x, y, pitch: 10, radius: 0.35)
    }

    @Test(arguments: [PixelFormat.gray(bits: 8), .rgb(bits: 8)])
    func shrinkingLooksLikeScaling(_ format: PixelFormat) throws {
        let gray = Self.page(1210, 790, Self.drawing)
        let page = format.colorants == 1 ? gray : gray.widened(to: format)
        let file = try PictureEncoder.encode(page, as: .jpeg, .quality(95))
        let target = PixelSize(width: 242, height: 158)
        var request = DecodeRequest(.jpeg, maximumPixels: 1_000_000)
        let whole = try PictureDecoder.decode(file, request).raster.fitted(to: target)
        request.target = target
        let shrunk = try PictureDecoder.decode(file, request).raster
        #expect(shrunk.size == target && shrunk.format == format)
        let differences = zip(whole.samples, shrunk.samples).map { abs(Int($0) - Int($1)) }
        #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 4)
        #expect(abs(Self.light(whole.gray()) - Self.light(shrunk.gray())) < 0.02)
    }

    @Test func shrinkingLeavesTwiceTheTarget() {
        func shrinks(_ width: Int, _ height: Int, _ target: Int) -> Bool {
            PictureDecoder.shrinks(
                PixelSize(width: width, height: height), to: PixelSize(width: target, height: target))
        }
        #expect(shrinks(800, 800, 200) && !shrinks(798, 798, 200) && !shrinks(4000, 798, 200))
    }

    /// Twice as many rows take as many bytes, except those of the target and a few for each block.
    @Test func shrinkingTakesMemoryForBands() {
        func memory(_ height: Int) -> Int {
            PictureDecoder.memory(
                forShrinking: PixelSize(width: 12000, height: height), to: PixelSize(width: 2000, height: height / 6))
        }
        #expect(memory(16000) > 12000 * 64 * 4 * 4 && memory(16000) < 12000 * 16000 / 4)
        #expect(memory(32000) - memory(16000) < 4_000_000)
    }

    @Test func shrinkingRefusesLargeImages() throws {
        let file = try PictureEncoder.encode(Self.page(640, 640, Self.drawing), as: .jpeg, .quality(80))
        var request = DecodeRequest(.jpeg, maximumPixels: 640 * 639)
        request.target = PixelSize(width: 100, height: 100)
        #expect(throws: PictureFault.self) { try PictureDecoder.decode(file, request) }
    }
}
