import AdapterKit
import Files
import PDFSink
import PDFSource
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Pages of PDFs that are copied whole.
@Suite struct CopyTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// Four pages that tell their number; with links between them, an outline, labels and a form.
    private func source(_ name: String = "source.pdf", catalog more: String = "") throws -> String {
        let texts = (1...4).map { SyntheticPDF.stream("", "BT /F 9 Tf 20 150 Td (page \($0)) Tj ET") }
        let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
        // Objects 3 to 6 are the texts, 7 the font, 8 the outline, 9 to 11 its lines, 12 a link, 13 a field, 14 another link.
        let others =
            texts + [font] + [
                "<</Type/Outlines/First 9 0 R/Last 11 0 R/Count 2>>",
                "<</Title(one)/Parent 8 0 R/Dest[15 0 R/XYZ 0 200 2]/First 10 0 R/Last 10 0 R/Next 11 0 R/Count -1>>",
                "<</Title(two)/Parent 9 0 R/Dest[16 0 R/Fit]>>",
                "<</Title(four)/Parent 8 0 R/Prev 9 0 R/Dest[18 0 R/Fit]>>",
                "<</Type/Annot/Subtype/Link/Rect[10 10 30 30]/Border[0 0 0]/Dest[18 0 R/Fit]>>",
                "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(me)/Rect[60 10 90 30]/P 16 0 R>>",
                "<</Type/Annot/Subtype/Link/Rect[70 100 90 130]/A<</S/URI/URI(https://example.org/)>>>>",
            ]
        let annotations = ["/Annots[12 0 R 14 0 R]", "/Annots[13 0 R]", "", ""]
        let pages = (0..<4).map { index in
            "/MediaBox[0 0 100 200]/Rotate \(index == 2 ? 90 : 0)/Contents \(3 + index) 0 R"
                + "/Resources<</Font<</F 7 0 R>>>>\(annotations[index])"
        }
        var bytes = SyntheticPDF.bytes(pages: pages, others)
        let catalog = "<</Type/Catalog/Pages 2 0 R>>"
        let full =
            "<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R/AcroForm<</Fields[13 0 R]>>"
            + "/PageLabels<</Nums[0<</S/r>>2<</S/D>>]>>/Lang(en)\(more)>>"
        bytes.replaceSubrange(try #require(bytes.firstRange(of: Array(catalog.utf8))), with: Array(full.utf8))
        // The offsets are wrong now: qpdf repairs that.
        let path = try made.scratch.write(name, bytes)
        #expect([0, 3].contains(Program.run("qpdf '\(path)' '\(path).sound'")))
        return path + ".sound"
    }

    private func text(_ path: String, _ page: Int, _ more: String = "") throws -> String {
        try Program.outcome("pdftotext \(more) -f \(page) -l \(page) '\(path)' -").outputText
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func isSound(_ path: String) throws {
        let outcome = try Program.outcome("qpdf --check '\(path)'")
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
    }

    @Test(.needs("qpdf", "pdftotext")) func wholeBooksAreCopiedUnchanged() async throws {
        let path = try source()
        let (_, pages) = try await made.pages(path)
        let copy = try await made.write(try pages.enumerated().map { try made.copied($0 + 1, $1) })
        try isSound(copy)
        let (old, new) = (try made.open(path), try made.open(copy))
        #expect(new.catalog["AcroForm"]["Fields"].item(0)["T"].text == "name")
        #expect(new.catalog["PageLabels"]["Nums"].count == old.catalog["PageLabels"]["Nums"].count)
        #expect(new.catalog["Lang"].text == "en")
        for number in 1...4 { #expect(try text(copy, number, "-bbox") == text(path, number, "-bbox")) }
        #expect(try Files.read(copy).count < Files.read(path).count * 101 / 100 + 100)
    }

    /// The crop box hides the cropped area, for every rotation of the page.
    @Test(arguments: [
        ([Edit.crop(PixelRect(x: 20, y: 40, width: 100, height: 300))], 0, [10.0, 30, 60, 180], 0),
        ([.turn(quarters: 1), .crop(PixelRect(x: 40, y: 20, width: 300, height: 100))], 0, [10, 20, 60, 170], 90),
        ([.turn(quarters: 3)], 1, nil, 270),
        // A page that is turned already, seen lying: 400 pixels wide and 200 high.
        ([.crop(PixelRect(x: 40, y: 20, width: 300, height: 100))], 2, [10, 20, 60, 170], 90),
        ([.turn(quarters: 1), .crop(PixelRect(x: 20, y: 40, width: 100, height: 300))], 2, [40, 20, 90, 170], 180),
    ])
    func cropsAndTurns(_ edits: [Edit], _ index: Int, _ box: [Double]?, _ rotation: Int) async throws {
        let (_, pages) = try await made.pages(try source())
        let all = try pages.enumerated().map { try made.copied($0 + 1, $1, $0 == index ? edits : []) }
        let node = try await made.written(all).pages[index]
        #expect(node["CropBox"].numbers.map { $0.map { ($0 * 100).rounded() / 100 } } == box)
        #expect((node["Rotate"].integer ?? 0) == rotation)
        #expect(node.box("MediaBox") == [0, 0, 100, 200])
    }

    /// Selected pages keep their labels, links and outline entries; those that target other pages are removed.
    @Test(.needs("qpdf", "pdftotext")) func pickedPages() async throws {
        let path = try source()
        let (_, pages) = try await made.pages(path)
        let copy = try await made.write([try made.copied(1, pages[3]), try made.copied(2, pages[0])])
        try isSound(copy)
        #expect(try text(copy, 1) == "page 4")
        #expect(try text(copy, 2) == "page 1")
        let opened = try await made.pages(copy)
        #expect(opened.book.outline.map(\.title) == ["one", "four"])
        #expect(opened.book.outline.map(\.page) == [2, 1])
        #expect(opened.pages.map(\.0.label) == ["2", "i"])
        let file = try made.open(copy)
        let tree = try PageTree(file, maximumPages: 10)
        let first = try file.page(at: tree.paths[1])
        #expect(tree.numbers[try #require(first["Annots"].item(0)["Dest"].item(0).reference)] == 1)
        // It keeps how it was shown.
        #expect(file.catalog["Outlines"]["First"]["Dest"].item(1).name == "XYZ")
        // The field is on a page that is gone.
        #expect(file.catalog["AcroForm"]["Fields"].count == 0)
        #expect(Array(try Files.read(copy)).firstRange(of: Array("page 2".utf8)) == nil)
    }

    /// Viewers pair pages by counting: pages that faced each other do so still, or none do.
    @Test(arguments: [
        ([0, 1, 2, 3], "TwoPageRight"), ([1, 2, 3], "TwoPageLeft"), ([2, 3], "TwoPageRight"), ([0, 2], nil),
        ([1, 0], nil),
    ])
    func pagesFaceEachOtherAsTheyDid(_ picked: [Int], _ layout: String?) async throws {
        let (_, pages) = try await made.pages(try source(catalog: "/PageLayout/TwoPageRight"))
        let file = try await made.written(
            try picked.enumerated().map { try made.copied($0.offset + 1, pages[$0.element]) }
        ).file
        #expect(file.catalog["PageLayout"].name == layout)
    }

    /// The halves of a page that is split are two pages over one content, and each has its own links.
    @Test(.needs("qpdf", "pdftotext")) func splitPages() async throws {
        let (_, pages) = try await made.pages(try source())
        let halves = [0, 100].map { Edit.crop(PixelRect(x: $0, y: 0, width: 100, height: 400)) }
        let copy = try await made.write([
            try made.copied(1, pages[0], [halves[0]]), try made.copied(2, pages[0], [halves[1]]),
            try made.copied(3, pages[3]),
        ])
        try isSound(copy)
        let file = try made.open(copy)
        let nodes = try PageTree(file, maximumPages: 10).paths.map { path throws(AdapterError) in
            try file.page(at: path)
        }
        #expect(nodes.map { $0.box("CropBox") } == [[0, 0, 50, 200], [50, 0, 100, 200], []])
        #expect(nodes[0]["Contents"].reference == nodes[1]["Contents"].reference)
        #expect(nodes.map { $0["Annots"].count } == [1, 1, 0])
        #expect(nodes[1]["Annots"].item(0)["A"]["S"].name == "URI")
        #expect(nodes[1]["Annots"].item(0)["P"].reference == nodes[1].page.reference)
    }

    /// Merged pages are drawn unchanged on one page, and links to either target that page.
    @Test(.needs("qpdf", "pdftotext")) func mergedPages() async throws {
        let (_, pages) = try await made.pages(try source())
        func part(_ index: Int, _ x: Int) throws -> FinishedPage.Spread.Part {
            FinishedPage.Spread.Part(
                .document(pages[index].1, Framing(pages[index].2)),
                at: PixelRect(x: x, y: 0, width: 200, height: 400))
        }
        let spread = FinishedPage(
            number: 2, page: pages[0].0,
            content: .spread(
                FinishedPage.Spread([try part(0, 200), try part(1, 0)], size: PixelSize(width: 400, height: 400))))
        let copy = try await made.write([try made.copied(1, pages[3]), spread])
        try isSound(copy)
        let (file, nodes) = (try made.open(copy), try PageTree(made.open(copy), maximumPages: 10))
        let merged = try file.page(at: nodes.paths[1])
        #expect(merged.box("MediaBox") == [0, 0, 200, 200])
        // Page 2 lies on the left of page 1.
        #expect(try text(copy, 2, "-x 0 -y 0 -W 100 -H 200") == "page 2")
        #expect(try text(copy, 2, "-x 100 -y 0 -W 100 -H 200") == "page 1")
        let link = merged["Annots"].items.first { !$0["Dest"].isNull }
        #expect(link?["Rect"].numbers == [110, 10, 130, 30])
        let outline = try await made.pages(copy).book.outline
        #expect(outline.map(\.title) == ["one", "two", "four"])
        #expect(outline.map(\.page) == [2, 2, 1])
    }

    /// A page of a PDF and a picture next to it keep the links of both.
    @Test(.needs("qpdf")) func pageAndPictureInASpreadKeepTheirLinks() async throws {
        let (_, pages) = try await made.pages(try source())
        let picture = try FinishedPage.fixture(2, "baseline.jpg", .jpeg)
        let size = PixelSize(width: 400, height: 400)
        var spread = FinishedPage(
            number: 1, page: pages[0].0,
            content: .spread(
                FinishedPage.Spread(
                    [
                        .init(
                            .document(pages[0].1, Framing(pages[0].2)),
                            at: PixelRect(x: 0, y: 0, width: 200, height: 400)),
                        .init(picture.content, at: PixelRect(x: 200, y: 0, width: 200, height: 400)),
                    ], size: size)))
        let address = try #require(WebAddress("https://example.org/picture"))
        spread.links = [PageLink(PageArea(left: 0.5, top: 0, right: 1, bottom: 0.5), to: .address(address))]
        let copy = try await made.write([spread, try made.copied(2, pages[3])])
        try isSound(copy)
        let nodes = try PageTree(made.open(copy), maximumPages: 10)
        let annotations = try made.open(copy).page(at: nodes.paths[0])["Annots"].items
        let rects: [[Double]?] = [[10, 10, 30, 30], [70, 100, 90, 130], [100, 100, 200, 200]]
        #expect(annotations.map(\.["Rect"].numbers) == rects)
    }

    /// A page whose contents are damaged is laid onto another one as it is; only where several would have to be joined, it costs
    /// this page.
    @Test(arguments: [("/Contents 3 0 R", false), ("/Contents[3 0 R]", false), ("/Contents[3 0 R 3 0 R]", true)])
    func damagedContents(_ contents: String, _ isLost: Bool) async throws {
        var made = made
        made.settings = ["page-size": "300x300pt"]
        let path = try made.scratch.write(
            "damaged.pdf",
            SyntheticPDF.bytes(
                pages: ["/MediaBox[0 0 100 200]" + contents],
                [SyntheticPDF.stream("/Filter/FlateDecode", "no such data")]))
        let page = try await made.pages(path).pages[0]
        if isLost {
            await #expect(throws: AdapterError.self) { _ = try await made.write([try made.copied(1, page)]) }
            return
        }
        let copy = try await made.write([try made.copied(1, page)])
        let nodes = try PageTree(made.open(copy), maximumPages: 10)
        let form = try made.open(copy).page(at: nodes.paths[0])["Resources"]["XObject"]["P0"]
        #expect(form["Subtype"].name == "Form" && form["BBox"].numbers == [0, 0, 100, 200])
        #expect(Array(try Files.read(copy)).firstRange(of: Array("no such data".utf8)) != nil)
    }

    /// The pixels of a fax are not square, and its page keeps its shape.
    @Test func aFaxOfOneSizeKeepsItsShape() async throws {
        var made = made
        made.settings = ["page-size": "300x300pt"]
        let (page, document, size) = try await made.pages(try source()).pages[0]
        let fax = (page, document, PixelSize(width: 2 * size.width, height: size.height))
        let path = try await made.write([try made.copied(1, fax)])
        let nodes = try PageTree(made.open(path), maximumPages: 10)
        let link = try made.open(path).page(at: nodes.paths[0])["Annots"].items.first { !$0["A"]["URI"].isNull }
        #expect(link?["Rect"].numbers == [180, 150, 210, 195])
    }

    /// Pages that are to have a size are laid on paper of it, text, links and all.
    @Test(.needs("qpdf", "pdftotext")) func pagesOfOneSize() async throws {
        var made = made
        made.settings = ["page-size": "300x300pt"]
        let (_, pages) = try await made.pages(try source())
        let half = Edit.crop(PixelRect(x: 0, y: 0, width: 100, height: 400))
        let path = try await made.write([try made.copied(1, pages[0]), try made.copied(2, pages[3], [half])])
        try isSound(path)
        let nodes = try PageTree(made.open(path), maximumPages: 10)
        let page = try made.open(path).page(at: nodes.paths[0])
        #expect(page.box("MediaBox") == [0, 0, 300, 300])
        #expect(try text(path, 1) == "page 1")
        // 100 by 200 points became 150 by 300, in the middle.
        let link = page["Annots"].items.first { !$0["A"]["URI"].isNull }
        #expect(link?["Rect"].numbers == [180, 150, 210, 195])
        #expect(try text(path, 1, "-x 0 -y 0 -W 75 -H 300") == "")
        #expect(try text(path, 1, "-x 75 -y 0 -W 150 -H 300") == "page 1")
    }

    /// Two PDFs, and a picture between them, become one.
    @Test(.needs("qpdf", "pdftotext")) func severalDocuments() async throws {
        var copy = self.made
        let (first, second) = (
            try await made.pages(try source()).pages, try await made.pages(try source("b.pdf")).pages
        )
        copy.book = BookMetadata(title: "all", outline: [OutlineItem(title: "b", page: 1, level: 0)])
        let picture = try FinishedPage.fixture(3, "baseline.jpg", .jpeg)
        var last = try made.copied(4, second[3])
        last.page = last.page.renamed("b", id: 9)
        let path = try await copy.write([try made.copied(1, first[0]), try made.copied(2, second[1]), picture, last])
        try isSound(path)
        #expect(try text(path, 1) == "page 1")
        #expect(try text(path, 2) == "page 2")
        #expect(try text(path, 4) == "page 4")
        let file = try made.open(path)
        #expect(file.trailer["Info"]["Title"].text == "all")
        let outline = try await source(at: path)
        #expect(outline.map(\.title) == ["b"])
    }

    /// Outline entries target their places on the pages of combined books, for every rotation and crop of the pages.
    @Test func placesOnPagesOfSeveralDocuments() async throws {
        var copy = self.made
        let (first, second) = (
            try await made.pages(try source()).pages, try await made.pages(try source("b.pdf")).pages
        )
        let place = PagePoint(across: 0.25, down: 0.5)
        copy.book.outline = [
            OutlineItem(title: "a", page: 1, at: place, level: 0),
            OutlineItem(title: "b", page: 9, at: place, level: 0),
            OutlineItem(title: "c", page: 4, level: 0),
        ]
        var last = try made.copied(2, second[2])
        last.page = last.page.renamed("b", id: 9)
        let crop = Edit.crop(PixelRect(x: 20, y: 40, width: 100, height: 300))
        let path = try await copy.write([try made.copied(1, first[0], [crop]), last, try made.copied(3, first[3])])
        let line = try made.open(path).catalog["Outlines"]["First"]
        func target(_ line: PDFObject) -> [Double?] { line["Dest"].items.map(\.number) }
        // Cropping changes nothing: the page's own coordinates stay. The other page is turned by 90°.
        #expect(target(line) == [nil, nil, 25, 100, nil])
        #expect(target(line["Next"]) == [nil, nil, 50, 50, nil])
        #expect(line["Next"]["Next"]["Dest"].item(1).name == "Fit")
        let again = try await made.pages(path).book.outline
        let expected = [PagePoint(across: 0.3, down: 80 / 150.0), place, nil]
        for (item, point) in zip(again, expected) {
            #expect(abs((item.place?.across ?? -1) - (point?.across ?? -1)) < 1e-9)
            #expect(abs((item.place?.down ?? -1) - (point?.down ?? -1)) < 1e-9)
        }
    }

    private func source(at path: String) async throws -> [OutlineItem] {
        let source = PDFSource()
        let settings = try Settings(source.descriptor.settings, given: [:])
        return try await source.open(Input(path: path), settings: settings, limits: Limits()).sequence.book.outline
    }

    @Test func aDirectionThatIsAskedForIsSet() async throws {
        var copy = self.made
        copy.book.direction = .rightToLeft
        let (_, pages) = try await made.pages(try source())
        let (file, _) = try await copy.written(try pages.enumerated().map { try made.copied($0 + 1, $1) })
        #expect(file.catalog["ViewerPreferences"]["Direction"].name == "R2L")
        // A title, which may be the file's name, changes nothing in how viewers show a copy.
        copy.book = BookMetadata(title: "T")
        let (plain, _) = try await copy.written(try pages.enumerated().map { try made.copied($0 + 1, $1) })
        #expect(plain.catalog["ViewerPreferences"].isNull)
    }

    /// Another box that is asked for becomes the crop box.
    @Test func anotherBox() async throws {
        let path = try made.scratch.write(
            "boxes.pdf",
            SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]/CropBox[10 10 90 190]/TrimBox[20 30 80 170]"]))
        let source = PDFSource()
        let settings = try Settings(source.descriptor.settings, given: ["page-box": "trim"])
        let opened = try await source.open(Input(path: path), settings: settings, limits: Limits())
        let document = try #require(try await opened.sequence.pages[0].examine().document)
        let size = PixelSize(width: 60, height: 140)
        for (edits, box) in [
            ([Edit](), [20.0, 30, 80, 170]),
            (
                [
                    .turn(quarters: 2),
                    .inset(.init(top: .pixels(10), right: .pixels(0), bottom: .pixels(0), left: .pixels(0))),
                ], [20, 40, 80, 170]
            ),
        ] {
            let framing = try #require(Framing(size, edits: edits))
            let page = FinishedPage(number: 1, page: opened.sequence.pages[0], content: .document(document, framing))
            #expect(try await made.written([page]).pages[0].box("CropBox") == box)
        }
    }

    /// One object may be several pages; each is changed by itself.
    @Test(.needs("qpdf")) func pagesThatAreOneObject() async throws {
        let path = try made.scratch.write(
            "repeated.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 3/Kids[3 0 R 3 0 R 3 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
            ]))
        let pages = try await made.pages(path).pages
        let crops = (0..<3).map { Edit.crop(PixelRect(x: 20 * $0, y: 0, width: 100, height: 400)) }
        let all = try (0..<3).map { try made.copied($0 + 1, pages[$0], [crops[$0]]) }
        let whole = try await made.written(all).pages.map { $0.box("CropBox")[0] }
        #expect(whole == [0, 10, 20])
        let copy = try await made.write(Array(all[1...]))
        try isSound(copy)
        #expect(try PageTree(made.open(copy), maximumPages: 9).paths.count == 2)
        // Behind another book, too, which it is copied into.
        let other = try made.scratch.write("other.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 50 60]"], []))
        let first = try await made.pages(other).pages[0]
        let together = try await made.written([try made.copied(1, first)] + all)
        #expect(together.pages.dropFirst().map { $0.box("CropBox").first } == [0, 10, 20])
    }

    @Test func signedDocumentsHaveAWarning() async throws {
        let path = try made.scratch.write(
            "signed.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/SigFlags 3>>>>",
                "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
                "<</FT/Sig/T(s)/V<</Type/Sig>>>>",
            ]))
        let page = try await made.pages(path).pages[0]
        let request = SinkRequest(
            book: BookMetadata(), pageCount: 1, destination: Destination(path: made.scratch("copy.pdf")))
        let session = try PDFSink().begin(request)
        _ = try session.add(try made.copied(1, page))
        let warnings = try await session.compose().warnings
        #expect(warnings.map(\.code) == ["signature-broken"])
        #expect(
            warnings.first?.explanation.english == "signed.pdf: is signed, but the signature is not valid for the copy")
    }
}
