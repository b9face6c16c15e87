import Imaging
import PageModel
import Scratch
import Testing

@Suite struct PictureEncoderTests {
    /// What can be kept comes back from every format, whatever the samples are.
    @Test(arguments: [ImageEncoding.png, .tiff, .webp])
    func losslessIsLossless(_ encoding: ImageEncoding) throws {
        var random = SplitMix(seed: 5)
        for format in RasterFramingTests.formats where encoding != .webp || format.bitsPerSample <= 8 {
            let raster = PixelGrid.random(format, PixelSize(width: 19, height: 11), using: &random).raster()
            let file = try PictureEncoder.encode(raster, as: encoding, .lossless)
            let read = try PictureDecoder.decode(file, encoding, maximumPixels: 1000).raster
            let common = format.joined(with: read.format).joined(with: .rgb(bits: 8))
            #expect(read.widened(to: common).samples == raster.widened(to: common).samples, "\(format)")
        }
    }

    @Test func transparentBecomesWhiteInJPEG() throws {
        let raster = Raster(
            size: PixelSize(width: 16, height: 16), format: .rgba(bits: 8),
            samples: [UInt8](repeating: 0, count: 1024))
        let file = try PictureEncoder.encode(raster, as: .jpeg, .quality(95))
        let read = try PictureDecoder.decode(file, .jpeg, maximumPixels: 256).raster
        #expect(read.samples.allSatisfy { $0 > 250 })
    }

    /// Alpha without a transparent pixel is no loss. Other formats keep transparency.
    @Test(arguments: [8, 16]) func lossNamesTransparencyAndDepth(_ bits: Int) {
        let size = PixelSize(width: 2, height: 1)
        let depth = bits == 16 ? "converted to 8 bits per sample" : nil
        for format in [PixelFormat.grayAlpha(bits: bits), .rgba(bits: bits)] {
            let count = 2 * format.bitsPerPixel / 8
            var samples = [UInt8](repeating: 255, count: count)
            func loss(_ encoding: ImageEncoding) -> String? {
                let raster = Raster(size: size, format: format, samples: samples)
                return PictureEncoder.loss(of: raster, in: encoding)?.english
            }
            #expect(loss(.jpeg) == depth)
            samples[count - 1] = 254
            #expect(loss(.jpeg) == ["transparent areas made white", depth].compactMap(\.self).joined(separator: ", "))
            #expect(loss(.webp) == depth)
            #expect(loss(.png) == nil)
        }
        let gray = Raster(size: size, format: .gray(bits: bits), samples: [UInt8](repeating: 0, count: bits / 4))
        #expect(PictureEncoder.loss(of: gray, in: .jpeg)?.english == depth)
    }

    @Test func aJPEGCannotKeepEverySample() {
        let raster = Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [1])
        #expect(throws: PictureFault.self) { try PictureEncoder.encode(raster, as: .jpeg, .lossless) }
    }

    /// A quantity of divisors is kept: encoding as another JPEG was does not make the file larger.
    @Test func likeAnotherJPEGIsAsCoarse() throws {
        var random = SplitMix(seed: 6)
        let noise = PixelGrid.random(.rgb(bits: 8), PixelSize(width: 64, height: 64), using: &random).raster()
        let first = try PictureEncoder.encode(noise, as: .jpeg, .quality(40))
        let tables = try #require(JPEGTables(first))
        let decoded = try PictureDecoder.decode(first, .jpeg, maximumPixels: 5000).raster
        let second = try PictureEncoder.encode(decoded, as: .jpeg, .like(tables))
        #expect(JPEGTables(second) == tables)
        #expect(Double(second.count) < Double(first.count) * 1.05)
        #expect(tables.estimatedQuality == 40)
    }
}
