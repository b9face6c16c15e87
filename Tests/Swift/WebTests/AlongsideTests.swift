import OrderedJSON
import Scratch
import Testing

/// `--with` adds other formats of the book to its folder.
@Suite struct AlongsideTests {
    private let scratch: ScratchFolder
    private let book = "\(BuiltJisui.fixtures)/good/PDFSource/real-bobby-make-believe.pdf"
    private let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"

    init() throws { scratch = try ScratchFolder() }

    private func jisui(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments, in: scratch.path)
    }

    /// The files are those that the sinks write by themselves, with the same changes.
    @Test func additionalFilesMatchDirectOutput() throws {
        let outcome = try jisui(
            book, "-o", "web", "--to", "web", "--with", "cbz,epub,pdf", "--title", "T", "--pages", "1-3", "--crop",
            "5%", "-q")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        for format in ["cbz", "epub", "pdf"] {
            #expect(
                try jisui(book, "-o", "book.\(format)", "--title", "T", "--pages", "1-3", "--crop", "5%", "-q").status
                    == 0)
            #expect(try scratch.read("web/book.\(format)") == scratch.read("book.\(format)"), "\(format)")
        }
        let json = try #require(JSON(parsing: try scratch.read("web/book.json")))
        let files = (json["files"]?.elements ?? []).map { $0.elements ?? [] }
        #expect(files.map { $0[0].asString } == ["book.cbz", "book.epub", "book.pdf"])
        #expect(try files[1][1].asInteger == scratch.read("web/book.epub").count)
        // The folder is jisui's own: it may be replaced.
        #expect(try jisui(book, "-o", "web", "--to", "web", "--force", "-q").status == 0)
        #expect(!scratch.names(in: "web").contains("book.cbz"))
    }

    /// Images that the outputs share are those that each sink gets by itself.
    @Test func sharedImagesMatchDirectOutput() throws {
        for name in ["in/1.jpg", "in/2.jpg"] { try scratch.write(name, try Files.read(page)) }
        let options = ["--gray", "--quality", "50", "-q"]
        let outcome = try BuiltJisui.run(
            ["in", "-o", "web", "--to", "web", "--with", "cbz,epub,pdf"] + options, in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        for format in ["cbz", "epub", "pdf"] {
            #expect(try BuiltJisui.run(["in", "-o", "book.\(format)"] + options, in: scratch.path).status == 0)
            #expect(try scratch.read("web/book.\(format)") == scratch.read("book.\(format)"), "\(format)")
        }
    }

    /// A format that cannot be written leaves nothing of the book, and the error names the option.
    @Test(arguments: [
        (["--with", "epub", "--epub-for", "kobo"], 64, "--with epub: --epub-for kobo needs a name"),
        (["--with", "pdf", "--gray"], 64, "--with pdf: cannot be made gray"),
        (["--with", "cbz,rar"], 64, "--with takes one or several of cbz,epub,pdf, not 'cbz,rar'"),
        (["--with", "cbz", "--to", "cbz"], 64, "--with is an option of web, and the output is cbz"),
    ])
    func unsupportedAdditionalFormatsAreRejected(_ options: [String], _ status: CInt, _ message: String) throws {
        // A drawing cannot be made gray as a page of a PDF.
        let book = options.contains("--gray") ? "\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf" : book
        for dry in [[], ["--dry-run"]] {
            let outcome = try BuiltJisui.run(
                [book, "-o", "x", "-q"] + (options.contains("--to") ? [] : ["--to", "web"]) + options + dry,
                in: scratch.path)
            #expect(outcome.status == status && outcome.errorText.contains(message), "\(outcome.errorText)")
            #expect(scratch.names().isEmpty)
        }
    }

    /// The treatment of pages in the other formats is reported with the rest, and warnings once.
    @Test func reportCoversEachFormat() throws {
        try scratch.write("in/1.jpg", try Files.read(page))
        try scratch.write("in/2.jpg", Array(try Files.read(page).dropLast(40)))
        let outcome = try jisui("in", "-o", "web", "--to", "web", "--with", "cbz", "--report", "r.json")
        #expect(outcome.status == 3)
        let report = try #require(JSON(parsing: try scratch.read("r.json")))
        #expect(report["warnings"]?.elements?.count == 1, "\(outcome.errorText)")
        #expect(report["with"]?.elements?.first?["to"]?.asString == "cbz")
        #expect(report["with"]?.elements?.first?["pages"]?.elements?.count == 2)
        #expect(outcome.errorText.matches(of: /warning:/).count == 1, "\(outcome.errorText)")
    }
}
