import PageModel
import Testing

@Suite struct ImageEncodingTests {
    @Test func everyKnownFormatHasItsOwnNames() {
        let known = ImageEncoding.known
        #expect(Set(known).count == known.count)
        #expect(Set(known.map(\.fileExtension)).count == known.count)
        #expect(known.allSatisfy { !$0.name.isEmpty && $0.fileExtension == $0.fileExtension.lowercased() })
    }

    @Test func extensionsAreTheUsualOnes() {
        #expect(ImageEncoding.jpeg.fileExtension == "jpg")
        #expect(ImageEncoding.tiff.fileExtension == "tif")
        #expect(ImageEncoding.jpegXL.fileExtension == "jxl")
        #expect(ImageEncoding.jpeg2000.fileExtension == "jp2")
        #expect(ImageEncoding(rawValue: "qoi").fileExtension == "qoi")
    }

    @Test func namesAreThosePeopleUse() {
        #expect(ImageEncoding.jpeg.name == "JPEG")
        #expect(ImageEncoding.webp.name == "WebP")
        #expect(ImageEncoding.jpegXL.name == "JPEG XL")
        #expect(ImageEncoding.jpeg2000Codestream.name == "JPEG 2000")
        #expect(ImageEncoding(rawValue: "qoi").name == "QOI")
    }

    @Test func extensionsNameOneFormat() {
        let extensions = PictureFormat.all.flatMap(\.extensions)
        #expect(Set(extensions).count == extensions.count)
        #expect(extensions.allSatisfy { ImageEncoding(fileExtension: $0)?.extensions.contains($0) == true })
        #expect(ImageEncoding(fileExtension: "heic") == .heif)
        #expect(ImageEncoding(fileExtension: "txt") == nil)
    }

    @Test func writtenFormatsAreListedByUse() {
        #expect(EncodingRequest.formats == [.jpeg, .png, .webp, .jpegXL, .tiff])
        #expect(EncodingRequest.formats.filter { !$0.hasQuality } == [.png, .tiff])
    }
}
