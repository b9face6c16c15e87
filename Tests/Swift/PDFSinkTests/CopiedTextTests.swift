import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Text that was read off pages of PDFs which are copied whole.
@Suite struct CopiedTextTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    private static let bar = "0.5 g 10 20 30 40 re f"

    /// A PDF of pages of 100 by 200 points.
    private func source(_ pages: [String], _ others: [String]) throws -> String {
        try made.scratch.write(
            "source.pdf", SyntheticPDF.bytes(pages: pages.map { "/MediaBox[0 0 100 200]" + $0 }, others))
    }

    private func line(_ word: String, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> TextLine {
        TextLine([TextWord(word, PageArea(left: left, top: top, right: right, bottom: bottom))])
    }

    /// A copied page with a word in an oblong of its upper half.
    private func copied(
        _ number: Int, _ page: (Page, DocumentPage, PixelSize), _ edits: [Edit] = [], word: String = "word"
    ) throws -> FinishedPage {
        var copy = try made.copied(number, page, edits)
        copy.text = [line(word, 0.2, 0.25, 0.7, 0.375)]
        return copy
    }

    private func isSound(_ path: String) throws {
        let outcome = try Program.outcome("qpdf --check '\(path)'")
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.outputText)\(outcome.errorText)")
    }

    /// The drawings of all pages by two programs.
    private func drawn(_ path: String) throws -> String {
        try Program.outcome("pdftoppm -r 40 '\(path)' | cksum; mutool draw -q -r 40 -o - '\(path)' | cksum").outputText
    }

    /// The text lies where it was recognized, for every rotation and crop of the page; and it is invisible.
    @Test(
        .needs("pdftotext", "pdftoppm", "mutool", "qpdf"),
        arguments: [
            (0, [], [20, 50, 70, 75.0]), (90, [], [40, 25, 140, 37.5]), (180, [], [20, 50, 70, 75]),
            (270, [], [40, 25, 140, 37.5]), (90, [Edit.turn(quarters: 2)], [40, 25, 140, 37.5]),
            (0, [.crop(PixelRect(x: 20, y: 40, width: 100, height: 300))], [10, 37.5, 35, 56.25]),
            (270, [.crop(PixelRect(x: 40, y: 20, width: 300, height: 100))], [30, 12.5, 105, 18.75]),
        ] as [(Int, [Edit], [Double])])
    func recognizedTextKeepsItsPlace(_ rotation: Int, _ edits: [Edit], _ expected: [Double]) async throws {
        let path = try source(["/Rotate \(rotation)/Contents 3 0 R"], [SyntheticPDF.stream("", Self.bar)])
        let page = try await made.pages(path).pages[0]
        let copy = try await made.write([try copied(1, page, edits)])
        try isSound(copy)
        let words = try made.words(copy)
        #expect(words.map(\.text) == ["word"])
        #expect(zip(words.first?.box ?? [], expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(words)")
        let plain = try await made.write([try made.copied(1, page, edits)], name: "plain.pdf")
        #expect(try drawn(copy) == drawn(plain))
    }

    /// Neither the graphics state that the page leaves nor missing or existing resources move the text.
    @Test(
        .needs("pdftotext", "pdftoppm", "mutool", "qpdf"),
        arguments: [
            // Everything that comes after it is scaled and clipped away.
            "/Contents[3 0 R 4 0 R]/Resources<<>>", "/Contents 4 0 R", "/Contents 5 0 R", "",
            "/Contents 9 0 R/Resources 6 0 R", "/Contents 3 0 R/Resources<</XObject 7 0 R>>",
        ])
    func anyPageTakesIt(_ entries: String) async throws {
        let others = [
            SyntheticPDF.stream("", Self.bar), SyntheticPDF.stream("", "q 0.1 0 0 0.1 500 500 cm 0 0 1 1 re W n q"),
            "[]",
            // The names that the text would get.
            "<</XObject<<\((1...40).map { "/JisuiText\($0) 8 0 R" }.joined())>>>>",
            "<</P 8 0 R>>", SyntheticPDF.picture(width: 3, height: 5),
            SyntheticPDF.stream(
                "", (1...40).map { "q 2 0 0 2 \($0 * 2) 100 cm/JisuiText\($0) Do Q" }.joined(separator: "\n")),
        ]
        let path = try source([entries, entries], others)
        let pages = try await made.pages(path).pages
        let copy = try await made.write([try copied(1, pages[0], word: "one"), try copied(2, pages[1], word: "two")])
        try isSound(copy)
        let words = try made.words(copy)
        #expect(words.map(\.text) == ["one", "two"])
        #expect(words.allSatisfy { zip($0.box, [20, 50, 70, 75]).allSatisfy { abs($0 - $1) < 0.1 } }, "\(words)")
        #expect(try drawn(copy) == drawn(path))
    }

    /// Halves of one page have their own words, and a page that is repeated next to another has them once.
    @Test(.needs("pdftotext", "qpdf")) func eachAppearanceHasItsOwn() async throws {
        let pages = try await made.pages(
            source(["/Contents 3 0 R", "/Contents 3 0 R/Rotate 90"], [SyntheticPDF.stream("", Self.bar)])
        ).pages
        let halves = [0, 100].map { Edit.crop(PixelRect(x: $0, y: 0, width: 100, height: 400)) }
        func part(_ index: Int, _ place: PixelRect) -> FinishedPage.Spread.Part {
            FinishedPage.Spread.Part(.document(pages[index].1, Framing(pages[index].2)), at: place)
        }
        var spread = FinishedPage(
            number: 3, page: pages[0].0,
            content: .spread(
                FinishedPage.Spread(
                    [
                        part(0, PixelRect(x: 0, y: 0, width: 200, height: 400)),
                        part(1, PixelRect(x: 200, y: 100, width: 400, height: 200)),
                    ], size: PixelSize(width: 600, height: 400))))
        spread.text = [line("spread", 0.5, 0.5, 0.75, 0.6)]
        let copy = try await made.write([
            try copied(1, pages[0], [halves[0]], word: "left"), try copied(2, pages[0], [halves[1]], word: "right"),
            spread,
        ])
        try isSound(copy)
        let words = try made.words(copy)
        #expect(words.map(\.text) == ["left", "right", "spread"])
        #expect(zip(words.last?.box ?? [], [150, 100, 225, 120]).allSatisfy { abs($0 - $1) < 0.1 }, "\(words)")
    }

    /// On paper of a given size it grows with its page.
    @Test(.needs("pdftotext", "qpdf")) func onPaper() async throws {
        var made = made
        made.settings = ["page-size": "300x300pt"]
        let page = try await made.pages(source(["/Contents 3 0 R"], [SyntheticPDF.stream("", Self.bar)])).pages[0]
        let copy = try await made.write([try copied(1, page)])
        try isSound(copy)
        let words = try made.words(copy)
        #expect(zip(words.first?.box ?? [], [105, 75, 180, 112.5]).allSatisfy { abs($0 - $1) < 0.1 }, "\(words)")
    }

    /// Recognized text replaces the old one if that is asked for, and the visible text stays.
    @Test(.needs("pdftotext", "pdftoppm", "mutool", "qpdf")) func oldInvisibleTextIsReplaced() async throws {
        let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
        let entries = "/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>"
        let old = "\(Self.bar) BT 3 Tr /F 12 Tf 10 150 Td (old) Tj 0 Tr 0 -50 Td (stamp) Tj ET"
        let path = try source([entries], [font, SyntheticPDF.stream("", old)])
        let page = try await made.pages(path).pages[0]
        var copy = try copied(1, page)
        #expect(try made.words(try await made.write([copy])).map(\.text).sorted() == ["old", "stamp", "word"])
        copy.replacesInvisibleText = true
        let replaced = try await made.write([copy])
        try isSound(replaced)
        #expect(try made.words(replaced).map(\.text).sorted() == ["stamp", "word"])
        let plain = try await made.write([try made.copied(1, page)], name: "plain.pdf")
        #expect(try drawn(replaced) == drawn(plain))
    }

    /// Where the old text cannot be removed, the page keeps it and does not get a second one.
    @Test(.needs("pdftotext", "qpdf")) func oldTextThatCannotGoStays() async throws {
        let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
        let entries = "/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>"
        let old = "BT 3 Tr /F 12 Tf 10 150 Td (old ) Tj 0 Tr (stamp) Tj ET"
        var copy = try copied(
            1, try await made.pages(source([entries], [font, SyntheticPDF.stream("", old)])).pages[0])
        copy.replacesInvisibleText = true
        #expect(try made.words(try await made.write([copy])).map(\.text).sorted() == ["old", "stamp"])
    }
}
