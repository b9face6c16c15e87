import AdapterKit
import PageModel
import Testing

@testable import Conversion
@testable import Planning

/// Pictures with few gray levels keep them, or a warning states that they do not.
@Suite struct ShadesTests {
    private static let comic = SinkCapabilities(formats: [.jpeg, .png, .gif, .webp])

    private func warning(
        _ format: ImageEncoding?, quality: Int? = nil, in capabilities: SinkCapabilities = comic
    ) -> Warning? {
        DitheringLoss.warning(
            of: [.gray, .shades(bits: 4)], EncodingRequest(format: format, quality: quality), in: capabilities)
    }

    @Test func onlyLossyEncodingsHaveAWarning() {
        #expect(warning(nil) == nil)
        #expect(warning(nil, quality: 80) == nil)
        for format in [ImageEncoding.png, .tiff, .webp, .jpegXL] { #expect(warning(format) == nil) }
        let jpeg = warning(.jpeg)
        #expect(jpeg?.code == "shades-lost")
        #expect(jpeg?.message.english.hasPrefix("the 16 requested gray levels") == true)
        #expect(jpeg?.hint == "use --image-format png to keep them")
        #expect(warning(.webp, quality: 80)?.hint == "remove --quality to keep them")
        #expect(DitheringLoss.warning(of: [.gray], EncodingRequest(format: .jpeg), in: Self.comic) == nil)
    }

    @Test func stripWarningDependsOnItsEncoding() {
        func strip(_ format: String, _ treatment: Treatment) -> SinkCapabilities {
            SinkCapabilities(
                formats: nil, takesRasters: true,
                composition: Composition(treatment, [Note(Note.Code("laid", "laid into a strip"), ["format": format])]))
        }
        #expect(warning(nil, in: strip("png", .lossless)) == nil)
        #expect(warning(nil, in: strip("jpeg", .encoded))?.hint == "a PNG keeps them")
    }

    /// Requested WebP output keeps the gray levels of a former JPEG, instead of being as lossy as the JPEG was.
    @Test(arguments: [ImageEncoding.webp, .jpegXL]) func formatsThatCanKeepThemDo(_ format: ImageEncoding) {
        let request = EncodingRequest(format: format)
        #expect(
            EncodingParameters(request, own: .jpeg, isLossy: true, isDithered: true, formats: nil).isLossless)
        #expect(!EncodingParameters(request, own: .jpeg, isLossy: true, formats: nil).isLossless)
    }
}
