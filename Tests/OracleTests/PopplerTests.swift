internal import Scratch
internal import Testing

/// poppler's programs judge what jisui makes of the fixtures' pages.
@Suite struct PopplerTests {
    private static func pages(_ treatments: String...) -> [ExpectedPage] {
        ExpectedPage.all.filter { $0.treatments.count == 1 && treatments.contains($0.treatments[0]) }
    }

    /// Where poppler's programs are no judges, and why.
    private static let notJudged = [
        "pdfimages": [
            "image-mask.pdf": "takes out a stencil as it is stored, not as it paints",
            "image-mask-decode.pdf": "takes out a stencil as it is stored, not as it paints",
            "indexed1.pdf": "leaves out the palette where pixels have one bit",
            "ccitt-palette.pdf": "leaves out the palette where pixels have one bit",
        ],
        "pdftocairo": [
            "crop-smaller.pdf": "cuts between the blocks of a JPEG; a cut without loss keeps a few pixels more",
            "colour-lab.pdf": "makes black of colours that sRGB lacks; pdftoppm does not",
        ],
        "pdfinfo": [
            "crop-empty.pdf": "takes an empty box for one", "rotate45.pdf": "keeps an angle that no page can have",
        ],
    ]

    /// Runs a program of poppler's on one page; the bytes of the one file it writes.
    private static func picture(_ program: String, _ page: ExpectedPage) throws -> [UInt8]? {
        let scratch = try ScratchFolder()
        let outcome = try Program.outcome(
            """
            \(program) -f \(page.number) -l \(page.number) -upw '\(ConvertedFixtures.password(of: page.file))' \
            '\(ConvertedFixtures.folder)/\(page.file)' '\(scratch("x"))'
            """)
        let names = scratch.names()
        guard outcome.status == 0, names.count == 1 else { return nil }
        return try scratch.read(names[0])
    }

    @Test(.needs("pdfimages"), arguments: pages("verbatim"))
    func verbatimPagesAreTheEmbeddedBytes(_ page: ExpectedPage) throws {
        let ours = try ConvertedFixtures.all.page(page.file, page.number)
        // A page may have pictures that it does not paint; pdfimages takes those out, too.
        guard let theirs = try PopplerTests.picture("pdfimages -all", page) else { return }
        #expect(ours == theirs)
    }

    @Test(.needs("pdfimages"), arguments: pages("lossless"))
    func losslessPagesHaveTheEmbeddedPixels(_ page: ExpectedPage) throws {
        let converted = try ConvertedFixtures.all
        let reason = converted.info(page.file)?.pages.first { $0.number == page.number }?.reason ?? ""
        if reason.contains("cropped") || reason.contains("turned") { return }
        if PopplerTests.notJudged["pdfimages"]?[page.file] != nil { return }
        let ours = try PNGFile(try converted.page(page.file, page.number))
        let theirs = try PNGFile(try #require(try PopplerTests.picture("pdfimages -png", page)))
        #expect((ours.width, ours.height) == (theirs.width, theirs.height))
        #expect(ours.rgb == theirs.rgb)
    }

    /// Turned, cropped and drawn pages, too, look as poppler draws them.
    @Test(.needs("pdftocairo", "djpeg"), arguments: pages("lossless", "drawn"))
    func pagesLookAsDrawn(_ page: ExpectedPage) throws {
        if PopplerTests.notJudged["pdftocairo"]?[page.file] != nil { return }
        let ours = try PlainPicture(try ConvertedFixtures.all.page(page.file, page.number))
        let size = "-scale-to-x \(ours.width) -scale-to-y \(ours.height)"
        let theirs = try PNGFile(
            try #require(try PopplerTests.picture("pdftocairo -png -cropbox -singlefile \(size)", page)))
        #expect((ours.width, ours.height) == (theirs.width, theirs.height))
        let difference = PopplerTests.meanDifference(ours.rgb, theirs.rgb)
        #expect(difference < 2, "of 255 on average")
    }

    private static func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return 255 }
        return Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
    }

    @Test(.needs("pdfinfo"), arguments: ConvertedFixtures.names)
    func boxesAndRotationsAgree(_ file: String) throws {
        if PopplerTests.notJudged["pdfinfo"]?[file] != nil { return }
        let info = try #require(try ConvertedFixtures.all.info(file))
        let outcome = try Program.outcome(
            """
            pdfinfo -box -f 1 -l 10000 -upw '\(ConvertedFixtures.password(of: file))' \
            '\(ConvertedFixtures.folder)/\(file)'
            """)
        let said = PDFInfo(outcome.outputText)
        #expect(info.pages.count == said.pageCount)
        for page in info.pages {
            #expect(PopplerTests.agree(page.mediaBox, said.boxes["\(page.number) MediaBox"]))
            #expect(PopplerTests.agree(page.box, said.boxes["\(page.number) CropBox"]))
            #expect(page.rotation == said.rotations[page.number])
        }
    }

    /// pdfinfo rounds to hundredths.
    private static func agree(_ one: [Double]?, _ other: [Double]?) -> Bool {
        guard let one, let other, one.count == other.count else { return false }
        return zip(one, other).allSatisfy { abs($0 - $1) < 0.011 }
    }

    @Test(.needs("qpdf"), arguments: ConvertedFixtures.names)
    func theFixturesAreWhatTheySeem(_ file: String) throws {
        let outcome = try Program.outcome(
            "qpdf --password='\(ConvertedFixtures.password(of: file))' --check '\(ConvertedFixtures.folder)/\(file)'")
        // 3 is a warning.
        #expect([0, 3].contains(outcome.status), "\(outcome.errorText)")
    }
}
