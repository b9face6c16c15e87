import AdapterKit
import Files
import PDFSink
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Pages of PDFs that are copied without the objects over their scans.
@Suite struct RemovedObjectsTests {
    private let made: SyntheticBook
    private static let paint = "q 72 0 0 72 0 0 cm /S Do Q "
    private static let invisible = "BT 3 Tr /F 9 Tf 10 50 Td (printed) Tj 0 Tr ET "

    init() throws {
        made = try SyntheticBook()
    }

    /// Two pages with one form, one font and one list of resources; tags, layers, a field and links. The second page shows
    /// only the scan and the form.
    private func source(_ content: String, form: String) throws -> String {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 12 0 R/MarkInfo<</Marked true>>/AcroForm<</Fields[11 0 R]>>"
                + "/OCProperties<</OCGs[15 0 R]/D<</ON[15 0 R]>>>>>>",
            "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 72 72]/Resources 16 0 R>>",
            "<</Type/Page/Parent 2 0 R/Contents[5 0 R 6 0 R]/StructParents 0/Annots[9 0 R 10 0 R 11 0 R]>>",
            "<</Type/Page/Parent 2 0 R/Contents 17 0 R>>",
            SyntheticPDF.stream("", Self.paint),
            SyntheticPDF.stream("", content),
            SyntheticPDF.picture(width: 150, height: 150),
            SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 72 72]/Resources 16 0 R", form),
            "<</Type/Annot/Subtype/Link/Rect[0 0 20 9]/Border[0 0 0]/A<</S/URI/URI(https://example.org/)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 10 20 19]/Border[0 0 0]/Dest[4 0 R/Fit]>>",
            "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(me)/Rect[40 10 60 30]/P 3 0 R>>",
            "<</Type/StructTreeRoot/K 13 0 R/ParentTree<</Nums[0[13 0 R]]>>>>",
            "<</Type/StructElem/S/P/P 12 0 R/Pg 3 0 R/K 0>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            "<</Type/OCG/Name(Watermark)>>",
            "<</Font<</F 14 0 R>>/XObject<</S 7 0 R/W 8 0 R>>/Properties<</L 15 0 R>>>>",
            SyntheticPDF.stream("", Self.paint + "/W Do"),
        ]
        return try made.scratch.write("source.pdf", SyntheticPDF.bytes(objects))
    }

    private func text(_ path: String, _ page: Int) throws -> String {
        try Program.outcome("pdftotext -f \(page) -l \(page) '\(path)' -").outputText
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The gray levels of a page as mupdf renders it.
    private func pixels(_ path: String, _ page: Int) throws -> [UInt8] {
        try Program.outcome("mutool draw -q -c gray -F pgm -r 72 -o - '\(path)' \(page)").output
    }

    private func copy(_ path: String, _ given: [String: String] = ["no-stamps": "true"]) async throws -> String {
        let (_, pages) = try await made.pages(path, given)
        return try await made.write(try pages.enumerated().map { try made.copied($0 + 1, $1) })
    }

    @Test(
        .needs("qpdf", "pdftotext", "mutool"),
        arguments: [
            // Layers and tags around the stamp, and each operator that shows text.
            ("/OC /L BDC BT /F 9 Tf 9 TL 10 20 Td (STAMP) Tj [(STA)5(MP)] TJ (STAMP) ' 1 2 (STAMP) \" ET EMC", ""),
            ("/P <</MCID 0>> BDC BT /F 9 Tf 10 20 Td (STAMP) Tj ET EMC", ""),
            // Forms that are nothing but a stamp, and one with text that stays.
            ("q /W Do Q", "BT /F 9 Tf 10 20 Td (STAMP) Tj ET"),
            ("q /W Do Q", "BT 3 Tr /F 9 Tf 10 50 Td (printed) Tj 0 Tr 10 -30 Td (STAMP) Tj ET"),
        ])
    func copiesLoseTheObjectsAndTheirText(_ content: String, _ form: String) async throws {
        let path = try source(Self.invisible + content, form: form)
        let copy = try await copy(path)
        let check = try Program.outcome("qpdf --check '\(copy)'")
        #expect(check.status == 0, "\(check.outputText)\(check.errorText)")
        #expect(Set(try text(copy, 1).split(separator: " ")) == ["printed"])
        #expect(try !text(copy, 2).contains("STAMP"))
        // Compressed streams could hide it. The form stays in the resources that all pages inherit.
        #expect(Program.run("qpdf --qdf --object-streams=disable '\(copy)' '\(copy).plain'") == 0)
        let plain = Array(try Files.read("\(copy).plain"))
        #expect((plain.firstRange(of: Array("STAMP".utf8)) == nil) == form.isEmpty)
        // The page looks like its scan, which is unchanged.
        let bare = try made.scratch.write(
            "bare.pdf",
            SyntheticPDF.bytes(
                pages: ["/MediaBox[0 0 72 72]/Contents 3 0 R/Resources<</XObject<</S 4 0 R>>>>"],
                [SyntheticPDF.stream("", Self.paint), SyntheticPDF.picture(width: 150, height: 150)]))
        let fieldless = try Program.outcome("mutool draw -q -c gray -F pgm -r 72 -o - '\(copy)' 2").output
        #expect(fieldless == (try pixels(bare, 1)))
        let file = try made.open(copy)
        let tree = try PageTree(file, maximumPages: 10)
        let page = try file.page(at: tree.paths[0])
        #expect(page["Annots"].items.map { $0["Subtype"].name } == ["Link", "Widget"])
        #expect(file.catalog["AcroForm"]["Fields"].item(0)["T"].text == "name")
        #expect(file.catalog["OCProperties"]["OCGs"].count == 1)
        #expect(file.structureState == .sound)
        let scan = page["Resources"]["XObject"]["S"]
        #expect(try file.data(of: scan, limit: 1 << 20).count == 150 * 150)
    }

    @Test func copiesWithoutTheOptionKeepThem() async throws {
        let path = try source("BT /F 9 Tf 10 20 Td (STAMP) Tj ET", form: "")
        for given in [[:], ["pages-as": "scan"]] {
            #expect(try text(try await copy(path, given), 1).contains("STAMP"))
        }
    }

    /// An object that only the removed content paints is not in the file any more.
    @Test(.needs("qpdf")) func imagesOfStampsAreGone() async throws {
        let image = "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI"
        let path = try source("q 2 0 0 2 5 5 cm \(image) Q /W Do", form: "0.5 w 1 1 m 9 9 l S")
        let file = try made.open(try await copy(path, ["no-stamps": "true", "uncover": "true"]))
        let page = try file.page(at: try PageTree(file, maximumPages: 10).paths[0])
        #expect(page["Resources"]["XObject"].keys == ["S"])
        let content = String(decoding: try file.contents(of: page.page, limit: 1 << 20), as: UTF8.self)
        #expect(!content.contains("BI") && !content.contains("/W"))
    }
}
