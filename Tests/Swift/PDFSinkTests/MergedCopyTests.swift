import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Facing pages of a PDF that are copied onto one page.
@Suite struct MergedCopyTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// Two pages of these sizes in points, of which the first was scanned with twice as many pixels per point. Each has a field,
    /// and both have parts of a third.
    private func source(_ sizes: [(width: Int, height: Int)], turned: Bool = false) throws {
        let fields = [
            "<</FT/Tx/T(one)/Type/Annot/Subtype/Widget/Rect[10 20 30 40]/P 12 0 R>>",
            "<</FT/Tx/T(two)/Type/Annot/Subtype/Widget/Rect[10 20 30 40]/P 13 0 R>>",
            "<</FT/Btn/T(both)/Ff 32768/Kids[6 0 R 7 0 R]>>",
            "<</Parent 5 0 R/Type/Annot/Subtype/Widget/Rect[10 50 20 60]/P 12 0 R>>",
            "<</Parent 5 0 R/Type/Annot/Subtype/Widget/Rect[10 50 20 60]/P 13 0 R>>",
        ]
        let pictures = zip(sizes, [4, 2]).map { size, pixels in
            SyntheticPDF.picture(width: size.width * pixels, height: size.height * pixels)
        }
        // Objects 3 to 7 are fields, 8 and 9 pictures, 10 and 11 what paints them, 12 and 13 the pages.
        let contents = sizes.map { SyntheticPDF.stream("", "q \($0.width) 0 0 \($0.height) 0 0 cm /I Do Q") }
        let pages = sizes.enumerated().map { index, size in
            "/MediaBox[0 0 \(size.width) \(size.height)]/Contents \(10 + index) 0 R\(turned ? "/Rotate 90" : "")"
                + "/Resources<</XObject<</I \(8 + index) 0 R>>>>/Annots[\(3 + index) 0 R \(6 + index) 0 R]"
        }
        var bytes = SyntheticPDF.bytes(pages: pages, fields + pictures + contents)
        let catalog = "<</Type/Catalog/Pages 2 0 R>>"
        let full = "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[3 0 R 4 0 R 5 0 R]>>>>"
        bytes.replaceSubrange(try #require(bytes.firstRange(of: Array(catalog.utf8))), with: Array(full.utf8))
        try made.scratch.write("source.pdf", bytes)
    }

    private func merged(_ more: [String] = []) throws -> (file: PDFFile, page: PageNode, painting: [String]) {
        let outcome = try BuiltJisui.run(
            ["source.pdf", "-o", "merged.pdf", "--spreads", "merge", "--cover", "paired", "-q"] + more,
            in: made.scratch.path)
        // The offsets of what was put into the source by hand are wrong, and a warning says so.
        #expect([0, 3].contains(outcome.status), "\(outcome.errorText)")
        let file = try made.open(made.scratch("merged.pdf"))
        let tree = try PageTree(file, maximumPages: 10)
        #expect(tree.paths.count == 1)
        let page = try file.page(at: tree.paths[0])
        let content = String(decoding: try file.contents(of: page.page, limit: 10_000), as: UTF8.self)
        return (file, page, content.split(separator: "\n").map(String.init))
    }

    /// However finely they were scanned, pages stand beside each other as large as their paper.
    @Test func pagesOfOneSizeScannedUnalike() throws {
        try source([(100, 200), (100, 200)])
        let (_, page, painting) = try merged()
        #expect(page.box("MediaBox") == [0, 0, 200, 200])
        #expect(painting == ["q 1 0 0 1 0 0 cm /P0 Do Q", "q 1 0 0 1 100 0 cm /P1 Do Q"])
    }

    /// Pages of different sizes are aligned, and scaled only where that is asked for.
    @Test(arguments: [
        ("center", "q 1 0 0 1 100 50 cm /P1 Do Q", [0, 0, 150, 200]),
        ("top", "q 1 0 0 1 100 100 cm /P1 Do Q", [0, 0, 150, 200]),
        ("bottom", "q 1 0 0 1 100 0 cm /P1 Do Q", [0, 0, 150, 200]),
        ("scale", "q 2 0 0 2 100 0 cm /P1 Do Q", [0, 0, 200, 200]),
    ])
    func pagesOfDifferentSizes(_ alignment: String, _ second: String, _ box: [Double]) throws {
        try source([(100, 200), (50, 100)])
        let (_, page, painting) = try merged(["--align", alignment])
        #expect(page.box("MediaBox") == box)
        #expect(painting == ["q 1 0 0 1 0 0 cm /P0 Do Q", second])
    }

    /// Fields come along once, with their names and all their parts.
    @Test(.needs("qpdf"), arguments: [false, true]) func formFields(_ turned: Bool) throws {
        let size = turned ? (width: 200, height: 100) : (100, 200)
        try source([size, size], turned: turned)
        let (file, page, _) = try merged()
        #expect(Program.run("qpdf --check '\(made.scratch("merged.pdf"))'") == 0)
        let fields = file.catalog["AcroForm"]["Fields"].items
        #expect(fields.map(\.["T"].text) == ["one", "two", "both"])
        let parts = fields[2]["Kids"].items.map(\.reference)
        let shown = page["Annots"].items
        #expect(parts.count == 2 && Set(shown.map(\.reference)) == Set(fields.prefix(2).map(\.reference) + parts))
        #expect(shown.allSatisfy { $0["P"].reference == page.page.reference })
        // Of a page that is turned clockwise, what was at the left is at the top.
        let rects: [[Double]] =
            turned ? [[20, 170, 40, 190], [120, 170, 140, 190]] : [[10, 20, 30, 40], [110, 20, 130, 40]]
        #expect(fields.prefix(2).map { $0["Rect"].numbers ?? [] } == rects)
        #expect(fields[0]["MK"]["R"].integer == (turned ? 270 : nil))
    }

    /// A document that is given twice is two books, each with its own fields.
    @Test(.needs("qpdf")) func aDocumentThatIsGivenTwice() throws {
        try source([(100, 200), (100, 200)])
        let outcome = try BuiltJisui.run(
            ["source.pdf", "source.pdf", "--combine", "-o", "twice.pdf", "-q"], in: made.scratch.path)
        #expect([0, 3].contains(outcome.status), "\(outcome.errorText)")
        #expect(Program.run("qpdf --check '\(made.scratch("twice.pdf"))'") == 0)
        let file = try made.open(made.scratch("twice.pdf"))
        let pages = try PageTree(file, maximumPages: 10).paths.map { try file.page(at: $0) }
        #expect(pages.map { $0["Annots"].items.count } == [2, 2, 2, 2])
        #expect(Set(pages.flatMap { $0["Annots"].items.map(\.reference) }).count == 8)
        let names = file.catalog["AcroForm"]["Fields"].items.compactMap(\.["T"].text)
        #expect(Set(names).isSuperset(of: ["one", "two", "both", "one+1", "two+1", "both+1"]))
    }
}
