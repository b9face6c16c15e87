import Imaging
import PageModel
import Testing

@Suite struct RasterReducingTests {
    @Test func pixelsAreAveraged() {
        let raster = Raster(
            size: PixelSize(width: 3, height: 3), format: .gray(bits: 8), samples: [0, 10, 40, 20, 30, 60, 100, 200, 7])
        let half = raster.reducedToGray(by: 2)
        #expect(half.size == PixelSize(width: 2, height: 2))
        #expect(half.samples == [15, 50, 150, 7])
        #expect(raster.reducedToGray(by: 1).samples == raster.samples)
    }

    @Test func everyFormatBecomesGrayOfEightBits() {
        let bits = Raster(size: PixelSize(width: 2, height: 1), format: .gray(bits: 1), samples: [0b0100_0000])
        #expect(bits.reducedToGray(by: 2).samples == [128])
        let color = Raster(size: PixelSize(width: 1, height: 1), format: .rgb(bits: 8), samples: [255, 0, 0])
        #expect(color.reducedToGray(by: 2).samples == [76])
        let clear = Raster(size: PixelSize(width: 1, height: 1), format: .grayAlpha(bits: 8), samples: [0, 0])
        #expect(clear.reducedToGray(by: 1).samples == [255])
        let deep = Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 16), samples: [128, 128])
        #expect(deep.reducedToGray(by: 1).format == .gray(bits: 8))
    }

    @Test func colorsAreAveragedByThemselves() {
        let color = Raster(
            size: PixelSize(width: 3, height: 1), format: .rgb(bits: 8), samples: [255, 0, 10, 5, 0, 20, 7, 8, 9])
        let half = DecodedImage(raster: color).reduced(by: 2, as: .color).raster
        #expect(half.format == .rgb(bits: 8) && half.samples == [130, 0, 15, 7, 8, 9])
        let gray = Raster(size: PixelSize(width: 2, height: 1), format: .gray(bits: 8), samples: [10, 20])
        #expect(DecodedImage(raster: gray).reduced(by: 2, as: .color).raster.samples == [15])
    }

    /// One bit a pixel is counted in another way than other samples are, with the same result.
    @Test(arguments: [2, 3, 5, 8, 13, 31, 57, 58], [1, 7, 8, 63, 64, 65, 130])
    func bitsAreAveragedAsBytesAre(_ factor: Int, _ width: Int) {
        let size = PixelSize(width: width, height: 61)
        let rowBytes = (width + 7) / 8
        // Bits behind the end of a row are set as well: they count for nothing.
        let samples = (0..<rowBytes * size.height).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
        let bits = Raster(size: size, format: .gray(bits: 1), samples: samples)
        #expect(bits.reducedToGray(by: factor) == bits.widened(to: .gray(bits: 8)).reducedToGray(by: factor))
        #expect(
            bits.reducedToGray(by: factor, .ink) == bits.widened(to: .gray(bits: 8)).reducedToGray(by: factor, .ink))
    }
}
