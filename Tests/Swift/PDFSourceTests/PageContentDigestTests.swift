import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// What a page paints identifies it for decision files.
@Suite struct PageContentDigestTests {
    /// The digest of a page that paints an image of 40x50 pixels, itself or in a form.
    private func digest(
        _ content: String = "q 36 0 0 45 0 0 cm /P Do Q", sample: String = "x", form: String = "/P Do",
        page: String = ""
    ) async throws -> String {
        let scratch = try ScratchFolder()
        let path = try scratch.write(
            "page.pdf",
            SyntheticPDF.bytes(
                pages: [
                    "/MediaBox[0 0 72 90]/Contents 3 0 R/Resources<</XObject<</P 4 0 R/F 5 0 R/N 6 0 R>>>>\(page)"
                ],
                [
                    SyntheticPDF.stream("", content),
                    SyntheticPDF.stream(
                        "/Type/XObject/Subtype/Image/Width 40/Height 50/BitsPerComponent 8/ColorSpace/DeviceGray",
                        String(repeating: sample, count: 2000)),
                    SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 72 90]", form),
                    SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 72 90]", "/N Do"),
                ]))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
        let compute = try #require(try await book.sequence.pages[0].examine().contentDigest)
        return try await compute()
    }

    @Test func theSamePageHasTheSameDigest() async throws {
        let one = try await digest()
        #expect(try await digest() == one && one.count == 64)
    }

    @Test func whatIsPaintedCounts() async throws {
        let one = try await digest()
        #expect(try await digest("q 36 0 0 44 0 0 cm /P Do Q") != one)
        #expect(try await digest(sample: "y") != one)
        #expect(try await digest(page: "/Rotate 90") != one)
        #expect(try await digest(page: "/CropBox[0 0 72 80]") != one)
    }

    @Test func formsCount() async throws {
        let one = try await digest("/F Do")
        #expect(try await digest("/F Do", form: "q /P Do Q") != one)
        #expect(try await digest("/F Do", sample: "y") != one)
    }

    /// Pages often share one list of resources.
    @Test func whatIsNotPaintedDoesNotCount() async throws {
        let one = try await digest("0 0 m 9 9 l S")
        #expect(try await digest("0 0 m 9 9 l S", sample: "y", form: "q Q") == one)
    }

    /// A form that paints itself is hashed once.
    @Test func circlesEnd() async throws {
        let one = try await digest("/N Do")
        #expect(try await digest("/N Do /N Do") != one)
    }

    /// Packed forms of blank content are small.
    @Test func formsShareTheLimitOfAPage() async throws {
        let count = 3
        let form = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]", String(repeating: " ", count: 24 << 20))
        let names = (0..<count).map { "/F\($0) \(4 + $0) 0 R" }.joined(separator: " ")
        let pdf = SyntheticPDF.bytes(
            pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R/Resources<</XObject<<\(names)>>>>"],
            [SyntheticPDF.stream("", (0..<count).map { "/F\($0) Do" }.joined(separator: " "))]
                + Array(repeating: form, count: count))
        let worker = try StructureWorker(
            SyntheticBytes(pdf), password: nil, memory: PDFMemory(), limits: Limits(),
            seconds: Patience.secondsOfDrawing)
        let path = try #require(try await worker.facts(showing: .crop).pages.first).path
        let error = await #expect(throws: AdapterError.self) { try await worker.contentDigest(ofPageAt: path) }
        #expect(error?.code == .tooLarge)
    }

    /// qpdf compresses the color tables of a copy.
    @Test(arguments: [("000FFF", "", true), ("303030464646>", "/Filter/ASCIIHexDecode", true), ("000FFE", "", false)])
    func compressionOfAColorTableDoesNotCount(_ table: String, _ filter: String, _ isAlike: Bool) async throws {
        func digest(_ table: String, _ filter: String) async throws -> String {
            let scratch = try ScratchFolder()
            let image = "/Type/XObject/Subtype/Image/Width 8/Height 9/BitsPerComponent 1"
            let path = try scratch.write(
                "page.pdf",
                SyntheticPDF.bytes(
                    pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R/Resources<</XObject<</P 4 0 R>>>>"],
                    [
                        SyntheticPDF.stream("", "q 72 0 0 90 0 0 cm /P Do Q"),
                        SyntheticPDF.stream("\(image)/ColorSpace[/Indexed/DeviceRGB 1 5 0 R]", "abcdefghi"),
                        SyntheticPDF.stream(filter, table),
                    ]))
            let book = try await PDFBook(
                Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
            ).opened()
            let compute = try #require(try await book.sequence.pages[0].examine().imageDigest)
            return try await compute()
        }
        let (one, other) = (try await digest("000FFF", ""), try await digest(table, filter))
        #expect((one == other) == isAlike)
    }
}
