import Files
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// The active content of PDFs and of their copies.
@Suite struct ActiveContentTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// Two pages. The first starts a program when it opens, and has links to a program, a script, an address and the second page,
    /// a field that calculates, an attached file and a film that shows a picture; the second has a script.
    private func write() throws {
        let objects = [
            """
            <</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(one)/Next<</S/GoTo/D[4 0 R/Fit]>>>>/AA<</WC 13 0 R>>\
            /Names<</JavaScript<</Names[(a) 13 0 R]>>/EmbeddedFiles<</Names[(evil.exe) 12 0 R]>>>>\
            /AcroForm<</Fields[9 0 R 15 0 R]/CO[9 0 R 15 0 R]/XFA(xfa)>>>>
            """,
            "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
            """
            <</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/AA<</O<</S/Launch/F(calc.exe)>>>>\
            /Annots[5 0 R 6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R]>>
            """,
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Annots[15 0 R]>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(calc.exe)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(java\\nscript:alert)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D[4 0 R/Fit]>>>>",
            "<</Type/Annot/Subtype/Widget/FT/Tx/T(sum)/Rect[0 0 9 9]/AA<</C<</S/JavaScript/JS(two)>>>>>>",
            "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 12 0 R>>",
            "<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/AP<</N 14 0 R>>/RichMediaContent<<>>>>",
            "<</Type/Filespec/F(evil.exe)/EF<</F 16 0 R>>>>",
            "<</S/JavaScript/JS(three)>>",
            SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "0 0 9 9 re f"),
            "<</Type/Annot/Subtype/Widget/FT/Tx/T(more)/Rect[0 0 9 9]/AA<</C<</S/JavaScript/JS(four)>>>>>>",
            SyntheticPDF.stream("", "MZ"),
        ]
        try made.scratch.write("source.pdf", SyntheticPDF.bytes(objects))
    }

    private func run(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments, in: made.scratch.path)
    }

    private func text(_ name: String) throws -> String {
        try Program.outcome("qpdf --qdf '\(made.scratch(name))' -").outputText
    }

    private let all =
        "JavaScript (5 actions), 2 launch actions, 1 media object, an XFA form, 1 attachment"

    @Test func infoListsActiveContent() throws {
        try write()
        #expect(try run("info", "source.pdf").outputText.contains("contains: \(all)\n"))
        let json = try run("info", "--json", "source.pdf").outputText
        #expect(
            json.contains(#""activeContent": {"javaScript": 5, "launch": 2, "media": 1, "xfa": 1, "attachment": 1}"#))
    }

    @Test(.needs("qpdf")) func copiedActiveContentIsReported() throws {
        try write()
        let outcome = try run("source.pdf", "-o", "copy.pdf")
        #expect(outcome.status == 0)
        #expect(outcome.errorText.contains("the copy contains \(all); use --no-active to leave it out"))
        let dry = try run("source.pdf", "-o", "dry.pdf", "--dry-run")
        #expect(dry.errorText.contains("the copy contains \(all); use --no-active"))
        #expect(try text("copy.pdf").contains("calc.exe"))
    }

    /// With several inputs, the message names those with active content.
    @Test func inputsWithActiveContentAreNamed() throws {
        try write()
        try made.scratch.write("plain.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]"]))
        try made.scratch.write("more.pdf", Files.read(made.scratch("source.pdf")))
        let given = ["--order", "given", "--combine", "-o", "copy.pdf", "--dry-run"]
        let both = try BuiltJisui.run(["plain.pdf", "source.pdf"] + given, in: made.scratch.path)
        // Actions of the whole document are lost with it, because it is not the first.
        #expect(both.errorText.contains("\nsource.pdf: the copy contains JavaScript (3 actions),"))
        let last = try BuiltJisui.run(["source.pdf", "plain.pdf"] + given, in: made.scratch.path)
        #expect(last.errorText.contains("\nsource.pdf: the copy contains \(all);"))
        let three = try BuiltJisui.run(["plain.pdf", "source.pdf", "more.pdf"] + given, in: made.scratch.path)
        #expect(three.errorText.contains("\nsource.pdf, more.pdf: the copy contains JavaScript ("))
        let real = try BuiltJisui.run(["plain.pdf", "source.pdf"] + given.dropLast(), in: made.scratch.path)
        #expect(real.errorText.contains("\nsource.pdf: the copy contains JavaScript ("))
    }

    /// Links in the document, links to addresses and visible content stay.
    @Test(.needs("qpdf")) func itIsLeftOut() throws {
        try write()
        let outcome = try run("source.pdf", "-o", "copy.pdf", "--no-active")
        #expect(outcome.status == 0 && outcome.errorText.contains("--no-active left out \(all)"))
        let text = try text("copy.pdf")
        let words = [
            "JavaScript", "Launch", "calc.exe", "evil.exe", "script:", "EmbeddedFile", "RichMedia", "/AA", "/XFA",
        ]
        for word in words { #expect(!text.contains(word), "\(word)") }
        let file = try made.open(made.scratch("copy.pdf"))
        #expect(try run("info", "copy.pdf").outputText.contains("carries") == false)
        let pages = try PageTree(file, maximumPages: 10).paths.map { path throws(AdapterError) in
            try file.page(at: path)
        }
        let annotations = pages[0]["Annots"].items
        #expect(annotations.map { $0["Subtype"].name } == ["Link", "Link", "Link", "Link", "Widget", "Stamp"])
        #expect(annotations.map { $0["A"]["S"].name } == [nil, nil, "URI", "GoTo", nil, nil])
        #expect(file.catalog["OpenAction"]["S"].name == "GoTo")
        #expect(file.catalog["AcroForm"]["Fields"].count == 2)
    }

    /// Only addresses of the web, of mail and of telephones stay, and nothing in places that no viewer looks at.
    @Test(.needs("qpdf")) func onlyKnownAddressesAreKept() throws {
        let addresses = [
            #"\\\\server\\share"#, "smb://server/a", "ms-word:a", "other.html", "file:///a", "j avascript:x",
            "https://a.org/",
            "HTTP://a.org/", "mailto:a@b.org", "tel:123",
        ]
        let links = addresses.map { "<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(\($0))>>>>" }.joined()
        let others = [
            "<</Subtype/Link/Rect[0 0 9 9]/A<</JS(LEFT)>>>>",
            "<</Subtype/Link/Rect[0 0 9 9]/A<</S/Thread/F(LEFT)/D 0>>>>",
            "<</Subtype/Link/Rect[0 0 9 9]/A<</S/Named/N/LEFT>>>>",
        ].joined()
        let external = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/F(LEFT)/FFilter/LEFT",
            "")
        let reference = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Ref<</F(LEFT)/Page 0>>/OPI<</LEFT<<>>>>", "0 0 9 9 re f")
        let script = SyntheticPDF.stream("/Type/XObject/Subtype/PS", "LEFT")
        let old = SyntheticPDF.stream("/Type/XObject/Subtype/Form/Subtype2/PS/BBox[0 0 9 9]", "LEFT")
        let objects = [
            """
            <</Type/Catalog/Pages 2 0 R/URI<</Base(LEFT)>>/PieceInfo<</LEFT<</Private(LEFT)>>>>\
            /Names<</Dests<</Names[(a)<</D[3 0 R/Fit]/X<</S/JavaScript/JS(LEFT)>>>>(b)<</S/Launch/F(LEFT)>>]>>>>>>
            """,
            "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            """
            <</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/PieceInfo<</LEFT<</X<</JS(LEFT)>>>>>>/Annots[\(links)\(others)]\
            /Resources<</XObject<</A 4 0 R/B 5 0 R/C 6 0 R/D 7 0 R>>>>>>
            """,
            external, reference, script, old,
        ]
        try made.scratch.write("source.pdf", SyntheticPDF.bytes(objects))
        let outcome = try run("source.pdf", "-o", "copy.pdf", "--no-active")
        #expect(outcome.status == 0)
        let found = [
            "3 references to data in other files", "2 PostScript programs", "private data of programs in 2 places",
            "JavaScript (3 actions)",
        ]
        for text in found { #expect(outcome.errorText.contains(text), "\(text): \(outcome.errorText)") }
        let text = try text("copy.pdf")
        #expect(!text.contains("LEFT"))
        let kept = text.split(separator: "\n").compactMap {
            $0.split(separator: "/URI (").last?.split(separator: ")").first
        }
        #expect(text.contains("/URI (https://a.org/)"))
        #expect(
            kept.filter { $0.contains(":") && !$0.contains(" ") } == [
                "https://a.org/", "HTTP://a.org/", "mailto:a@b.org", "tel:123",
            ])
        #expect(text.contains("0 0 9 9 re f"))
    }

    /// The actions of omitted pages are omitted with them.
    @Test(.needs("qpdf")) func omittedPagesLeaveNothing() throws {
        try write()
        let outcome = try run("source.pdf", "-o", "copy.pdf", "--pages", "1")
        #expect(outcome.errorText.contains("the copy contains JavaScript (4 actions),"))
        #expect(try !text("copy.pdf").contains("(four)"))
        _ = try run("source.pdf", "-o", "copy.pdf", "--pages", "2", "--force")
        #expect(try !text("copy.pdf").contains("calc.exe"))
    }

    @Test func itHasNoEffectOnPicturesOfPages() throws {
        try write()
        let rebuilt = try run("source.pdf", "-o", "copy.pdf", "--rebuild", "--no-active")
        #expect(rebuilt.status == 64 && rebuilt.errorText.contains("--no-active has no effect with --rebuild"))
        let comic = try run("source.pdf", "-o", "copy.cbz", "--no-active")
        #expect(comic.status == 64 && comic.errorText.contains("--no-active is an option of pdf"))
        try made.scratch.write("plain.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]"]))
        let plain = try run("plain.pdf", "-o", "copy.pdf", "--no-active")
        #expect(plain.status == 0 && plain.errorText.contains("--no-active found nothing to leave out"))
    }

    /// A tree of pages that leads back to its root becomes a list.
    @Test(.needs("qpdf")) func loopsInThePageTreeAreGone() throws {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Count 4/Kids[3 0 R 4 0 R 2 0 R]/MediaBox[0 0 100 200]>>",
            "<</Type/Page/Parent 2 0 R>>",
            "<</Type/Pages/Parent 2 0 R/Count 2/Kids[5 0 R 4 0 R]/Rotate 90>>",
            "<</Type/Page/Parent 4 0 R>>",
        ]
        try made.scratch.write("source.pdf", SyntheticPDF.bytes(objects))
        for (name, more) in [("whole", []), ("part", ["--pages", "2"])] {
            _ = try BuiltJisui.run(["source.pdf", "-o", "\(name).pdf"] + more, in: made.scratch.path)
            #expect(Program.run("qpdf --check '\(made.scratch("\(name).pdf"))'") == 0)
            let tree = try PageTree(made.open(made.scratch("\(name).pdf")), maximumPages: 10)
            #expect(!tree.isDamaged && tree.paths.count == (name == "whole" ? 2 : 1))
            let last = try made.open(made.scratch("\(name).pdf")).page(at: try #require(tree.paths.last))
            #expect(last["Rotate"].integer == 90 && last.box("MediaBox") == [0, 0, 100, 200])
        }
    }

    /// Pages of a node in two places are pages of their own in a copy, also behind another document.
    @Test(.needs("qpdf")) func sharedNodesOfThePageTreeAreCombined() throws {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 4/Kids[3 0 R 3 0 R]/MediaBox[0 0 100 200]>>",
            "<</Type/Pages/Count 2/Kids[4 0 R 4 0 R]>>", "<</Type/Page/Parent 2 0 R>>",
        ]
        try made.scratch.write("source.pdf", SyntheticPDF.bytes(objects))
        let copy = try BuiltJisui.run(
            ["--combine", "source.pdf", "source.pdf", "-o", "copy.pdf"], in: made.scratch.path)
        #expect(copy.status == 3, "\(copy.errorText)")
        #expect(Program.run("qpdf --check '\(made.scratch("copy.pdf"))'") == 0)
        #expect(try PageTree(made.open(made.scratch("copy.pdf")), maximumPages: 10).paths.count == 8)
    }

    /// A page that cannot be copied ends the run. The error says what to do, and doing it works.
    @Test func copiesOfMissingPagesSuggestRebuilding() throws {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 30 40]/Contents 6 0 R>>",
            "<</Type/Pages/Parent 2 0 R/Count 2/Kids[2 0 R 5 0 R]>>",
            "<</Type/Page/Parent 4 0 R/MediaBox[0 0 30 40]/Contents 6 0 R>>",
            "<</Length 14>>\nstream\n0 0 5 6 re f  \nendstream",
        ]
        try made.scratch.write("loop.pdf", SyntheticPDF.bytes(objects))
        let copy = try BuiltJisui.run(["loop.pdf", "-o", "copy.pdf"], in: made.scratch.path)
        #expect(copy.status == 1)
        #expect(
            copy.errorText.contains(
                "error: loop.pdf: page 2: the PDF is damaged: its list of pages does not contain this page; "
                    + "use --rebuild to make a PDF of page images"))
        let rebuilt = try BuiltJisui.run(["loop.pdf", "-o", "rebuilt.pdf", "--rebuild"], in: made.scratch.path)
        #expect(rebuilt.status == 3)
        #expect(try PageTree(made.open(made.scratch("rebuilt.pdf")), maximumPages: 10).paths.count == 2)
    }
}
