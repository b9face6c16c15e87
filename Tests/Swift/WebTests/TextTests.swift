import AdapterKit
import Files
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import WebSink
@testable import WebSource

/// Words and links in a book's folder, and read from it again; where they lie on the screen, the tests in the browser show.
@Suite struct TextTests {
    private let scratch: ScratchFolder
    private let fixtures = "\(BuiltJisui.fixtures)/good/PDFSource"

    init() throws { scratch = try ScratchFolder() }

    private func jisui(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments, in: scratch.path)
    }

    /// The lines of `info` about the pages' text and links.
    private func infoLines(_ path: String) throws -> [String] {
        let outcome = try jisui("info", "--text", path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return outcome.outputText.split(separator: "\n").filter { $0.hasPrefix("  ") }.map(String.init)
    }

    /// A book of three pages, the second with a link out and the third with one to the first.
    private func makePDF() throws -> String {
        let outcome = try jisui(
            "\(fixtures)/text-invisible.pdf", "\(fixtures)/annotation-link.pdf", "\(fixtures)/text.pdf", "--combine",
            "-o", "book.pdf", "--rebuild", "-q")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return "book.pdf"
    }

    /// Through the folder and back into a PDF nothing of it is lost, and no warning says that it is.
    @Test func textAndLinksRoundTrip() throws {
        let source = try makePDF()
        let wanted = try infoLines(source)
        #expect(wanted == ["  jisui", "  -> https://example.org/", "  jisui"])
        let outcome = try jisui(source, "-o", "web", "--to", "web", "-q")
        #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome.errorText)")
        #expect(scratch.names(in: "web/text") == ["000.js"])
        #expect(scratch.names(in: "web").contains("text.js"))
        #expect(try infoLines("web") == wanted)
        for (input, output) in [("web", "again"), ("web", "again.pdf")] {
            let form = output.hasSuffix(".pdf") ? "pdf" : "web"
            #expect(try jisui(input, "-o", output, "--to", form, "-q").status == 0)
        }
        #expect(try infoLines("again.pdf") == wanted)
        // The same places to the last digit.
        #expect(try scratch.read("again/text/000.js") == scratch.read("web/text/000.js"))
        #expect(try scratch.read("again/book.json") == scratch.read("web/book.json"))
    }

    /// A book that has none is written as before.
    @Test func booksWithoutTextHaveNoFilesOfIt() throws {
        #expect(try jisui("\(fixtures)/gray1.pdf", "-o", "web", "--to", "web", "-q").status == 0)
        #expect(scratch.names(in: "web").allSatisfy { !["text", "text.js"].contains($0) })
        // On a shelf the next book may have some.
        #expect(try jisui("\(fixtures)/gray1.pdf", "-o", "shelf", "--to", "web", "--add", "-q").status == 0)
        #expect(scratch.names(in: "shelf").contains("text.js"))
    }

    /// Links to pages by any number that refers to them; those to missing pages are omitted.
    @Test func linksLeadToPlaces() {
        func page(_ id: Int, _ links: [PageLink], parts: [Int] = []) -> WebPage {
            var page = Page(id: id, name: "page") { throw AdapterError(.damaged, "is no page") }
            page.parts = parts.map { id in Page(id: id, name: "part") { throw AdapterError(.damaged, "is no page") } }
            let size = PixelSize(width: 10, height: 15)
            var finished = FinishedPage(number: 1, page: page, encoding: .png, size: size, bytes: [])
            finished.links = links
            return WebPage(finished, Framing(size), file: "")
        }
        let area = PageArea(left: 0.25, top: 0, right: 0.5, bottom: 1)
        let links = [7, 9, 12].map { PageLink(area, to: .page($0, at: nil)) }
        let json = TextFiles.links(of: [page(7, links), page(8, [], parts: [12, 13])])
        #expect(json.text == "[[0, 0, 25000, 0, 50000, 100000], [0, 1, 25000, 0, 50000, 100000]]")
    }

    /// A word of any width is still one word when it is read again.
    @Test func thinWordsStay() {
        let places = TextFiles.places(PageArea(left: 1, top: 0.5, right: 1, bottom: 0.500001))
        #expect(JSON(places).text == "[99999, 50000, 100000, 50001]")
    }

    @Test func filesHoldAHundredPages() throws {
        let output = try OutputFolder(at: Destination(path: scratch("out"))) { _ in true }
        var files = TextFiles()
        let line = TextLine([TextWord("word", .page)])
        for page in 0..<301 { try files.add(page < 100 || page == 300 ? [line] : [], to: output) }
        try files.finish(output)
        try output.publish()
        #expect(files.numbers == [0, 3])
        #expect(scratch.names(in: "out/text") == ["000.js", "003.js"])
        #expect(["000.js", "003.js", "1000.js"].allSatisfy { WebLayout.isOurs("text/\($0)") })
        #expect(["00.js", "0001.js", "-01.js", "000.txt", "x.js"].allSatisfy { !WebLayout.isOurs("text/\($0)") })
    }

    /// Foreign content in the files costs pages their text at most, with a line that names the file.
    @Test(arguments: [
        "jisui.text({);\n", "", "jisui.text([[[\"up\", 0, [[\"a\", 0, 0, 1, 1]]]]]);\n",
        "jisui.text([[[\"ltr\", 4, [[\"a\", 0, 0, 1, 1]]]]]);\n",
        "jisui.text([[[\"ltr\", 0, [[\"a\", 0, 0, 1e300, 1]]]]]);\n",
        "jisui.text([[[\"ltr\", 0, [[\"a\", 5, 5, 5, 5]]]]]);\n",
    ])
    func damagedTextCostsTheTextAlone(_ text: String) throws {
        #expect(try jisui("\(fixtures)/text-invisible.pdf", "-o", "web", "--to", "web", "-q").status == 0)
        try scratch.write("web/text/000.js", Array(text.utf8))
        let outcome = try jisui("web", "-o", "book.pdf")
        #expect(outcome.status == 3)
        #expect(outcome.errorText.contains("text/000.js was not written by jisui"), "\(outcome.errorText)")
        #expect(scratch.names().contains("book.pdf"))
    }

    /// Links with an invalid page or place are ignored.
    @Test func linksOfOthersAreChecked() throws {
        let json = try #require(
            JSON(
                parsing: Array(
                    #"""
                    {"links": [[0, 1, 0, 0, 50000, 50000], [0, 2, 0, 0, 1, 1], [5, 0, 0, 0, 1, 1], [0, "javascript:x", 0, 0, 1, 1],
                    [0, 0, 9, 9, 9, 9], [0, 0, 0, 0], 7, [1, "https://example.org/ä", 0, 0, 1, 1], [-1, 0, 0, 0, 1, 1]]}
                    """#.utf8)))
        let links = BookTexts.links(json, pageCount: 2)
        let area = PageArea(left: 0, top: 0, right: 0.5, bottom: 0.5)
        #expect(links[0]?.first == PageLink(area, to: .page(2, at: nil)))
        #expect(links[0]?.last?.target == .other("an address that is not of the web"))
        #expect(links[0]?.count == 2 && links.count == 2)
        #expect(links[1]?.first?.target == WebAddress("https://example.org/ä").map(LinkTarget.address))
    }
}
