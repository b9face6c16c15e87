import PageModel
import Testing

@Suite struct SizeTests {
    @Test func areasSaturate() {
        #expect(PixelSize(width: 3, height: 4).area == 12)
        #expect(PixelSize(width: .max, height: 2).area == .max)
        #expect(PixelSize(width: 1 << 32, height: 1 << 32).area == .max)
        #expect("\(PixelSize(width: 3, height: 4))" == "3x4")
    }

    @Test func quarterTurnsExchangeTheSides() {
        let size = PixelSize(width: 3, height: 4)
        #expect((0...4).map { size.rotated(quarters: $0).width } == [3, 4, 3, 4, 3])
        let resolution = Resolution(horizontal: 300, vertical: 200)
        #expect(resolution.rotated(quarters: 1) == Resolution(horizontal: 200, vertical: 300))
        #expect(resolution.rotated(quarters: 2) == resolution)
        #expect(Resolution(300) == Resolution(horizontal: 300, vertical: 300))
    }

    @Test func editsApplyInOrder() {
        let size = PixelSize(width: 30, height: 40)
        let crop = PixelRect(x: 1, y: 2, width: 5, height: 7)
        #expect([Edit]().applied(to: size) == size && [PageEdit]().applied(to: size) == size)
        #expect([.turn(quarters: 1)].applied(to: size) == PixelSize(width: 40, height: 30))
        #expect([.crop(crop), .turn(quarters: 3)].applied(to: size) == PixelSize(width: 7, height: 5))
        #expect([.turn(quarters: 3), .crop(crop)].applied(to: size) == crop.size)
    }

    @Test func drawingsAreAtLeastOnePixel() {
        func size(_ width: Double, _ height: Double, _ resolution: Double) -> PixelSize {
            DrawnPicture(width: width, height: height, resolution: resolution) {
                DecodedImage(raster: Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [0]))
            }.size
        }
        #expect(size(595.28, 841.89, 72) == PixelSize(width: 595, height: 842))
        #expect(size(72, 144, 300) == PixelSize(width: 300, height: 600))
        #expect(size(0.1, 0, 10) == PixelSize(width: 1, height: 1))
        #expect(size(-5, .nan, 10) == PixelSize(width: 1, height: 1))
        #expect(size(.infinity, 1e300, 300).height == 1_000_000_000)
    }
}
