import PageModel
import Testing

@testable import Imaging

/// Scans in layers on blank paper have few colors, but for the noise of a JPEG.
@Suite struct FewColorsTests {
    private static let size = PixelSize(width: 100, height: 50)

    private static func gray(_ level: (_ pixel: Int) -> UInt8) -> Raster {
        Raster(size: size, format: .gray(bits: 8), samples: (0..<size.area).map(level))
    }

    @Test func noiseAtLettersBecomesWhite() throws {
        let page = Self.gray { $0 % 450 == 1 ? 249 : $0 % 9 == 0 ? 94 : 255 }
        let (few, change) = try #require(page.withFewColors())
        #expect(change == 6)
        #expect(few.format == .palette(bits: 1, colors: [255, 255, 255, 94, 94, 94]))
        let levels = stride(from: 0, to: 3 * Self.size.area, by: 3).map { few.widened().samples[$0] }
        #expect(zip(levels, page.samples).allSatisfy { $0 == ($1 == 249 ? 255 : $1) })
    }

    @Test func colorsAreCountedAsWell() throws {
        let samples = (0..<Self.size.area).flatMap { $0 % 7 == 0 ? [200, 0, 0] : [255, 255, 250] as [UInt8] }
        let page = Raster(size: Self.size, format: .rgb(bits: 8), samples: samples)
        let (few, change) = try #require(page.withFewColors())
        #expect(few.format == .palette(bits: 1, colors: [255, 255, 250, 200, 0, 0]))
        #expect(few.widened().samples == samples && change == 0)
    }

    @Test(arguments: [10, 50, 500]) func faintStampsStay(_ step: Int) throws {
        let few = try #require(Self.gray { $0 % step == 0 ? 249 : 255 }.withFewColors())
        #expect(few.raster.format == .palette(bits: 1, colors: [255, 255, 255, 249, 249, 249]) && few.change == 0)
    }

    /// A line in pencil, or a stamp, covers few pixels of a page. It may touch a letter, as noise does.
    @Test(arguments: [[240, 240, 240], [247, 247, 247], [249, 249, 249], [239, 255, 255]] as [[UInt8]])
    func paleMarksStay(_ mark: [UInt8]) throws {
        let samples = (0..<Self.size.area).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % Self.size.width, pixel / Self.size.width)
            if y == 40, 10..<30 ~= x { return mark }
            return y == 39 && x < 12 ? [0, 0, 0] : [255, 255, 255]
        }
        let page = Raster(size: Self.size, format: .rgb(bits: 8), samples: samples)
        let few = try #require(page.withFewColors())
        #expect(few.raster.widened().samples == samples && few.change == 0)
    }

    /// Shades next to white are another thing than shades of black.
    @Test func shadesOfBlackBecomeOne() throws {
        let page = Self.gray { $0 % 400 == 0 ? 244 : $0 % 400 == 1 ? 30 : $0 % 4 == 2 ? 14 : 255 }
        let few = try #require(page.withFewColors())
        #expect(few.change == 16)
        let levels = few.raster.widened().samples
        #expect(
            page.samples.indices.allSatisfy {
                levels[3 * $0] == (page.samples[$0] == 30 ? 14 : page.samples[$0])
            })
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
        #expect(Self.gray { UInt8($0 % 256) }.withFewColors()?.raster == nil)
        let noise = (0..<3 * Self.size.area).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        #expect(Raster(size: Self.size, format: .rgb(bits: 8), samples: noise).withFewColors()?.raster == nil)
        let deep = Raster(
            size: PixelSize(width: 1, height: 1), format: .gray(bits: 16), samples: [0, 0])
        #expect(deep.withFewColors()?.raster == nil)
    }
}
