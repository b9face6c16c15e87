import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// What a PDF says of its book where it has no XMP.
@Suite struct DocumentFactsTests {
    @Test(arguments: [
        ("/Subject(Two\\nlines)/Keywords(A, b c;A;;d)", "Two lines", ["A", "b c", "d"]),
        ("/Subject( )/Keywords(one)", nil, ["one"]), ("", nil, []),
    ])
    func subjectAndKeywordsAreRead(_ entries: String, _ summary: String?, _ subjects: [String]) async throws {
        let text = String(
            decoding: SyntheticPDF.bytes(pages: ["/MediaBox[0 0 72 90]"], ["<</Title(T)\(entries)>>"]), as: UTF8.self)
        let scratch = try ScratchFolder()
        let path = try scratch.write(
            "book.pdf", Array(text.replacing("trailer\n<<", with: "trailer\n<</Info 3 0 R").utf8))
        let opened = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
        let book = opened.sequence.book
        #expect(book.summary == summary)
        #expect(book.title == "T" && book.subjects == subjects)
    }
}
