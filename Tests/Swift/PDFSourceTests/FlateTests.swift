import AdapterKit
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Images whose samples are Flate data.
@Suite struct FlateTests {
    private static let samples = "ABCDEFGHIJKL"
    private static let checksum = "14F8034F"

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Reads a page of 4 by 3 pixels, gray with 8 bits a sample.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the Flate filter.
    ///   - checksum: the bytes after the Flate data, in hexadecimal.
    private func read(_ parameters: String = "null", checksum: String = Self.checksum) async throws -> DecodedImage {
        let entries =
            "/Type/XObject/Subtype/Image/Width 4/Height 3/BitsPerComponent 8/ColorSpace/DeviceGray"
            + "/Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms[null \(parameters)]"
        // A stored block.
        let data = "7801010C00F3FF4142434445464748494A4B4C\(checksum)>"
        let objects = [
            SyntheticPDF.stream(entries, data), SyntheticPDF.stream("", "q 40 0 0 30 0 0 cm /I Do Q"),
        ]
        let page = "/MediaBox[0 0 40 30]/Contents 4 0 R/Resources<</XObject<</I 3 0 R>>>>"
        let path = try scratch.write("flate.pdf", SyntheticPDF.bytes(pages: [page], objects))
        let source = PDFSource()
        let opened = try await source.open(
            Input(path: path), settings: Settings(source.descriptor.settings, given: [:]), limits: Limits())
        let picture = try await opened.sequence.pages[0].examine()
        guard case .sampled(let sampled) = picture.representations[0] else {
            throw AdapterError(.unsupported, "the samples are not there")
        }
        return try await sampled.read()
    }

    @Test(arguments: ["null", "<</Predictor 1>>"])
    func plainDataIsTheSamples(parameters: String) async throws {
        let image = try await read(parameters)
        #expect(image.raster.samples == Array(Self.samples.utf8))
        #expect(image.diagnostics.isEmpty)
    }

    /// Differences to the sample on the left take as many bytes as the samples do.
    @Test func differencesAreAddedUp() async throws {
        let image = try await read("<</Predictor 2/Columns 4>>")
        #expect(image.raster.samples.prefix(4) == [65, 131, 198, 10])
        #expect(image.diagnostics.isEmpty)
    }

    @Test(arguments: ["null", "<</Predictor 2/Columns 4>>"])
    func wrongChecksumIsReported(parameters: String) async throws {
        let image = try await read(parameters, checksum: "14F80350")
        #expect(image.diagnostics == ["the Flate data has a wrong checksum"])
        #expect(image.raster.samples[0] == 65)
    }
}
