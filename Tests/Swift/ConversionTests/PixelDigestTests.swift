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
        #expect(PixelDigest(raster(.rgb(bits: 16), color), isUniform: true) == deep && deep.samples == "pixels16")
    }

    /// A digest that omits colors or alpha must not confuse them with the gray that is left.
    @Test func uniformDigestsOfDifferentPixelsDiffer() {
        let rasters = [
            raster(.gray(bits: 8), [7, 7, 7]), raster(.gray(bits: 8), [7, 7, 8]),
            raster(.rgb(bits: 8), [7, 7, 7, 7, 7, 7, 7, 7, 8]), raster(.rgb(bits: 8), [7, 7, 7, 7, 7, 8, 7, 7, 7]),
            raster(.grayAlpha(bits: 8), [7, 255, 7, 255, 7, 7]), raster(.grayAlpha(bits: 8), [7, 7, 7, 255, 7, 255]),
        ]
        #expect(Set(rasters.map { PixelDigest($0, isUniform: true) }).count == rasters.count)
        let (one, other) = (raster(.grayAlpha(bits: 8), [7, 7, 7, 9, 7, 7]), [UInt8](arrayLiteral: 7, 7, 7))
        let color = zip(other, [7, 9, 7] as [UInt8]).flatMap { [$0, $0, $0, $1] }
        #expect(PixelDigest(one, isUniform: true) == PixelDigest(raster(.rgba(bits: 8), color), isUniform: true))
    }

    /// Rows are converted in groups, and only some groups have colors.
    @Test func everyRowOfALargeImageCounts() {
        let (width, height) = (5, 200)
        var color = [UInt8](repeating: 9, count: 3 * width * height)
        color[3 * width * 100] = 8
        let (plain, gray) = (raster(.rgb(bits: 8), color, width: width, height: height), color.map { _ in UInt8(9) })
        let withAlpha = stride(from: 0, to: color.count, by: 3).flatMap { color[$0..<$0 + 3] + [255] }
        let digest = PixelDigest(plain, isUniform: true)
        #expect(
            digest
                == PixelDigest(
                    raster(.rgba(bits: 8), withAlpha, width: width, height: height), isUniform: true))
        #expect(
            digest != PixelDigest(raster(.rgb(bits: 8), gray, width: width, height: height), isUniform: true))
        #expect(PixelDigest(plain).hex == SHA256.hexDigest(of: color))
        for row in [0, 63, 64, 199] {
            var changed = color
            changed[3 * width * row + 1] ^= 1
            let other = raster(.rgb(bits: 8), changed, width: width, height: height)
            #expect(PixelDigest(other, isUniform: true) != digest && PixelDigest(other) != PixelDigest(plain))
        }
    }

    @Test func theSizeCounts() {
        let (flat, high) = (raster(.gray(bits: 8), [1, 2, 3]), raster(.gray(bits: 8), [1, 2, 3], width: 1, height: 3))
        #expect(PixelDigest(flat) != PixelDigest(high))
    }
}
