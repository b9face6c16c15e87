import Imaging
import PageModel
import Testing

@testable import Conversion

/// Digests of pixels do not depend on how they are stored.
@Suite struct PixelDigestTests {
    private func raster(_ format: PixelFormat, _ samples: [UInt8], width: Int = 3, height: Int = 1) -> Raster {
        Raster(size: PixelSize(width: width, height: height), format: format, samples: samples)
    }

    @Test func fewBitsAreStretchedAndPaddingDoesNotCount() {
        let eight = PixelDigest(raster(.gray(bits: 8), [255, 0, 255]))
        #expect(eight.hex == SHA256.hexDigest(of: [255, 0, 255]) && eight.samples == "gray8")
        #expect(PixelDigest(raster(.gray(bits: 1), [0b1010_0000])) == eight)
        #expect(PixelDigest(raster(.gray(bits: 1), [0b1011_1111])) == eight)
        #expect(
            PixelDigest(raster(.gray(bits: 2), [0b0001_1011, 0], width: 5)).hex
                == SHA256.hexDigest(of: [0, 85, 170, 255, 0]))
        #expect(PixelDigest(raster(.gray(bits: 4), [0x0F, 0x80])).hex == SHA256.hexDigest(of: [0, 255, 136]))
    }

    @Test func indicesStandForTheirColors() {
        let colors: [UInt8] = [1, 2, 3, 4, 5, 6]
        let digest = PixelDigest(raster(.palette(bits: 1, colors: colors), [0b1000_0000]))
        #expect(digest == PixelDigest(raster(.rgb(bits: 8), [4, 5, 6, 1, 2, 3, 1, 2, 3])))
        #expect(digest.samples == "rgb8")
    }

    @Test func uniformDigestsAreEqualForEqualPixels() {
        let gray = PixelDigest(raster(.gray(bits: 8), [1, 2, 3]), isUniform: true)
        #expect(PixelDigest(raster(.rgb(bits: 8), [1, 1, 1, 2, 2, 2, 3, 3, 3]), isUniform: true) == gray)
        #expect(PixelDigest(raster(.grayAlpha(bits: 8), [1, 255, 2, 255, 3, 255]), isUniform: true) == gray)
        #expect(
            PixelDigest(
                raster(.rgba(bits: 8), [1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255]), isUniform: true) == gray)
        #expect(PixelDigest(raster(.grayAlpha(bits: 8), [1, 255, 2, 255, 3, 254]), isUniform: true) != gray)
        let deep = PixelDigest(raster(.gray(bits: 16), [1, 2, 3, 4, 5, 6]), isUniform: true)
        let color: [UInt8] = [1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 5, 6, 5, 6, 5, 6]
        #expect(PixelDigest(raster(.rgb(bits: 16), color), isUniform: true) == deep && deep.samples == "rgba16")
    }

    @Test func theSizeCounts() {
        let (flat, high) = (raster(.gray(bits: 8), [1, 2, 3]), raster(.gray(bits: 8), [1, 2, 3], width: 1, height: 3))
        #expect(PixelDigest(flat) != PixelDigest(high))
    }
}
