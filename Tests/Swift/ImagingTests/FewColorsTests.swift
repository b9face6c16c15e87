import PageModel
import Testing

@testable import Imaging

/// Scans in layers on blank paper have few colors, but for the noise of a JPEG.
@Suite struct FewColorsTests {
    private static let size = PixelSize(width: 100, height: 50)

    private static func gray(_ level: (_ pixel: Int) -> UInt8) -> Raster {
        Raster(size: size, format: .gray(bits: 8), samples: (0..<size.area).map(level))
    }

    @Test func noiseAroundWhiteBecomesWhite() throws {
        let page = Self.gray { $0 % 500 == 0 ? 249 : $0 % 9 == 0 ? 94 : 255 }
        let few = try #require(page.withFewColors())
        #expect(few.format == .palette(bits: 1, colors: [255, 255, 255, 94, 94, 94]))
        let levels = stride(from: 0, to: 3 * Self.size.area, by: 3).map { few.widened().samples[$0] }
        #expect(zip(levels, page.samples).allSatisfy { $0 == ($1 == 249 ? 255 : $1) })
    }

    @Test func colorsAreCountedAsWell() throws {
        let samples = (0..<Self.size.area).flatMap { $0 % 7 == 0 ? [200, 0, 0] : [255, 255, 250] as [UInt8] }
        let page = Raster(size: Self.size, format: .rgb(bits: 8), samples: samples)
        let few = try #require(page.withFewColors())
        #expect(few.format == .palette(bits: 1, colors: [255, 255, 250, 200, 0, 0]))
        #expect(few.widened().samples == samples)
    }

    /// It covers more than noise does.
    @Test func faintStampsStay() throws {
        let page = Self.gray { $0 % 50 == 0 ? 249 : 255 }
        #expect(page.withFewColors() == nil)
        let large = try #require(Self.gray { $0 % 10 == 0 ? 249 : 255 }.withFewColors())
        #expect(large.format == .palette(bits: 1, colors: [255, 255, 255, 249, 249, 249]))
    }

    /// Paper around a scan with a palette does not make it an image of 24 bits.
    @Test func blankPaperJoinsThePalette() throws {
        let table = (0..<256).flatMap { [UInt8($0), UInt8($0 / 2), 0] as [UInt8] }
        let samples = (0..<Self.size.area).map { UInt8($0 % 200) }
        let scan = Raster(size: Self.size, format: .palette(bits: 8, colors: table), samples: samples)
        let page = Raster.composed(
            [(scan, 10, 10)], size: PixelSize(width: 120, height: 70), background: .white)
        #expect(page.format.isPalette)
        let shown = page.widened()
        #expect(Array(shown.samples.prefix(3)) == [255, 255, 255])
        let rect = PixelRect(x: 10, y: 10, width: 100, height: 50)
        #expect(shown.framed(Framing(shown.size).keeping(rect)).samples == scan.widened().samples)
        let full = Raster(
            size: Self.size, format: .palette(bits: 8, colors: table),
            samples: (0..<Self.size.area).map { UInt8($0 % 256) })
        let wide = Raster.composed([(full, 0, 0)], size: PixelSize(width: 120, height: 70), background: .white)
        #expect(wide.format == .rgb(bits: 8))
    }

    @Test func photographsHaveTooManyColors() {
        #expect(Self.gray { UInt8($0 % 256) }.withFewColors() == nil)
        let noise = (0..<3 * Self.size.area).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        #expect(Raster(size: Self.size, format: .rgb(bits: 8), samples: noise).withFewColors() == nil)
        let deep = Raster(
            size: PixelSize(width: 1, height: 1), format: .gray(bits: 16), samples: [0, 0])
        #expect(deep.withFewColors() == nil)
    }
}
