import AdapterKit
import PDFSource
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// PDFs with something in front of them, as servers and mail programs leave it.
@Suite struct JunkTests {
    @Test(arguments: [0, 1, 500, 1019, 1020, 1023, 1024, 1025, 3000]) func junkBeforeTheHeader(_ count: Int)
        async throws
    {
        let scratch = try ScratchFolder()
        let page = "/MediaBox[0 0 30 40]/Contents 4 0 R/Resources<</XObject<</I 3 0 R>>>>"
        let pdf = SyntheticPDF.bytes(
            pages: [page],
            [SyntheticPDF.picture(width: 30, height: 40), SyntheticPDF.stream("", "q 30 0 0 40 0 0 cm /I Do Q")])
        let path = try scratch.write("book", [UInt8](repeating: UInt8(ascii: "j"), count: count) + pdf)
        let source = PDFSource()
        #expect(source.recognize(try Probe(path: path)) != .no)
        let settings = try Settings(source.descriptor.settings, given: [:])
        let opened = try await source.open(Input(path: path), settings: settings, limits: Limits())
        let picture = try await opened.sequence.pages[0].examine()
        guard case .sampled(let samples) = try #require(picture.representations.first) else {
            Issue.record("the page is drawn")
            return
        }
        #expect(try await samples.read().raster.samples.starts(with: Array("jisuijisui".utf8)))
    }

    @Test func textMentioningPDFIsNotRecognized() throws {
        let scratch = try ScratchFolder()
        let text = [UInt8](repeating: 0x20, count: 2000) + Array("A PDF begins with %PDF-1.4.".utf8)
        #expect(PDFSource().recognize(try Probe(path: try scratch.write("text", text))) == .no)
    }
}
