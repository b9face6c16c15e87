import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Objects over scans that are removed on request.
@Suite struct StampTests {
    private static let size = PixelSize(width: 320, height: 240)
    private static let paint = "q 115.2 0 0 86.4 0 0 cm /S0 Do Q "
    private static let box = "0 0 0 rg 28.8 28.8 28.8 28.8 re f "
    private static let words = "BT 3 Tr /F 8 Tf 10 50 Td (printed words) Tj 0 Tr ET "
    private static let stamp = "BT /F 20 Tf .7 .7 -.7 .7 30 5 Tm (COPY OF) Tj ET BT /F 6 Tf 10 4 Td (Library) Tj ET "
    private static let removing = ScanTreatment(removesStamps: true)

    private static let scan: [UInt8] = {
        let samples = (0..<size.area).map { UInt8(truncatingIfNeeded: ($0 % 320 + $0 / 320 * 2) / 3 + 60) }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        return (try? PictureEncoder.encode(raster, as: .jpeg, .quality(85))) ?? []
    }()

    /// The page of a PDF. 3 is its content, 4 a font, 5 the scan S0; the objects of `others` follow, and forms as X0.
    private func page(
        _ content: String, box: String = "0 0 115.2 86.4", form: String? = nil, others: [String] = [],
        more: String = "", scans: ScanTreatment = removing
    ) async throws -> Page {
        let hex = Self.scan.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + ">"
        let image = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width 320/Height 240/BitsPerComponent 8/ColorSpace/DeviceGray"
                + "/Filter[/ASCIIHexDecode/DCTDecode]", hex)
        let resources =
            "/Resources<</Font<</F 4 0 R>>/ExtGState<</P<</ca 0.3>>>>"
        let objects =
            [SyntheticPDF.stream("", content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", image]
            + [
                SyntheticPDF.stream(
                    "/Type/XObject/Subtype/Form/BBox[0 0 200 200]\(resources)/XObject<</S0 5 0 R>>>>", form ?? "")
            ] + others
        let dictionary =
            "/MediaBox[\(box)]/Contents 3 0 R\(more)\(resources)/XObject<</S0 5 0 R/X0 6 0 R>>>>"
        let scratch = try ScratchFolder()
        let path = try scratch.write("page.pdf", SyntheticPDF.bytes(pages: [dictionary], objects))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, scans: scans,
            limits: Limits()
        ).opened()
        let page = book.sequence.pages[0]
        // The file is removed with its folder.
        let (picture, text, links) = (try await page.examine(), try await page.text(), try await page.links())
        var bytes: [UInt8] = []
        if case .encoded(let encoded)? = picture.representations.first { bytes = try await encoded.read().bytes }
        var kept = Page(id: 1, name: "page 1") { [bytes] in
            var picture = picture
            if case .encoded(var encoded)? = picture.representations.first {
                encoded.read = { ImageFile(bytes) }
                picture.representations[0] = .encoded(encoded)
            }
            return picture
        }
        kept.text = { text }
        kept.links = { links }
        return kept
    }

    private func file(_ page: Page) async throws -> [UInt8] {
        guard case .encoded(let encoded)? = try await page.examine().representations.first else { return [] }
        return try await encoded.read().bytes
    }

    private func text(_ page: Page) async throws -> String {
        try await page.text().flatMap(\.words).map(\.text).joined(separator: " ")
    }

    /// Letters of any size hide nothing in which something could be read. The scan's own invisible text stays.
    @Test(arguments: [ScanTreatment(removesStamps: true), ScanTreatment(pagesAs: .scan)])
    func textOverScansIsRemoved(_ scans: ScanTreatment) async throws {
        let page = try await page(Self.paint + Self.words + Self.stamp, scans: scans)
        #expect(try await file(page) == Self.scan)
        #expect(try await text(page) == "printed words")
        let removed = try #require(try await page.examine().removed)
        #expect(removed == RemovedObjects("text", text: ["COPY OF", "Library"]))
        #expect(try await page.examine().document?.omission.isEmpty == (scans.pagesAs == .scan))
    }

    /// The text of removed objects is not text of the page any more.
    @Test func pagesWithoutOtherTextHaveNone() async throws {
        let page = try await page(Self.paint + Self.stamp)
        let picture = try await page.examine()
        #expect(!picture.hasText)
        #expect(try await page.text().isEmpty)
    }

    @Test(arguments: ["/P gs " + box, "0.5 w 10 10 m 90 60 l S "])
    func transparentAndThinMarksAreRemoved(_ mark: String) async throws {
        let page = try await page(Self.paint + mark)
        #expect(try await file(page) == Self.scan)
        #expect(try await page.examine().removed == RemovedObjects("a drawn shape"))
    }

    /// Something may be blacked out below the shape. The text is removed from it in any case.
    @Test func opaqueShapesStayUnlessUncovered() async throws {
        let content = Self.paint + Self.box + "1 g BT /F 8 Tf 30 40 Td (Copy) Tj ET"
        let kept = try await page(content)
        let picture = try await kept.examine()
        #expect(picture.removed == RemovedObjects("text", text: ["Copy"], kept: "a drawn shape"))
        let raster = try PictureDecoder.decode(
            try await file(kept), DecodeRequest(.jpeg, maximumPixels: 1 << 20)
        ).raster
        for y in 90..<150 { for x in 90..<150 { #expect(raster.samples[y * 320 + x] < 8) } }
        let uncovered = try await page(content, scans: ScanTreatment(removesStamps: true, uncovers: true))
        #expect(try await file(uncovered) == Self.scan)
        #expect(try await uncovered.examine().removed?.kept == nil)
    }

    /// Words under the shape must not be quoted, and an image must not show them.
    @Test func wordsUnderAnOpaqueShapeAreNotQuoted() async throws {
        let page = try await page(Self.paint + "BT /F 8 Tf 30 40 Td (Secret) Tj ET " + Self.box + Self.stamp)
        #expect(try await page.examine().removed?.text == ["COPY OF", "Library"])
        #expect(try await text(page) == "")
    }

    @Test func linksOutOfTheBookAreRemoved() async throws {
        let annotations = [
            "<</Type/Annot/Subtype/Link/Rect[10 10 30 30]/Border[0 0 0]/A<</S/URI/URI(https://example.org/)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[40 10 60 30]/Border[0 0 0]/Dest[9 0 R/Fit]>>",
        ]
        let page = try await page(Self.paint, others: annotations, more: "/Annots[7 0 R 8 0 R]")
        #expect(try await page.links().map(\.target) == [.page(1, at: nil)])
        #expect(try await page.examine().removed == RemovedObjects("a web link"))
        #expect(try await page.examine().document?.omission.annotations == [0])
    }

    /// A design with a picture behind its text is not a scan with a stamp, and neither is a page without one.
    @Test(arguments: [
        paint
            + (0..<12).map { "BT /F 4 Tf 4 \(4 + 6 * $0) Td (one two three four five six seven eight) Tj ET " }.joined(),
        stamp + box,
    ])
    func otherPagesAreLeftAlone(_ content: String) async throws {
        let page = try await page(content)
        #expect(try await page.examine().removed == nil)
        #expect(try await !text(page).isEmpty)
    }

    /// A part of a form stays, and a form of which nothing is left is not painted.
    @Test func formsLoseTheirStamps() async throws {
        let watermark = try await page(Self.paint + "q /X0 Do Q", form: Self.stamp)
        let cuts = try await watermark.examine().document?.omission.content
        #expect(cuts?.cuts.map(\.object) == ["X0"])
        #expect(try await file(watermark) == Self.scan)
        let whole = try await page("q /X0 Do Q", form: Self.paint + Self.words + Self.stamp)
        let edit = try #require(try await whole.examine().document?.omission.content)
        #expect(edit.cuts.isEmpty && edit.forms.map(\.name) == ["X0"])
        #expect(try await file(whole) == Self.scan)
        #expect(try await text(whole) == "printed words")
    }

    /// A line of the library on a white strip beside the scan: only the scan is left.
    @Test func textBesideTheScanIsRemoved() async throws {
        let content = "1 g 0 -12 115.2 98.4 re f " + Self.paint + "0 g BT /F 6 Tf 10 -8 Td (Library) Tj ET"
        let page = try await page(content, box: "0 -12 115.2 86.4")
        #expect(try await file(page) == Self.scan)
        #expect(try await page.examine().shownPart != .page)
        #expect(try await page.text().isEmpty)
    }

    /// Text beside a scan of little of the page is as sharp on the scan's pixels, so that the scan keeps them.
    @Test(arguments: [(57.6, "patched"), (115.2, "the image covers only 60 % of a page with other content")])
    func scansOfHalfAPageKeepTheirPixels(_ width: Double, _ expected: String) async throws {
        let height = width * 0.75
        let content = "q \(width) 0 0 \(height) 0 0 cm /S0 Do Q BT /F 6 Tf 4 \(height * 1.2) Td (Source) Tj ET"
        let picture = try await page(
            content, box: "0 0 \(width) \(height / 0.6)", scans: ScanTreatment()
        ).examine()
        if case .encoded(let encoded)? = picture.representations.first {
            #expect(expected == "patched")
            #expect(encoded.overlay?.description == "text")
            #expect(picture.scanArea.top > 0.3 && picture.scanArea.bottom == 1)
        } else {
            #expect(picture.reason?.english == expected)
        }
    }
}
