import AdapterKit
import FoundationEssentials
import Imaging
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Trim

@Suite struct SheetTests {
    private func html(_ pages: [SyntheticPage], _ given: [String: String] = [:]) async throws -> String {
        let scratch = try ScratchFolder()
        let given = ["trim": "book", "trim-sheet": scratch("sheet.html")].merging(given) { $1 }
        _ = try await SyntheticBook(pages).trimmed(given)
        return String(decoding: try Files.read(scratch("sheet.html")), as: UTF8.self)
    }

    private var book: [SyntheticPage] {
        (0..<8).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text()
            if index == 5 { page.fill(PixelRect(x: 20, y: 20, width: 60, height: 60), 20) }
            return page
        }
    }

    @Test func doubtfulPagesComeFirst() async throws {
        let html = try await html(book)
        let places = try ["<h2>May keep too much (1)", "<b>6</b>", "<h2>The others (7)", "<b>1</b>"].map {
            try #require(html.firstRange(of: $0)).lowerBound
        }
        #expect(places == places.sorted())
        #expect(html.contains("because it reaches beyond the book's box"))
        #expect(html.contains("65\u{A0}% sure: print beyond the text"))
    }

    /// First the pages whose box may cut print, the least sure first, then those whose box may be too large, the largest
    /// first.
    @Test func pagesAreOrderedByRiskThenByExcess() throws {
        let page = SyntheticPage.paper()
        let reading = PageReading(
            PagePreview(raster: page.raster, size: page.raster.size), shownAs: nil, .none)
        let settings = try Settings(TrimOptions.settings, given: ["trim": "page"])
        let options = try #require(try TrimOptions(settings))
        let finding = PrintFinding(reading, numbers: [], heads: [], strays: [], options)
        func entry(_ number: Int, _ width: Int?, _ confidence: Double, _ doubt: PageLayout.Doubt?) -> ContactSheet.Entry
        {
            let box = width.map { PixelRect(x: 0, y: 0, width: $0, height: 800) }
            let decision = TrimDecision(box: box, remark: "", confidence: confidence, doubt: doubt)
            return ContactSheet.Entry(
                number: number, id: number, name: "", remark: "", finding: finding, decision: decision)
        }
        let entries = [
            entry(1, 500, 0.95, nil), entry(2, 510, 0.65, .beyondText), entry(3, 600, 0.65, .beyondText),
            entry(4, 500, 0.8, .possiblePrint), entry(5, 500, 0.6, .speckledArt), entry(6, nil, 0.3, .openArt),
            ContactSheet.Entry(number: 7, id: 7, name: "", remark: "", finding: nil, decision: nil),
        ]
        let parts = SheetOrder(entries).parts
        #expect(parts.map(\.title) == ["Not analyzed", "May lose print", "May keep too much", "The others"])
        #expect(parts.map { $0.entries.map(\.number) } == [[7], [5, 4], [6, 3, 2], [1]])
    }

    @Test func everyPageIsShownWithItsBoxes() async throws {
        let html = try await html(book, ["trim-margin": "0px"])
        #expect(html.split(separator: "data:image/jpeg;base64,/9j/").count == 9)
        let box = "x=\"80\" y=\"100\" width=\"460\" height=\"620\"/>"
        #expect(html.split(separator: "<rect class=\"kept\" \(box)").count == 8)
        #expect(html.split(separator: "<rect class=\"content\" \(box)").count == 8)
        #expect(html.split(separator: "<path class=\"cut\" d=\"M0 0H620V880H0ZM80 100h460v620h-460Z\"/>").count == 8)
    }

    /// Dark marks on a page are shown by their classification, with a legend.
    @Test func excludedMarksAreShownWithTheirReason() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 100, y: 100, width: 412, height: 620))
        page.fill(PixelRect(x: 0, y: 200, width: 8, height: 500), 40)
        page.fill(PixelRect(x: 560, y: 300, width: 3, height: 3), 40)
        // A fold at two sides of the sheet: the area that it surrounds stays visible.
        page.fill(PixelRect(x: 0, y: 800, width: 200, height: 3), 40)
        page.fill(PixelRect(x: 197, y: 760, width: 3, height: 43), 40)
        for step in 0..<8 { page.fill(PixelRect(x: 540, y: 100 + step * 60, width: 4, height: 44), 40) }
        let html = try await html([page], ["trim": "page"])
        let boxes = [
            "print\" d=\"M100 100h412v14", "edge\" d=\"M0 200h8v500", "streak\" d=\"M540 100h4v44",
            "speck\" d=\"M560 300h3v3", "edge\" d=\"M0 200h8v500h-8ZM0 760h200v43h-200ZM5 765v33h190v-33Z",
        ]
        for box in boxes {
            #expect(html.contains("class=\"mark \(box)"), "\(box)")
        }
        for kind in Mark.Kind.allCases { #expect(html.contains("</i>\(kind.label)</span>")) }
    }

    /// A page that stays whole is framed, and nothing of it is darkened.
    @Test func wholePagesAreFramed() async throws {
        let html = try await html([.paper()], ["trim": "page"])
        #expect(html.contains("<rect class=\"kept\" x=\"0\" y=\"0\" width=\"620\" height=\"880\"/>"))
        #expect(!html.contains("<path"))
    }

    /// It needs no other file, and loads nothing from anywhere.
    @Test func contactSheetLoadsNoExternalResources() async throws {
        let html = try await html(book)
        // The script names elements of SVG as the standard does.
        let plain = html.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(!plain.contains("http:") && !plain.contains("https:") && !plain.contains("<link"))
        #expect(!plain.contains(" src=") && html.split(separator: "<script").count == 2)
    }

    @Test func namesCannotBreakOut() {
        let entry = ContactSheet.Entry(
            number: 1, id: 1, name: "<b>&\".jpg", remark: "kept whole: its data is <damaged>", finding: nil,
            decision: nil)
        let html = sheet(title: "</title>", [entry])
        #expect(
            html.contains("&lt;b&gt;&amp;&quot;.jpg<br>kept whole: its data is &lt;damaged&gt;")
                && !html.contains("</title></title>"))
    }

    /// Swift combines a symbol and its combining characters into one `Character`; browsers read code point by code
    /// point.
    @Test func combiningCharactersDoNotHideTags() throws {
        let marks = [
            "\u{600}", "\u{6DD}", "\u{8E2}", "\u{110BD}", "\u{D4E}", "\u{300}", "\u{200D}", "\u{FE0F}", "\u{93E}",
        ]
        let text = marks.map { "\($0)<script>alert(1)</script>\($0)" }.joined()
        let entry = ContactSheet.Entry(
            number: 1, id: 1, name: text, remark: Message(verbatim: text), finding: nil, decision: nil)
        let html = sheet(title: text, [entry], file: text)
        let bytes = Array(html.utf8)
        #expect(bytes.split(separator: Array("<script".utf8)).count == 2, "there is only the sheet's own")
        #expect(bytes.firstRange(of: Array("&lt;script&gt;".utf8)) != nil)
    }

    /// The sheet holds the very file that `--trim-file` writes, which its script corrects.
    @Test func theSheetHoldsTheBoxes() async throws {
        let scratch = try ScratchFolder()
        let given = [
            "trim": "book", "trim-sheet": scratch("sheet.html"), "trim-file": scratch("my boxes.json"),
        ]
        _ = try await SyntheticBook(book).trimmed(given, isDryRun: true)
        let html = String(decoding: try Files.read(scratch("sheet.html")), as: UTF8.self)
        let boxes = String(decoding: try Files.read(scratch("my boxes.json")), as: UTF8.self)
        #expect(html.contains(" data-file=\"my boxes.json\""))
        #expect(html.contains(" data-decisions=\"\(boxes.replacing("\"", with: "&quot;"))\""))
        #expect((1...8).allSatisfy { html.contains("<svg data-page=\"\($0)\" ") })
    }

    private func sheet(
        title: String, _ entries: [ContactSheet.Entry], file: String? = nil, in language: MessageLanguage = .english
    ) -> String {
        ContactSheet(title: title, entries, TrimFile(options: [:], [], [:], [:]), file: file, in: language).html
    }

    /// Only the colors of what is kept and cut are explained to everybody.
    @Test func theAnalysisIsBehindASwitch() async throws {
        let html = try await html(book, ["trim-margin": "0px"])
        let key = "<p class=\"key\"><span><i class=\"kept\"></i>kept</span><span><i class=\"cut\"></i>cut off"
        #expect(html.contains(key))
        #expect(html.contains(".analysis{display:none}"))
        let shown = html.replacing(/<g class="analysis">.*?<\/g>/, with: "")
        #expect(html.contains("<rect class=\"content\"") && html.contains("<path class=\"mark"))
        #expect(!shown.contains("<rect class=\"content\"") && !shown.contains("<path class=\"mark"))
        #expect(shown.split(separator: "<rect class=\"kept\"").count == 9)
    }

    /// Pages that a person should check are marked for the script, and show each of their pixels.
    @Test func doubtfulPagesHaveAllPixels() async throws {
        let large = SyntheticPage.paper(size: PixelSize(width: 1300, height: 1800))
        var pages = book
        pages[5] = large
        pages[5].text(PixelRect(x: 200, y: 200, width: 900, height: 1300))
        pages[5].fill(PixelRect(x: 20, y: 20, width: 90, height: 90), 20)
        let html = try await html(pages, ["trim": "page"])
        let figures = html.split(separator: "<figure").dropFirst()
        let doubtful = figures.filter { $0.hasPrefix(" class=\"doubtful\"") }
        #expect(doubtful.count == 1)
        let text = try #require(doubtful.first?.firstMatch(of: /base64,([^"]*)"/)?.1)
        let picture = try #require(Data(base64Encoded: String(text)))
        #expect(try JPEGDecoder.decode(Array(picture), maximumPixels: .max).raster.size == pages[5].raster.size)
    }

    /// Each text comes from the catalog of messages, also those of the script.
    @Test func theSheetIsInTheLanguageOfTheRun() {
        let language = MessageLanguage(tag: "xx") { "«\($0)»" }
        let entry = ContactSheet.Entry(
            number: 1, id: 1, name: "1.jpg", remark: "kept whole: it is blank", finding: nil, decision: nil)
        let html = sheet(title: "Title", [entry], in: language)
        #expect(html.contains("<html lang=\"xx\">") && html.contains("<title>«Title: trimming»</title>"))
        #expect(html.contains("<h2>«Not analyzed» (1)</h2>") && html.contains("<br>«kept whole: it is blank»</figc"))
        #expect(html.contains("&quot;save&quot;:&quot;«Save the boxes»&quot;"))
        // The script takes every text from there.
        let keys = Set(html.matches(of: /\b(?:text|act)\("([a-z]+)"/).map { String($0.1) })
        #expect(keys == Set(SheetTexts.ofScript.map(\.key)))
    }

    /// If a text becomes markup nevertheless, a browser runs nothing of it.
    @Test func contentSecurityPolicyForbidsOtherScripts() throws {
        let html = sheet(title: "", [])
        let head = try #require(html.firstRange(of: "<title>")).lowerBound
        let policy = try #require(
            html.firstRange(of: "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "))
        #expect(policy.lowerBound < head && html.split(separator: "script-src").count == 2)
        #expect(html.contains("; script-src 'sha256-") && !html.contains("script-src 'unsafe"))
    }

    @Test func aSheetThatIsThereStays() async throws {
        let scratch = try ScratchFolder()
        let path = try scratch.write("sheet.html", [1])
        let error = await #expect(throws: AdapterError.self) {
            try await SyntheticBook(book).trimmed(["trim": "page", "trim-sheet": path])
        }
        #expect(error?.code == .exists)
        #expect(try Files.read(path) == [1])
    }
}
