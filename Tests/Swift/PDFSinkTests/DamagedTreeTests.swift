import AdapterKit
import PDFSink
import PDFSource
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Copies of PDFs whose list of pages is damaged: other programs have to find all pages in them.
@Suite struct DamagedTreeTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    private static let page = "/MediaBox[0 0 100 200]/Contents 5 0 R/Resources<<>>"

    /// The objects 2 to 5: a list of pages, two pages and their content; and the object that the catalog names.
    @Test(
        .needs("pdfinfo", "mutool"),
        arguments: [
            ("a page", "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>", "3 0 R", 1),
            ("a page with kids", "<</Type/Page/Count 2/Kids[3 0 R 4 0 R]\(page)>>", "2 0 R", 1),
            ("a direct page", "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>", "<</Type/Page\(page)>>", 1),
            ("a low count", "<</Type/Pages/Count 1/Kids[3 0 R 4 0 R]>>", "2 0 R", 2),
            ("a high count", "<</Type/Pages/Count 9/Kids[3 0 R 4 0 R]>>", "2 0 R", 2),
            ("no count", "<</Type/Pages/Kids[3 0 R 4 0 R]>>", "2 0 R", 2),
            ("a kid with another type", "<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 6 0 R]>>", "2 0 R", 3),
        ])
    func copiesHaveAllPages(_ name: String, _ list: String, _ root: String, _ count: Int) async throws {
        let page = "<</Type/Page/Parent 2 0 R\(DamagedTreeTests.page)>>"
        let path = try made.scratch.write(
            "damaged.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages \(root)>>", list, page, page, SyntheticPDF.stream("", "0 0 9 9 re f"),
                "<</Type/Template\(DamagedTreeTests.page)>>",
            ]))
        let pages = try await made.pages(path).pages
        #expect(pages.count == count)
        let copy = try await made.write(try pages.enumerated().map { try made.copied($0 + 1, $1) })
        for command in ["pdfinfo", "mutool info"] {
            let text = try Program.outcome("\(command) '\(copy)'").outputText
            let line = text.split(separator: "\n").first { $0.hasPrefix("Pages:") }
            #expect(line?.split(separator: " ").last.flatMap { Int($0) } == count, "\(command), \(name)")
        }
    }

    @Test(arguments: ["1 0 R", "5 0 R", "9 0 R", "[3 0 R]", "<</Type/Outlines/MediaBox[0 0 9 9]>>", "<<>>"])
    func aRootWithoutPagesIsRefused(_ root: String) async throws {
        let path = try made.scratch.write(
            "damaged.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages \(root)>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
                "<</Type/Page/Parent 2 0 R\(DamagedTreeTests.page)>>", "<<>>", SyntheticPDF.stream("", ""),
            ]))
        await #expect(throws: AdapterError.self) { _ = try await made.pages(path) }
    }
}
