import PageModel
import Testing

@testable import Imaging

@Suite struct PrintLayersTests {
    private static let size = PixelSize(width: 1_650, height: 60)

    /// Returns a white page of 300 pixels per inch with a black line and a gray rectangle.
    private static func page(hasImage: Bool) -> Raster {
        var samples = [UInt8](repeating: 255, count: size.area)
        for x in 0..<size.width { samples[5 * size.width + x] = 0 }
        if hasImage { for y in 20..<41 { for x in 100..<301 { samples[y * size.width + x] = 120 } } }
        return Raster(size: size, format: .gray(bits: 8), samples: samples, resolution: Resolution(300))
    }

    @Test func printAndImagesAreSeparated() throws {
        let raster = Self.page(hasImage: true)
        // The page is too low for its stated resolution, which is then that of a paperback.
        #expect(Resolution.probable(raster.resolution, of: PixelSize(width: 1_650, height: 2_400)) == 300)
        let layers = try #require(try PrintLayers(raster))
        let image = try #require(layers.image)
        #expect(layers.place.x == 100 && layers.place.y == 20)
        #expect(layers.place.width >= 201 && layers.place.height >= 21)
        #expect(image.samples.allSatisfy { $0 >= 115 })
        let row = layers.print.bytesPerRow
        #expect(layers.print.samples[5 * row] == 0 && layers.print.samples[25 * row + 20] == 255)
    }

    @Test func printAloneHasNoImage() throws {
        let layers = try #require(try PrintLayers(Self.page(hasImage: false)))
        #expect(layers.image == nil)
    }

    /// Half of the pixels are print. Work that grows with the print and the page at once would take minutes.
    @Test func largePagesKeepEachPixelOfTheirPrint() throws {
        let size = PixelSize(width: 1_001, height: 800)
        var samples = [UInt8](repeating: 255, count: 3 * size.area)
        for pixel in stride(from: 0, to: size.area, by: 2) {
            for channel in 0..<3 { samples[3 * pixel + channel] = 0 }
        }
        // A color with one black and one white channel is part of an image.
        for y in 400..<600 { for x in 100..<400 { samples[3 * (y * size.width + x) + 1] = 255 } }
        let page = Raster(size: size, format: .rgb(bits: 8), samples: samples, resolution: Resolution(300))
        let layers = try #require(try PrintLayers(page))
        let row = layers.print.bytesPerRow
        let wrong = (0..<size.area).count { pixel in
            let (x, y) = (pixel % size.width, pixel / size.width)
            let isBlack = samples[3 * pixel..<3 * pixel + 3].allSatisfy { $0 == 0 }
            return (layers.print.samples[y * row + x / 8] >> UInt8(7 - x % 8) & 1 == 0) != isBlack
        }
        #expect(wrong == 0)
        #expect(layers.place.y == 400 && layers.place.height >= 200 && layers.place.height < 210)
        let image = try #require(layers.image)
        #expect(image.format == .rgb(bits: 8) && image.samples.contains(where: { $0 < 200 }))
    }

    @Test func otherFormatsAreRefused() throws {
        let bits = Raster(size: PixelSize(width: 8, height: 1), format: .gray(bits: 1), samples: [0])
        #expect(try PrintLayers(bits) == nil)
    }
}
