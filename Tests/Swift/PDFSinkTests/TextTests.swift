import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import Testing

@testable import PDFSink

/// Invisible text and links over pictures, as other people's programs find them.
@Suite struct PDFTextTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// A page of 300 by 400 pixels at 100 pixels an inch: 216 by 288 points.
    private func page(
        _ number: Int, _ lines: [TextLine] = [], links: [PageLink] = [], id: Int? = nil,
        framing: (Framing) -> Framing = { $0 }
    ) throws -> FinishedPage {
        let size = PixelSize(width: 300, height: 400)
        let raster = Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: 200, count: size.area))
        var page = try FinishedPage.made(
            number, .png, PNGWriter.encode(raster), id: id, resolution: Resolution(100), framing: framing)
        (page.text, page.links) = (lines, links)
        return page
    }

    private func area(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> PageArea {
        PageArea(left: left, top: top, right: right, bottom: bottom)
    }

    private func isSound(_ path: String) throws {
        let check = try Program.outcome("qpdf --check '\(path)'")
        #expect(check.status == 0 && check.error.isEmpty, "\(check.outputText)\(check.errorText)")
        // Drawing shows whether the font is one.
        let drawn = try Program.outcome(
            "pdftoppm -r 20 '\(path)' >/dev/null && mutool draw -q -r 20 -o /dev/null '\(path)'")
        #expect(
            drawn.status == 0 && drawn.errorText.replacing("warning: ICC support is not available\n", with: "").isEmpty)
    }

    @Test(.needs("pdftotext", "qpdf", "pdftoppm", "mutool")) func wordsAreFoundWhereTheyStand() async throws {
        let lines = [
            TextLine([TextWord("Hello", area(0.1, 0.1, 0.3, 0.15)), TextWord("world.", area(0.32, 0.1, 0.6, 0.15))]),
            // A run of Japanese is one word; 𠮟 lies beyond UTF-16's first plane.
            TextLine([TextWord("吾輩は𠮟る。", area(0.1, 0.3, 0.7, 0.4))]),
            TextLine([TextWord("A&<\"(\\)>", area(0.2, 0.45, 0.5, 0.5))]),
        ]
        let path = try await made.write([try page(1, lines)])
        let found = try made.words(path)
        #expect(found.map(\.text) == ["Hello", "world.", "吾輩は𠮟る。", "A&amp;&lt;&quot;(\\)&gt;"])
        let expected = [
            [21.6, 28.8, 64.8, 43.2], [69.12, 28.8, 129.6, 43.2], [21.6, 86.4, 151.2, 115.2], [43.2, 129.6, 108, 144],
        ]
        for (word, box) in zip(found, expected) {
            #expect(zip(word.box, box).allSatisfy { abs($0 - $1) < 0.1 }, "\(word)")
        }
        try isSound(path)
        // Nothing of it is seen.
        let plain = try await made.write([try page(1)], name: "plain.pdf")
        let same = try Program.outcome(
            "[ \"$(pdftoppm -r 50 '\(path)' | cksum)\" = \"$(pdftoppm -r 50 '\(plain)' | cksum)\" ]")
        #expect(same.status == 0)
    }

    /// The cost of text: the fonts once, and a few bytes a word.
    @Test func textIsSmall() async throws {
        let words = (0..<400).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: 10)
            return TextWord(
                "word\(index)",
                area(Double(column) / 10, Double(row) / 40, Double(column) / 10 + 0.08, Double(row) / 40 + 0.02))
        }
        let with = try Files.read(try await made.write([try page(1, [TextLine(words)])]))
        let without = try Files.read(try await made.write([try page(1)], name: "plain.pdf"))
        #expect(with.count - without.count < 400 * 20 + 2500, "\(with.count - without.count)")
        // Equal books are equal files; others have other identifiers.
        let again = try Files.read(try await made.write([try page(1, [TextLine(words)])], name: "again.pdf"))
        #expect(again == with)
    }

    @Test(.needs("pdftotext", "qpdf", "pdftoppm", "mutool")) func verticalLines() async throws {
        let lines = [
            TextLine([TextWord("縦書きの行", area(0.8, 0.1, 0.9, 0.475))], direction: .vertical),
            TextLine([TextWord("次の行", area(0.6, 0.1, 0.7, 0.325))], direction: .vertical),
        ]
        let path = try await made.write([try page(1, lines)])
        let text = try Program.outcome("pdftotext '\(path)' -").outputText
        #expect(text.split(whereSeparator: \.isWhitespace) == ["縦書きの行", "次の行"])
        // Poppler takes the middle of the first upper edge for the lower left corner of a character.
        let found = try made.words(path)
        #expect(found.map(\.text) == ["縦書きの行", "次の行"])
        let size = 0.075 * 288
        let expected = [0.85 * 216, 0.1 * 288 - size, 0.85 * 216 + size, 0.475 * 288 - size]
        #expect(zip(found[0].box, expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(found[0])")
        try isSound(path)
    }

    @Test(.needs("pdftotext")) func linesFromRightToLeft() async throws {
        let line = TextLine(
            [TextWord("שלום", area(0.6, 0.1, 0.8, 0.15)), TextWord("עולם", area(0.35, 0.1, 0.55, 0.15))],
            direction: .rightToLeft)
        let path = try await made.write([try page(1, [line])])
        let text = try Program.outcome("pdftotext '\(path)' -").outputText
        let letters = text.unicodeScalars.filter { !(0x202A...0x202C).contains($0.value) }
        #expect(String(String.UnicodeScalarView(letters)).contains("שלום עולם"), "\(text)")
    }

    @Test(.needs("pdftotext"), arguments: 0...3) func turnedLines(_ turns: Int) async throws {
        let box = turns.isMultiple(of: 2) ? area(0.2, 0.3, 0.6, 0.35) : area(0.3, 0.2, 0.36, 0.6)
        let path = try await made.write([try page(1, [TextLine([TextWord("turned", box)], turns: turns)])])
        let found = try made.words(path)
        let expected = [box.left * 216, box.top * 288, box.right * 216, box.bottom * 288]
        #expect(found.map(\.text) == ["turned"])
        #expect(zip(found.first?.box ?? [], expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(found)")
    }

    /// The visible part of a page counts: its crop box, or its place on a sheet of paper.
    @Test(.needs("pdftotext"), arguments: [nil, "200x300pt"]) func placesFollowTheVisiblePart(_ paper: String?)
        async throws
    {
        var made = made
        made.settings["page-size"] = paper
        let line = TextLine([TextWord("word", area(0.25, 0.5, 0.75, 0.6))])
        let path = try await made.write([
            try page(1, [line]) { $0.keeping(PixelRect(x: 50, y: 100, width: 200, height: 200)) }
        ])
        let box = try #require(try made.words(path).first?.box)
        // 144 by 144 points; on paper 200 wide, in the middle of its height.
        let expected = paper == nil ? [36, 72, 108, 86.4] : [50, 150, 150, 170.0]
        #expect(zip(box, expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(box)")
    }

    // MARK: Links

    @Test(.needs("qpdf")) func linksLeadToPagesAndAddresses() async throws {
        let address = try #require(WebAddress("https://example.org/(a)"))
        let links = [
            PageLink(area(0.1, 0.2, 0.5, 0.3), to: .page(30, at: nil)), PageLink(.page, to: .address(address)),
            PageLink(.page, to: .page(99, at: nil)), PageLink(.page, to: .other("a script")),
        ]
        let (file, pages) = try await made.written([try page(1, links: links, id: 10), try page(2, id: 30)])
        let annotations = pages[0]["Annots"].items
        #expect(annotations.count == 2 && annotations.allSatisfy { $0["Subtype"].name == "Link" })
        var destinations = Destinations(
            file.catalog, pageNumbers: try PageTree(file, maximumPages: 10).numbers)
        #expect(destinations.destination(of: annotations[0])?.page == 2)
        #expect(annotations[0]["Rect"].numbers?.map { ($0 * 10).rounded() / 10 } == [21.6, 201.6, 108, 230.4])
        #expect(annotations[1]["A"]["URI"].string == Array(address.text.utf8))
        #expect(pages[1]["Annots"].isNull)
        try isSound(made.scratch("book.pdf"))
    }

    @Test func linksToMergedPagesTargetTheMergedPage() async throws {
        var second = try page(2, id: 20)
        second.page.addPart(21)
        let links = [PageLink(.page, to: .page(21, at: nil))]
        let (file, pages) = try await made.written([try page(1, links: links, id: 10), second])
        var destinations = Destinations(file.catalog, pageNumbers: try PageTree(file, maximumPages: 10).numbers)
        #expect(destinations.destination(of: pages[0]["Annots"].item(0))?.page == 2)
    }
}

extension Page {
    fileprivate mutating func addPart(_ id: Int) {
        struct Never: Error {}
        parts.append(Page(id: id, name: "part") { throw Never() })
    }
}

/// The codes of invisible text's characters.
@Suite struct TextFontTests {
    /// Codes have two bytes; characters beyond are unknown ones.
    @Test func moreCharactersThanCodes() {
        var font = TextFont()
        let scalars = (0x10000..<0x10000 + 70_000).compactMap { Unicode.Scalar(UInt32($0)) }
        let codes = scalars.map { font.code(of: $0) }
        #expect(codes.max() == 0xFFFF && codes.suffix(100).allSatisfy { $0 == font.code(of: "\u{FFFD}") })
    }
}
