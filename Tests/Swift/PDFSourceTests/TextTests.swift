import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// The text and links that are read from a PDF.
@Suite(.endsWhenItHangs) struct TextTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// The objects 3 to 7: Helvetica, a font for lines and one for vertical lines whose codes are UTF-16, their common
    /// part, and the table of meanings.
    private static let fonts = [
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>",
        "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-V/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>",
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/DW 1000/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
            + "/Supplement 0>>/FontDescriptor<</Type/FontDescriptor/FontName/Any/Flags 4/FontBBox[0 -200 1000 800]"
            + "/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>>>",
        SyntheticPDF.stream(
            "",
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Any def 1 begincodespacerange "
                + "<0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end"),
    ]

    private static func hex(_ text: String) -> String {
        "<" + text.utf16.map { String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined() + ">"
    }

    /// Pages of 400 by 300 points with these contents, each with more entries; the fonts are called F, H and V.
    private func open(
        _ contents: [String], _ entries: String = "", box: PageBox = .crop, _ more: [String] = []
    ) async throws -> [Page] {
        let others = Self.fonts + contents.map { SyntheticPDF.stream("", $0) } + more
        let pages = contents.indices.map {
            "/MediaBox[0 0 400 300]/Contents \(8 + $0) 0 R/Resources<</Font<</F 3 0 R/H 4 0 R/V 5 0 R>>>>\(entries)"
        }
        let path = try scratch.write("book.pdf", SyntheticPDF.bytes(pages: pages, others))
        return try await PDFBook(
            Input(path: path), box: box, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
            .sequence.pages
    }

    /// The words' places in points, on a page of that size.
    private func expect(
        _ area: PageArea?, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double,
        of size: (Double, Double) = (400, 300), within tolerance: Double = 0.1
    ) {
        guard let area else {
            Issue.record("no word")
            return
        }
        let found = [area.left * size.0, area.top * size.1, area.right * size.0, area.bottom * size.1]
        #expect(zip(found, [left, top, right, bottom]).allSatisfy { abs($0 - $1) <= tolerance }, "\(found)")
    }

    @Test func linesOfWords() async throws {
        let pages = try await open([
            "BT /F 20 Tf 50 240 Td (Hello big) Tj 0 -60 Td (world) Tj ET", "0 0 10 10 re f",
        ])
        let lines = try await pages[0].text()
        #expect(lines.map(\.text) == ["Hello big", "world"])
        #expect(lines.allSatisfy { $0.direction == .leftToRight && $0.turns == 0 })
        // As wide as Helvetica's letters are, and as high as they rise above the line and fall below it.
        expect(lines.first?.words.first?.area, 50, 45.64, 95.56, 64.14)
        expect(lines.first?.words.last?.area, 101.12, 45.64, 127.8, 64.14)
        expect(lines.last?.words.first?.area, 50, 105.64, 97.8, 124.14)
        #expect(try await pages[1].text().isEmpty)
    }

    /// A stamp over the recognized text of a scan is the only text that the page shows.
    @Test func visibleTextIsKnown() async throws {
        let hidden = "BT 3 Tr /F 12 Tf 50 250 Td (found twice) Tj ET"
        let stamp = "BT 0 Tr /F 12 Tf 50 20 Td (Source) Tj 0 100 Td (twice) Tj ET"
        let pages = try await open([hidden, stamp, "\(hidden) q \(stamp) Q"])
        func visible(_ page: Int) async throws -> [String] { try await pages[page].visibleText().map(\.text) }
        #expect(try await visible(0).isEmpty)
        #expect(try await Set(visible(1)) == ["Source", "twice"])
        #expect(try await pages[2].text().count == 3)
        #expect(try await Set(visible(2)) == ["Source", "twice"])
    }

    /// The invisible text of a scan is text; a page that only sets a font has none.
    @Test func invisibleTextIsText() async throws {
        let pages = try await open(["BT 3 Tr /F 12 Tf 50 250 Td (found) Tj ET", "BT /F 12 Tf ET"])
        #expect(try await pages[0].text().map(\.text) == ["found"])
        #expect(try await pages[1].text().isEmpty)
    }

    /// Vertical lines come from right to left, and where the characters are painted: poppler's own places are not there.
    @Test func verticalLines() async throws {
        let columns = ["吾輩は猫である", "名前はまだ無い", "どこで生れたか"]
        let content = columns.enumerated().map { index, text in
            "BT /V 20 Tf \(300 - 40 * index) 280 Td \(Self.hex(text)) Tj ET"
        }
        let lines = try await open([content.joined(separator: " ")])[0].text()
        #expect(lines.map(\.text) == columns)
        #expect(lines.allSatisfy { $0.direction == .vertical && $0.turns == 0 })
        // The middle of the first character's upper edge is at 300, 20.
        expect(lines.first?.words.first?.area, 290, 20, 310, 160)
        expect(lines.last?.words.first?.area, 210, 20, 230, 160)
    }

    @Test func aPageOfBothKindsOfLines() async throws {
        let lines = try await open([
            "BT /H 16 Tf 50 200 Td \(Self.hex("横書きの行")) Tj ET BT /V 20 Tf 300 280 Td \(Self.hex("縦書き")) Tj ET"
        ])[0].text()
        #expect(Set(lines.map { "\($0.text) \($0.direction.rawValue)" }) == ["横書きの行 ltr", "縦書き vertical"])
    }

    /// Words that are read from right to left stand in a PDF as they are seen.
    @Test func linesFromRightToLeft() async throws {
        let content =
            "BT /H 20 Tf 200 200 Td \(Self.hex("םולש")) Tj ET BT /H 20 Tf 108 200 Td \(Self.hex("םלוע")) Tj ET"
        let lines = try await open([content])[0].text()
        #expect(lines.map(\.text).joined(separator: " ") == "שלום עולם")
        #expect(lines.allSatisfy { $0.direction == .rightToLeft })
        expect(lines.first?.words.first?.area, 200, 84, 280, 104)
    }

    @Test func linesThatAreTurned() async throws {
        let lines = try await open([
            "BT /H 10 Tf 0 1 -1 0 200 50 Tm \(Self.hex("up")) Tj ET "
                + "BT /H 10 Tf 0 -1 1 0 300 250 Tm \(Self.hex("down")) Tj ET"
        ])[0].text()
        let turns = Dictionary(uniqueKeysWithValues: lines.map { ($0.text, $0.turns) })
        #expect(turns == ["up": 3, "down": 1])
        let up = lines.first { $0.turns == 3 }
        expect(up?.words.first?.area, 192, 230, 202, 250)
    }

    /// Places are those of the page as it is drawn: cropped and rotated.
    @Test(arguments: [0, 90, 180, 270]) func placesFollowTheCropBoxAndTheRotation(_ degrees: Int) async throws {
        let content = "BT /H 20 Tf 100 200 Td \(Self.hex("word")) Tj ET"
        let lines = try await open([content], "/CropBox[40 30 380 280]/Rotate \(degrees)")[0].text()
        #expect(lines.map(\.text) == ["word"])
        let area = lines.first?.words.first?.area
        // 100 to 180 across and 196 to 216 up, in a box of 340 by 250 from 40, 30.
        switch degrees {
        case 0: expect(area, 60, 64, 140, 84, of: (340, 250))
        case 90: expect(area, 166, 60, 186, 140, of: (250, 340))
        case 180: expect(area, 200, 166, 280, 186, of: (340, 250))
        default: expect(area, 64, 200, 84, 280, of: (250, 340))
        }
        #expect(lines.first?.turns == degrees / 90)
    }

    @Test func placesFollowTheBoxThatIsShown() async throws {
        let content = "BT /H 20 Tf 100 200 Td \(Self.hex("word")) Tj ET"
        let lines = try await open([content], "/CropBox[40 30 380 280]", box: .media)[0].text()
        expect(lines.first?.words.first?.area, 100, 84, 180, 104)
    }

    /// Larger units make a larger page, and its content stays at the same place of it.
    @Test func placesDoNotDependOnTheUnits() async throws {
        let content = "BT /H 20 Tf 100 200 Td \(Self.hex("word")) Tj ET"
        let link = "/Annots[<</Type/Annot/Subtype/Link/Rect[100 200 180 220]/A<</S/URI/URI(https://example.org/)>>>>]"
        for unit in ["0.5", "1", "3"] {
            let page = try await open([content], "/CropBox[40 30 380 280]/UserUnit \(unit)\(link)")[0]
            expect(try await page.text().first?.words.first?.area, 60, 64, 140, 84, of: (340, 250))
            expect(try await page.links().first?.area, 60, 60, 140, 80, of: (340, 250))
        }
    }

    /// The cells of a table poppler puts in one line without a space.
    @Test func wordsThatStandApartAreWords() async throws {
        let rows = (0..<4).map { row in
            (0..<3).map { "BT /H 10 Tf \(40 + 110 * $0) \(250 - 20 * row) Td \(Self.hex("a\(row)\($0)")) Tj ET" }
                .joined(separator: " ")
        }
        let words = try await open([rows.joined(separator: " ")])[0].text().flatMap(\.words).map(\.text)
        #expect(words.count == 12 && Set(words).count == 12 && words.allSatisfy { $0.count == 3 }, "\(words)")
    }

    // MARK: Links

    @Test func linkTargetsAreRead() async throws {
        let annotations = [
            "<</Type/Annot/Subtype/Link/Rect[100 200 180 220]/Dest[%2 0 R/XYZ 200 150 null]>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/GoTo/D(named)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/URI/URI(https://example.org/a b)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/URI/URI(javascript:alert)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/JavaScript/JS(x)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/Launch/F(x)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/Named/N/NextPage>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/A<</S/GoTo/D(unknown)>>>>",
            "<</Type/Annot/Subtype/Link/Rect[0 0 40 30]/F 2/Dest[%2 0 R/Fit]>>",
            "<</Type/Annot/Subtype/Link/Rect[500 500 600 600]/Dest[%2 0 R/Fit]>>",
            "<</Type/Annot/Subtype/Text/Rect[0 0 40 30]>>",
        ]
        let pages = ["/Annots[\(annotations.joined())]", "/Rotate 90"].map {
            "/MediaBox[0 0 400 300]\($0)".replacing("%2", with: "4")
        }
        let catalog = "<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(named)[3 0 R/Fit]]>>>>>>"
        let objects =
            [catalog, "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>"] + pages.map { "<</Type/Page/Parent 2 0 R\($0)>>" }
        let path = try scratch.write("book.pdf", SyntheticPDF.bytes(objects))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened().sequence
        let links = try await book.pages[0].links()
        let address = try #require(WebAddress("https://example.org/a%20b"))
        #expect(
            links.map(\.target) == [
                // The second page is turned: a place in the middle across and half up is in the middle, and to the
                // right.
                .page(2, at: PagePoint(across: 0.5, down: 0.5)), .page(1, at: nil), .address(address),
                .other("an address that is not of the web"), .other("a script"), .other("a program or a file"),
                .page(2, at: nil),
            ])
        expect(links[0].area, 100, 80, 180, 100)
        #expect(try await book.pages[1].links().isEmpty)
    }

    @Test func tooManyLinksAreRejected() async throws {
        let annotations = String(repeating: "<</Subtype/Link>>", count: 10_001)
        let path = try scratch.write(
            "book.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 400 300]/Annots[\(annotations)]"]))
        let page = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened().sequence.pages[0]
        let error = await #expect(throws: AdapterError.self) { try await page.links() }
        #expect(error?.code == .tooLarge)
    }

    // MARK: Faults

    /// A read error of the disk is an error, not an empty page.
    @Test func textThatCannotBeReadIsAnError() async throws {
        let content = "BT /F 12 Tf 50 250 Td (found) Tj ET % \(String(repeating: " ", count: 9000))"
        let written = SyntheticPDF.bytes(
            pages: ["/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>"],
            [Self.fonts[0], SyntheticPDF.stream("", content)])
        let path = try scratch.write("book.pdf", written)
        let bytes = SyntheticBytes(written)
        let page = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits(),
            source: bytes
        ).opened().sequence.pages[0]
        let start = try bytes.range(of: "(found)").lowerBound
        bytes.fail(.always(start + 4200..<start + 4300, SyntheticBytes.diskError))
        await #expect(throws: SyntheticBytes.diskError) { try await page.text() }
        bytes.fail(.none)
        #expect(try await page.text().map(\.text) == ["found"])
    }
}
