import PageModel
import Testing

@Suite struct RasterTests {
    @Test(arguments: [
        (PixelFormat.gray(bits: 1), 1, [1, 1, 2]), (.gray(bits: 2), 2, [1, 2, 3]), (.gray(bits: 4), 4, [1, 4, 5]),
        (.gray(bits: 8), 8, [1, 8, 9]), (.gray(bits: 16), 16, [2, 16, 18]), (.rgb(bits: 8), 24, [3, 24, 27]),
        (.rgb(bits: 16), 48, [6, 48, 54]), (.palette(bits: 4, colors: []), 4, [1, 4, 5]),
        (.grayAlpha(bits: 8), 16, [2, 16, 18]), (.rgba(bits: 16), 64, [8, 64, 72]),
    ])
    func rowsBeginOnBytes(_ format: PixelFormat, _ bits: Int, _ bytes: [Int]) {
        #expect(format.bitsPerPixel == bits)
        #expect([1, 8, 9].map { Raster.bytesPerRow(width: $0, format: format) } == bytes)
    }

    @Test func samplesHaveTheBitsOfTheirFormat() {
        #expect(PixelFormat.rgb(bits: 16).bitsPerSample == 16)
        #expect(PixelFormat.rgba(bits: 16).bitsPerSample == 16)
        #expect(PixelFormat.grayAlpha(bits: 8).bitsPerSample == 8)
        #expect(PixelFormat.palette(bits: 2, colors: [1, 2, 3]).bitsPerSample == 2)
        let raster = Raster(size: PixelSize(width: 9, height: 2), format: .gray(bits: 1), samples: [1, 2, 3, 4])
        #expect(raster.bytesPerRow == 2)
    }
}
