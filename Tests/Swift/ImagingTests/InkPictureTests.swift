import Imaging
import PageModel
import Testing

/// CMYK that stays CMYK.
@Suite struct InkPictureTests {
    private static let size = PixelSize(width: 5, height: 3)

    /// 8 bits a sample take one byte, 16 take two.
    private static func samples(_ bits: Int) -> [UInt8] {
        (0..<size.area * 4 * bits / 8).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    }

    @Test(arguments: [8, 16]) func samplesAndProfileStayInATIFF(_ bits: Int) throws {
        let profile = try Fixture.bytes("made/cmyk.icc")
        let picture = InkPicture(
            size: Self.size, bits: bits, samples: Self.samples(bits), resolution: Resolution(300), iccProfile: profile)
        let file = try picture.tiff()
        let header = try #require(PictureHeader(file))
        #expect(header.isCMYK && header.size == Self.size)
        let read = try InkPicture(tiff: file, maximumPixels: 100)
        #expect(read.samples == picture.samples && read.bits == bits)
        #expect(read.iccProfile == profile && read.resolution == Resolution(300))
        let reader = try TIFFReader(file)
        #expect(reader.samples == picture.samples && reader.extraSamples.isEmpty)
    }

    @Test(arguments: [8, 16]) func turningMovesPixelsAndNothingElse(_ bits: Int) throws {
        let picture = InkPicture(size: Self.size, bits: bits, samples: Self.samples(bits))
        let turned = picture.framed(Framing(Self.size, Orientation.upright.rotated(quarters: 1)))
        #expect(turned.size == PixelSize(width: 3, height: 5))
        let back = turned.framed(Framing(turned.size, Orientation.upright.rotated(quarters: 3)))
        #expect(back.samples == picture.samples && turned.samples != picture.samples)
        // The pixel in the lower left corner comes to the upper left one.
        let pixel = bits / 2
        let last = Self.size.width * (Self.size.height - 1) * pixel
        #expect(turned.samples.prefix(pixel) == picture.samples[last..<last + pixel])
    }

    @Test func otherColorsAreRefused() throws {
        for name in ["made/rgb-8.tif", "made/gray-8.tif", "made/palette-8.tif"] {
            let file = try Fixture.bytes(name)
            #expect(PictureHeader(file)?.isCMYK == false)
            #expect(throws: PictureFault.self) { try InkPicture(tiff: file, maximumPixels: 1 << 20) }
        }
        #expect(PictureHeader(try Fixture.bytes("made/cmyk-8.tif"))?.isCMYK == true)
    }
}
