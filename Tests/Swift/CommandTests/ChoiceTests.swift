internal import OrderedJSON
internal import Scratch
internal import Testing

/// jisui prints a line for each choice that it made for the user, and adds it to the report.
@Suite struct ChoiceTests {
    private let scratch: ScratchFolder
    private static let fixtures = "\(BuiltJisui.fixtures)/good"

    init() throws {
        scratch = try ScratchFolder()
        for number in 1...5 {
            try scratch.write("book/\(number).jpg", Files.read("\(Self.fixtures)/Imaging/baseline.jpg"))
        }
    }

    /// The lines that a run prints.
    private func lines(_ arguments: String) throws -> [String] {
        let outcome = try Program.outcome(
            "'\(BuiltJisui.path)' \(arguments) -f --report report.jsonl", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch(".")))
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return outcome.errorText.split(separator: "\n").map(String.init)
    }

    /// The codes of the notes in the report of the last run.
    private func notes() throws -> [String] {
        let line = try scratch.read("report.jsonl").split(separator: UInt8(ascii: "\n")).first ?? []
        return JSON(parsing: Array(line))?["notes"]?.elements?.compactMap { $0["code"]?.asString } ?? []
    }

    private func expect(_ code: String, _ text: String, _ arguments: String) throws {
        let lines = try lines(arguments)
        #expect(lines.count { $0.contains(text) } == 1, "\(lines)")
        let codes = try notes()
        #expect(codes.count { $0 == code } == 1, "\(codes)")
    }

    @Test(arguments: [
        ("pairing", "which stands alone like a cover", "book -o m.cbz --spreads merge --direction rtl"),
        (
            "pairing", "paired pages as in the whole book",
            "book --pages 2-5 -o m.cbz --spreads merge --direction rtl"
        ),
        ("reading-direction", "took left to right as the reading direction", "book -o m.cbz --spreads merge"),
        ("reading-direction", "took left to right as the reading direction", "book -o m.epub"),
        (
            "reading-direction", "because its language is ja",
            "book -o m.png --strip-direction horizontal --language ja"
        ),
        ("hidden-margins", "margins are hidden, not removed, on 6 pages", "book -o c.pdf --crop 20%"),
        ("title-is-name", "took the input's name 'book' as the title", "book -o n.cbz"),
        ("strip-direction", "joined the pages from top to bottom", "book -o s.png"),
        ("strip-direction", "joined the pages from top to bottom", "book -o s.png --dry-run"),
        ("samples-converted", "page 1: with its colors converted to sRGB", "inks -o s.png"),
        ("unused-option", "--crop did not apply: a length of 0", "gray -o g.cbz --crop 0"),
        ("unused-option", "--shift did not apply", "book -o m.cbz --spreads merge --shift 6"),
        ("guessed-metadata", "wrote metadata inferred from the file name", "'Series v03' -o s.cbz --guess"),
        ("title-of-first", "took 'book' as the title", "book book/1.jpg --combine -o c.epub"),
        ("input-order", "sorted the inputs in natural order", "book/1.jpg book/10.jpg book/2.jpg --combine -o c.cbz"),
        ("unused-option", "--gray did not apply", "gray -o g.cbz --gray"),
        ("default-resolution", "took 300 pixels per inch for 1 page", "gray -o g.pdf"),
        ("unused-option", "no page would have become smaller", "fine -o t.cbz --rotate 90 --quality 100"),
    ])
    func choiceIsPrintedAndReported(_ code: String, _ text: String, _ arguments: String) throws {
        try scratch.write("book/10.jpg", Files.read("\(Self.fixtures)/Imaging/baseline.jpg"))
        try scratch.write("Series v03/1.png", Files.read("\(Self.fixtures)/Imaging/gray.png"))
        try scratch.write("fine/1.jpg", Files.read("\(Self.fixtures)/Imaging/orientation-6.jpg"))
        try scratch.write("inks/1.jpg", Files.read("\(Self.fixtures)/Imaging/cmyk.jpg"))
        try scratch.write("gray/1.png", Files.read("\(Self.fixtures)/Imaging/gray.png"))
        try expect(code, text, arguments)
    }

    /// A page that is copied is not scaled, and the page without its paper is made from the scan.
    @Test func aHintToKeepThePaperCanBeFollowed() throws {
        let scaled = "'\(Self.fixtures)/PDFSource/crop-larger.pdf' -o c.pdf --fit 30x"
        try expect("margins-dropped", "use --rebuild --pages-as page to keep it", scaled)
        _ = try lines("\(scaled) --rebuild --pages-as page")
        #expect(try !notes().contains("margins-dropped"))
        let refused = try Program.outcome(
            "'\(BuiltJisui.path)' \(scaled) -f --pages-as page", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch(".")))
        #expect(refused.status == 64, "\(refused.errorText)")
    }

    /// A sink that joins pages encodes and orders them when it writes.
    @Test(arguments: ["--quality 50", "--direction rtl", "--gap 2"])
    func aDryRunToAStripJudgesNoOptionOfIt(_ option: String) throws {
        for dryRun in ["", "--dry-run"] {
            let lines = try lines("book -o s.jpg --strip-direction horizontal \(option) \(dryRun)")
            #expect(!lines.contains { $0.contains("did not apply") }, "\(lines)")
            #expect(try !notes().contains("unused-option"))
        }
    }

    @Test func hiddenMarginsOfACroppedPDFCopyAreReported() throws {
        let book = "\(Self.fixtures)/PDFSource/blank.pdf"
        try expect("hidden-by-crop-box", "margins are hidden, not removed, on", "'\(book)' -o c.pdf --crop 5%")
    }

    /// The password may be for the book that failed.
    @Test(arguments: [("nothing", false), ("Imaging/gray.png", true)])
    func passwordIsUnusedOnlyIfNoBookFailed(_ other: String, _ isUnused: Bool) throws {
        try scratch.write("password", Array("sesame".utf8))
        let outcome = try Program.outcome(
            "'\(BuiltJisui.path)' '\(Self.fixtures)/PDFSource/jpeg.pdf' '\(Self.fixtures)/\(other)' -o many/ "
                + "--to cbz --password-file password",
            in: scratch("."), environment: BuiltJisui.environment(temporary: scratch(".")))
        #expect((outcome.status == 0) == isUnused, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("--password-file did not apply") == isUnused, "\(outcome.errorText)")
    }

    /// A quality that would make a turned page larger leaves it to the lossless way.
    @Test func aQualityNeverMakesAPageLarger() throws {
        try scratch.write("Series v03/1.png", Files.read("\(Self.fixtures)/Imaging/gray.png"))
        try scratch.write("fine/1.jpg", Files.read("\(Self.fixtures)/Imaging/orientation-6.jpg"))
        _ = try lines("fine -o without.cbz --rotate 90")
        let without = try scratch.read("without.cbz").count
        _ = try lines("fine -o fine.cbz --rotate 90 --quality 100")
        #expect(try scratch.read("fine.cbz").count == without)
        _ = try lines("fine -o coarse.cbz --rotate 90 --quality 20")
        #expect(try scratch.read("coarse.cbz").count < without)
    }
}
