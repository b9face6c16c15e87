internal import Scratch
internal import Testing

/// poppler's programs judge jisui's output for the fixtures' pages.
@Suite struct PopplerTests {
    private static func pages(_ treatments: String...) -> [ExpectedPage] {
        ExpectedPage.all.filter { $0.treatments.count == 1 && treatments.contains($0.treatments[0]) }
    }

    /// The pages that poppler's programs cannot judge, with the reason.
    private static let notJudged = [
        "pdfimages": [
            "image-mask.pdf": "takes out a stencil as it is stored, not as it paints",
            "image-mask-decode.pdf": "takes out a stencil as it is stored, not as it paints",
            "image-mask-black-space.pdf": "takes out a stencil as it is stored, not as it paints",
            "indexed1.pdf": "leaves out the palette where pixels have one bit",
            "ccitt-palette.pdf": "leaves out the palette where pixels have one bit",
            "two-pictures.pdf": "takes out the pieces of a page one by one",
            "real-serenity-jbig2-refinement.pdf": "ignores the typical prediction of refinements",
            "real-serenity-jbig2-halftone.pdf": "ignores the operators of halftones",
        ],
        "pdftocairo": [
            "crop-smaller.pdf": "cuts between the blocks of a JPEG; a cut without loss keeps a few pixels more",
            "colour-lab.pdf": "makes black of colors that sRGB lacks; pdftoppm does not",
            "real-serenity-jbig2-refinement.pdf": "ignores the typical prediction of refinements",
            "real-serenity-jbig2-halftone.pdf": "ignores the operators of halftones",
        ],
        "pdfinfo": [
            "crop-empty.pdf": "takes an empty box for one", "rotate45.pdf": "keeps an angle that no page can have",
        ],
    ]

    /// Enough pages of every kind are judged, and the omitted ones are few.
    @Test func enoughIsJudged() {
        #expect(PopplerTests.pages("verbatim").count > 120)
        #expect(PopplerTests.pages("lossless").count > 70)
        #expect(PopplerTests.pages("rendered").count > 35)
        let known = Set(ConvertedFixtures.names)
        for (program, files) in PopplerTests.notJudged {
            #expect(files.count <= 8 && known.isSuperset(of: files.keys), "\(program)")
        }
    }

    /// Runs a program of poppler's on one page; the bytes of the one file it has to write.
    private static func picture(_ program: String, _ page: ExpectedPage) throws -> [UInt8] {
        let scratch = try ScratchFolder()
        let outcome = try Program.outcome(
            """
            \(program) -f \(page.number) -l \(page.number) -upw '\(ConvertedFixtures.password(of: page.file))' \
            '\(ConvertedFixtures.folder)/\(page.file)' '\(scratch("x"))'
            """)
        let names = scratch.names()
        try #require(outcome.status == 0 && names.count == 1, "\(program) wrote \(names): \(outcome.errorText)")
        return try scratch.read(names[0])
    }

    @Test(.needs("pdfimages"), arguments: pages("verbatim"))
    func verbatimPagesAreTheEmbeddedBytes(_ page: ExpectedPage) throws {
        let ours = try ConvertedFixtures.all.page(page.file, page.number)
        #expect(try ours == PopplerTests.picture("pdfimages -all", page))
    }

    /// A cropped page is a part of the embedded picture. `pagesLookAsDrawn` checks the place and the rotation of that
    /// part.
    @Test(.needs("pdfimages", "djpeg"), arguments: pages("lossless"))
    func losslessPagesHaveTheEmbeddedPixels(_ page: ExpectedPage) throws {
        if PopplerTests.notJudged["pdfimages"]?[page.file] != nil { return }
        let converted = try ConvertedFixtures.all
        let info = try #require(converted.info(page.file)?.pages.first { $0.number == page.number })
        let reason = info.reason ?? ""
        let bytes = try converted.page(page.file, page.number)
        let isJPEG = bytes.starts(with: [0xFF, 0xD8])
        let ours = try PlainPicture(bytes)
        let theirs = try PlainPicture(PopplerTests.picture("pdfimages -png", page))
        let isMirrored = reason.contains("mirrored")
        if reason.contains("cropped") || reason.contains("rotated") || isMirrored {
            // The samples of a turned JPEG are rounded, and its colors smoothed, in other places.
            #expect(ours.isPart(of: theirs, tolerance: isJPEG ? 0.5 : 0, isMirrored: isMirrored))
            if !reason.contains("cropped") { #expect(ours.width * ours.height == theirs.width * theirs.height) }
        } else {
            #expect(!isJPEG)
            #expect((ours.width, ours.height) == (theirs.width, theirs.height))
            let isSame = ours.rgb == theirs.rgb
            #expect(isSame)
        }
    }

    /// Turned, cropped and drawn pages, too, look as poppler draws them.
    @Test(.needs("pdftocairo", "djpeg"), arguments: pages("lossless", "rendered"))
    func pagesLookAsDrawn(_ page: ExpectedPage) throws {
        if PopplerTests.notJudged["pdftocairo"]?[page.file] != nil { return }
        let ours = try PlainPicture(try ConvertedFixtures.all.page(page.file, page.number))
        let size = "-scale-to-x \(ours.width) -scale-to-y \(ours.height)"
        let theirs = try PlainPicture(PopplerTests.picture("pdftocairo -png -cropbox -singlefile \(size)", page))
        #expect((ours.width, ours.height) == (theirs.width, theirs.height))
        #expect(ours.looksLike(theirs))
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
        let expected = PDFInfo(outcome.outputText)
        #expect(info.pages.count == expected.pageCount)
        for page in info.pages {
            #expect(PopplerTests.agree(page.mediaBox, expected.boxes["\(page.number) MediaBox"]))
            #expect(PopplerTests.agree(page.cropBox, expected.boxes["\(page.number) CropBox"]))
            #expect(page.rotation == expected.rotations[page.number])
        }
    }

    /// pdfinfo rounds to hundredths.
    private static func agree(_ one: [Double]?, _ other: [Double]?) -> Bool {
        guard let one, let other, one.count == other.count else { return false }
        return zip(one, other).allSatisfy { abs($0 - $1) < 0.011 }
    }

    @Test(.needs("qpdf"), arguments: ConvertedFixtures.names)
    func fixturesPassQpdfCheck(_ file: String) throws {
        let outcome = try Program.outcome(
            "qpdf --password='\(ConvertedFixtures.password(of: file))' --check '\(ConvertedFixtures.folder)/\(file)'")
        // 3 is a warning.
        #expect([0, 3].contains(outcome.status), "\(outcome.errorText)")
    }
}

/// The output of `pdfinfo -box -f 1 -l N`.
struct PDFInfo {
    private(set) var pageCount = 0
    /// By page and name: "1 CropBox".
    private(set) var boxes: [String: [Double]] = [:]
    private(set) var rotations: [Int: Int] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
            if words.first == "Pages", words.count == 2 { pageCount = Int(words[1]) ?? 0 }
            guard words.first == "Page", words.count >= 4, let number = Int(words[1]) else { continue }
            if words[2] == "rot" { rotations[number] = Int(words[3]) }
            if words[2].hasSuffix("Box") { boxes["\(number) \(words[2])"] = words[3...].compactMap { Double($0) } }
        }
    }
}
