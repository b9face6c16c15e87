import PageModel
import Testing

@testable import Imaging

@Suite struct PictureCodecTests {
    @Test func everyFormatHasOneCodec() {
        let encodings = PictureCodecs.all.flatMap { $0.encodings }
        #expect(encodings.count == PictureFormat.all.count)
        #expect(Set(encodings) == Set(ImageEncoding.known))
    }

    /// The bytes that differ are 0 in the heads of signatures.
    @Test func everyFormatHasSignatures() {
        #expect(Set(PictureSignature.all.map(\.encoding)) == Set(ImageEncoding.known))
        for signature in PictureSignature.all {
            #expect(signature.begins(ByteReader(signature.head)))
            #expect(!signature.begins(ByteReader(Array(signature.head.dropLast()))))
        }
        let webp = PictureSignature.all.first { $0.encoding == .webp }
        #expect(webp?.head == Array("RIFF\0\0\0\0WEBP".utf8))
        #expect(PictureCodecs.recognize(ByteReader(Array("RIFF1234WEBP".utf8)))?.encoding == .webp)
    }

    @Test func everyWrittenFormatHasAnEncoder() {
        let encoded = ImageEncoding.known.filter { PictureCodecs.encoder(for: $0) != nil }
        #expect(encoded == EncodingRequest.formats)
    }
}
