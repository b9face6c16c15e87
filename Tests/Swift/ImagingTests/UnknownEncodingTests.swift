import Imaging
import PageModel
import Testing

/// A format that an outside adapter brings, and jisui has never heard of.
@Suite struct UnknownEncodingTests {
    private static let encoding = ImageEncoding(rawValue: "jxs")

    @Test func itIsUnsupportedRatherThanDamaged() throws {
        let decoding = #expect(throws: PictureFault.self) {
            try PictureDecoder.decode([1, 2, 3], Self.encoding, maximumPixels: 1000)
        }
        #expect(decoding?.kind == .unsupported)
        let facts = #expect(throws: PictureFault.self) {
            try PictureFacts([1, 2, 3], Self.encoding, maximumPixels: 1000)
        }
        #expect(facts?.kind == .unsupported)
        #expect(PictureCheck.defect(in: [1, 2, 3], Self.encoding) == nil)
    }

    @Test(arguments: [encoding, .gif, .heif])
    func encodingWithoutAnEncoderIsRejected(_ encoding: ImageEncoding) {
        let raster = Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [1])
        let fault = #expect(throws: PictureFault.self) {
            try PictureEncoder.encode(raster, as: encoding, .lossless)
        }
        #expect(fault?.kind == .unsupported)
    }

    @Test func damageStaysDamage() throws {
        let file = try Fixture.bytes("made/rgb-8.png")
        let fault = #expect(throws: PictureFault.self) {
            try PictureDecoder.decode(Array(file.prefix(60)), .png, maximumPixels: 100_000)
        }
        #expect(fault?.kind == .damaged)
    }
}
