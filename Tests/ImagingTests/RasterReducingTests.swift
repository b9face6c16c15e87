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
}
