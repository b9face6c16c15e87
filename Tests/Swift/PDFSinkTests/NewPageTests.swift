import AdapterKit
import Files
import PDFSink
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// The other contents of documents of which some or all pages become images.
@Suite struct NewPageTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// Two pages of 100 by 200 points with an outline, metadata, a field, an attached file and a link to the second page.
    private func source(_ name: String = "source.pdf", field: String = "/FT/Tx") throws -> String {
        let packet =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
            + "<rdf:Description xmlns:shop='https://example.org/'><shop:order>4711</shop:order></rdf:Description>"
            + "</rdf:RDF></x:xmpmeta>"
        return try made.scratch.write(
            name,
            SyntheticPDF.bytes(
                [
                    "<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R/Metadata 5 0 R/Names<</EmbeddedFiles<</Names[(a) 6 0 R]>>>>"
                        + "/AcroForm<</Fields[8 0 R]>>>>",
                    "<</Type/Pages/Count 2/Kids[9 0 R 10 0 R]>>", "<</First 4 0 R/Last 4 0 R/Count 1>>",
                    "<</Title(Here)/Parent 3 0 R/C[1 0 0]/Dest[10 0 R/XYZ 50 100 null]>>",
                    SyntheticPDF.stream("/Type/Metadata/Subtype/XML", packet),
                    "<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>", SyntheticPDF.stream("/Type/EmbeddedFile", "text"),
                    "<</Type/Annot/Subtype/Widget\(field)/T(field)/P 10 0 R/Rect[0 0 9 9]>>",
                    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]"
                        + "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[10 0 R/XYZ 50 100 null]>>]>>",
                    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Annots[8 0 R]>>",
                    "<</CreationDate(D:20010203)/Own(key)>>",
                ], trailer: "/Info 11 0 R"))
    }

    /// Writes pages of documents, of which these become images.
    private func written(
        _ pages: [(Page, DocumentPage, PixelSize)], _ images: Set<Int>
    ) async throws -> (file: PDFFile, pages: [PDFObject], codes: [String]) {
        let request = SinkRequest(
            book: BookMetadata(), pageCount: pages.count, destination: Destination(path: made.scratch("copy.pdf")),
            settings: try Settings(PDFSink().descriptor.settings, given: made.settings))
        let session = try PDFSink().begin(request)
        for (index, page) in pages.enumerated() {
            var finished = try FinishedPage.fixture(index + 1, "gray.png", .png)
            finished.page = page.0.renamed(page.0.name, id: index + 1)
            if images.contains(index) {
                finished.replaced = [ReplacedPage(page.1, map: PageMap(page.2))]
            } else {
                finished = try made.copied(index + 1, (finished.page, page.1, page.2))
            }
            _ = try session.add(finished)
        }
        let warnings = try await session.compose().warnings.filter { !$0.isNote }
        try await session.finish()
        let file = try made.open(made.scratch("copy.pdf"))
        let objects = try PageTree(file, maximumPages: 10).paths.map { path throws(AdapterError) in
            try file.page(at: path).page
        }
        return (file, objects, warnings.map(\.code))
    }

    /// The page that an explicit destination shows, and the rest of it.
    private func reading(_ destination: PDFObject, _ pages: [PDFObject]) -> String {
        let page = pages.firstIndex { $0.reference == destination.item(0).reference }.map { "\($0 + 1)" } ?? "nowhere"
        return ([page] + destination.items.dropFirst().map { $0.name ?? $0.number.map { "\(Int($0))" } ?? "-" })
            .joined(separator: " ")
    }

    /// A document keeps everything that is not a part of the pages, whether some or all of these are new.
    @Test(arguments: [[1], [0, 1]]) func documentStays(_ images: Set<Int>) async throws {
        let (file, pages, codes) = try await written(try await made.pages(try source()).pages, images)
        let half = "\(Int(try #require(pages[1]["MediaBox"].numbers)[2] / 2))"
        let item = file.catalog["Outlines"]["First"]
        #expect(item["C"].numbers == [1, 0, 0])
        #expect(reading(item["Dest"], pages).hasPrefix("2 XYZ \(half) "))
        #expect(file.attachments.map(\.name) == ["a.txt"])
        #expect(file.trailer["Info"]["Own"].text == "key" && file.trailer["Info"]["CreationDate"].text != nil)
        let packet = String(decoding: try file.data(of: file.catalog["Metadata"], limit: 10_000), as: UTF8.self)
        #expect(packet.contains("4711"))
        // The only field was on a page that is new, and an empty form is none.
        #expect(file.catalog["AcroForm"].isNull)
        #expect(codes == [])
    }

    /// `--rebuild` makes another document.
    @Test func rebuiltDocumentNamesItsLosses() async throws {
        var made = made
        made.settings = ["rebuild": "true"]
        let path = try source(field: "/FT/Sig/V<</Type/Sig>>")
        let pages = try await made.pages(path).pages
        let request = SinkRequest(
            book: BookMetadata(), pageCount: 2, destination: Destination(path: made.scratch("new.pdf")),
            settings: try Settings(PDFSink().descriptor.settings, given: made.settings))
        var planned = PlannedCopies()
        planned.images = pages.map(\.1)
        #expect(PDFSink().warnings(forCopying: planned, request).map(\.code) == ["signature-broken"])
    }

    /// A gray scan is not changed by `--gray`: its page is copied, and keeps its form fields.
    @Test func grayScansStayPages() throws {
        let outcome = try BuiltJisui.run(
            ["\(BuiltJisui.fixtures)/good/PDFSource/jpeg-gray.pdf", "-o", "copy.pdf", "--gray"], in: made.scratch.path)
        #expect(outcome.errorText.contains("1 verbatim") && outcome.errorText.contains("gray already"))
    }

    /// Links of any of several documents lead to the images of their own pages.
    @Test func linksToImagesOfALaterDocument() async throws {
        let all = try await made.pages(try source("a.pdf")).pages + made.pages(try source("b.pdf")).pages
        let books = all.enumerated().map { index, page in
            var document = page.1
            document.book = index / 2
            return (page.0, document, page.2)
        }
        let (file, pages, codes) = try await written(books, [1, 3])
        let links = [0, 2].map { reading(pages[$0]["Annots"].item(0)["Dest"], pages).prefix(5) }
        #expect(links == ["2 XYZ", "4 XYZ"])
        // Nothing of the pages that became images is left.
        #expect(pages[3]["Annots"].isNull && file.catalog["AcroForm"].isNull)
        #expect(codes == ["attachments-dropped"])
    }
}
