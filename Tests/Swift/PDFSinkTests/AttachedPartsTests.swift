import PDFStructure
import Scratch
import SyntheticPDF
import Testing

/// Files that are attached to parts of a PDF (ISO 32000-2, 14.13), and actions of whole books that are appended to
/// another one.
@Suite(.needs("qpdf")) struct AttachedPartsTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// One page with a file of its own for nearly every part. A font is called AF, and a tag names an annotation that
    /// is removed.
    private func write() throws {
        func file(_ name: String) -> String { "<</Type/Filespec/F(\(name))/UF(\(name))/EF<</F 15 0 R>>>>" }
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 9 0 R/MarkInfo<</Marked true>>/AF[16 0 R]>>",
            "<</Type/Pages/Count 1/Kids[3 0 R]/Resources<</XObject<</F 6 0 R/I 8 0 R>>/Font<</AF 17 0 R/EF 17 0 R>>>>>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Contents 4 0 R/Annots[5 0 R 13 0 R]/AF 14 0 R/StructParents 0>>",
            SyntheticPDF.stream("", "/F Do /Span<</MCID 0>>BDC BT /AF 12 Tf (words) Tj ET EMC"),
            "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/)>>/AF[\(file("note.bin"))]>>",
            SyntheticPDF.stream(
                "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/AF[\(file("form.bin"))]/Resources<</XObject<</G 7 0 R>>>>",
                "/G Do"),
            SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/AF \(file("inner.bin"))", "0 0 9 9 re f"),
            SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/AF[16 0 R]", ""),
            "<</Type/StructTreeRoot/K 10 0 R/ParentTree<</Nums[0[10 0 R] 1 10 0 R]>>>>",
            "<</Type/StructElem/S/Document/P 9 0 R/K[11 0 R 12 0 R]/AF[\(file("tag.bin"))]>>",
            "<</Type/StructElem/S/Span/P 10 0 R/Pg 3 0 R/K 0>>",
            "<</Type/StructElem/S/Annot/P 10 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 13 0 R>>>>",
            "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/StructParent 1/FS \(file("pin.bin"))>>",
            file("page.bin"), SyntheticPDF.stream("/Type/EmbeddedFile", "secret bytes"), file("book.bin"),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        try made.scratch.write("source.pdf", SyntheticPDF.bytes(objects))
    }

    private func text(_ name: String) throws -> String {
        try Program.outcome("qpdf --qdf '\(made.scratch(name))' -").outputText
    }

    private let all = "7 attachments"

    @Test func filesOfPartsAreNamed() throws {
        try write()
        #expect(
            try BuiltJisui.run(["info", "source.pdf"], in: made.scratch.path).outputText.contains("contains: \(all)\n"))
        for more in [[], ["--dry-run"]] {
            let outcome = try BuiltJisui.run(["source.pdf", "-o", "copy.pdf"] + more, in: made.scratch.path)
            #expect(outcome.errorText.contains("the copy contains \(all); use --no-active to leave it out"))
        }
    }

    @Test(arguments: [[], ["--spreads", "merge"], ["source-2.pdf", "--combine"]])
    func filesOfPartsAreLeftOut(_ more: [String]) throws {
        try write()
        try made.scratch.write("source-2.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]"]))
        let outcome = try BuiltJisui.run(
            ["source.pdf"] + more + ["-o", "copy.pdf", "--no-active"], in: made.scratch.path)
        #expect(outcome.errorText.contains("--no-active left out \(all)"), "\(outcome.errorText)")
        let text = try text("copy.pdf")
        for word in [".bin", "/EmbeddedFile", "/EF <<", "secret"] { #expect(!text.contains(word), "\(word)") }
        // A font that is only named AF stays, and so does visible and tagged content.
        for word in ["/AF \(reference(to: "/Helvetica", in: text))", "0 0 9 9 re f", "/StructElem", "example.org"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(Program.run("qpdf --check '\(made.scratch("copy.pdf"))'") == 0)
        #expect(
            try BuiltJisui.run(["info", "copy.pdf"], in: made.scratch.path).outputText.contains("carries") == false)
    }

    /// As `qpdf --qdf` writes a reference to the object in which a word stands.
    private func reference(to word: String, in text: String) -> String {
        var number = ""
        for line in text.split(separator: "\n") {
            if line.hasSuffix(" 0 obj") { number = String(line.dropLast(4)) }
            if line.contains(word) { break }
        }
        return number + " R"
    }

    /// The first book is the one that the output is made of.
    @Test func omittedActionsOfLaterBooksAreNamed() throws {
        let script = "<</S/JavaScript/JS(app.alert)>>"
        let catalogs = [
            "one.pdf": "", "two.pdf": "/OpenAction \(script)/Names<</JavaScript<</Names[(a) \(script)]>>>>",
            "three.pdf": "/OpenAction[3 0 R/Fit]",
        ]
        for (name, catalog) in catalogs {
            let objects = [
                "<</Type/Catalog/Pages 2 0 R\(catalog)>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
            ]
            try made.scratch.write(name, SyntheticPDF.bytes(objects))
        }
        let books = ["one.pdf", "two.pdf", "three.pdf", "--order", "given", "--combine", "-o", "copy.pdf"]
        let words = "two.pdf: left out actions of the whole document: JavaScript (2 actions); put it first to keep that"
        let dry = try BuiltJisui.run(books + ["--dry-run"], in: made.scratch.path)
        #expect(dry.errorText.contains(words) && !dry.errorText.contains("three.pdf: what"))
        let outcome = try BuiltJisui.run(books, in: made.scratch.path)
        #expect(
            outcome.status == 3 && outcome.errorText.contains(words) && !outcome.errorText.contains("three.pdf: what"))
        #expect(try !text("copy.pdf").contains("app.alert"))
        let asked = try BuiltJisui.run(books + ["--no-active", "--force"], in: made.scratch.path)
        #expect(asked.status == 0 && asked.errorText.contains("--no-active left out JavaScript (2 actions)"))
        // The actions of the first book are kept, and named.
        let first = ["two.pdf", "one.pdf", "--order", "given", "--combine", "-o", "copy.pdf", "--force"]
        let kept = try BuiltJisui.run(first, in: made.scratch.path)
        #expect(kept.status == 0 && kept.errorText.contains("the copy contains JavaScript (2 actions)"))
    }
}
