import PageModel
import Testing

@testable import Imaging

@Suite struct PictureCodecTests {
    @Test func everyFormatHasOneCodec() {
        let encodings = PictureCodecs.all.flatMap { $0.encodings }
        #expect(encodings.count == PictureFormat.all.count)
        #expect(Set(encodings) == Set(ImageEncoding.known))
    }

    @Test func everyWrittenFormatHasAnEncoder() {
        let encoded = ImageEncoding.known.filter { PictureCodecs.encoder(for: $0) != nil }
        #expect(encoded == EncodingRequest.formats)
    }
}
