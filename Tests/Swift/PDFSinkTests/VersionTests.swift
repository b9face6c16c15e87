import PDFStructure
import Scratch
import SyntheticPDF
import Testing

/// The version of PDF that outputs state.
@Suite struct VersionTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    private func write(_ name: String, _ version: String, catalog: String = "") throws {
        let text = String(
            decoding: SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R\(catalog)>>", "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
            ]), as: UTF8.self)
        try made.scratch.write(name, Array("%PDF-\(version)\(text.dropFirst(8))".utf8))
    }

    private func header(_ arguments: String...) throws -> String {
        let outcome = try BuiltJisui.run(arguments + ["-o", "out.pdf", "-q", "--force"], in: made.scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return String(decoding: try Files.read(made.scratch("out.pdf")).prefix(8), as: UTF8.self)
    }

    /// A copy states the version of its source, unless it has what came later.
    @Test func copiesKeepTheirVersion() throws {
        try write("old.pdf", "1.3")
        #expect(try header("old.pdf") == "%PDF-1.3")
        #expect(try header("old.pdf", "--pages", "2", "--rotate", "90") == "%PDF-1.3")
        #expect(try header("old.pdf", "--title", "New") == "%PDF-1.4")
        #expect(try header("old.pdf", "--spreads", "pair", "--cover", "paired") == "%PDF-1.5")
        try write("later.pdf", "1.3", catalog: "/Version/1.7")
        try write("new.pdf", "2.0")
        #expect(try header("later.pdf") == "%PDF-1.3")
        #expect(try header("old.pdf", "later.pdf", "--combine") == "%PDF-1.7")
        #expect(try header("old.pdf", "new.pdf", "--combine") == "%PDF-2.0")
        #expect(try header("old.pdf", "--rebuild") == "%PDF-1.5")
    }
}
