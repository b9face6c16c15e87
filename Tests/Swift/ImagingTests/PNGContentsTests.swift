import Imaging
import PageModel
import Testing

@Suite struct PNGContentsTests {
    private static let raster = Raster(
        size: PixelSize(width: 3, height: 2), format: .palette(bits: 2, colors: [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        samples: [0x18, 0x84], resolution: Resolution(254), iccProfile: [UInt8](repeating: 7, count: 90_000))

    @Test func contentsOfAWrittenPNGAreFound() throws {
        let contents = try #require(PNGContents(PNGWriter.encode(Self.raster)))
        #expect(contents.size == Self.raster.size)
        #expect(contents.format == Self.raster.format)
        #expect(contents.iccProfile == Self.raster.iccProfile)
        #expect(abs((contents.resolution?.horizontal ?? 0) - 254) < 0.01)
        #expect(!contents.isInterlaced && !contents.hasTransparentColors)
        #expect(contents.data.first == 0x78)
    }

    /// A truncated or damaged file is rejected, or has that size.
    @Test func brokenFilesAreRejectedOrKeepTheirSize() {
        let file = PNGWriter.encode(
            Raster(size: PixelSize(width: 3, height: 2), format: .rgb(bits: 8), samples: [UInt8](0..<18)))
        for count in 0..<file.count - 12 {
            #expect(PNGContents(Array(file[..<count]))?.size != PixelSize(width: 0, height: 0))
        }
        #expect(PNGContents(Array(file[..<60])) == nil)
        var odd = file
        odd[24] = 3
        #expect(PNGContents(odd) == nil)
        odd[24] = 8
        odd[25] = 3
        #expect(PNGContents(odd) == nil)
        #expect(PNGContents([]) == nil)
    }
}

@Suite struct SeparatedAlphaTests {
    @Test func colorsAndAlphaStandApart() {
        let raster = Raster(
            size: PixelSize(width: 2, height: 1), format: .rgba(bits: 16),
            samples: [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 255, 255])
        let (colors, alpha) = raster.separatingAlpha()
        #expect(colors.format == .rgb(bits: 16))
        #expect(colors.samples == [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16])
        #expect(alpha?.format == .gray(bits: 16))
        #expect(alpha?.samples == [7, 8, 255, 255])
    }

    @Test func opaqueAlphaIsDropped() {
        let raster = Raster(
            size: PixelSize(width: 2, height: 1), format: .grayAlpha(bits: 8), samples: [1, 255, 2, 255])
        #expect(raster.separatingAlpha().colors.samples == [1, 2])
        #expect(raster.separatingAlpha().alpha == nil)
    }
}
