import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// A page of a PDF can be copied whole, for sinks that write PDFs.
@Suite struct DocumentPageTests {
    private static let path = "\(BuiltJisui.fixtures)/good/PDFSource/real-leviathan.pdf"

    private func documents(_ given: [String: String] = [:]) async throws -> [DocumentPage?] {
        let source = PDFSource()
        let settings = try Settings(source.descriptor.settings, given: given)
        let book = try await source.open(Input(path: Self.path), settings: settings, limits: Limits())
        var documents: [DocumentPage?] = []
        for page in book.sequence.pages { documents.append(try await page.examine().document) }
        return documents
    }

    @Test func everyPageNamesItsPlace() async throws {
        let documents = try await documents()
        #expect(documents.map { $0?.index } == Array(0..<documents.count))
        #expect(documents.allSatisfy { $0?.format == "pdf" && $0?.path == Self.path })
        #expect(documents.allSatisfy { ($0?.width ?? 0) > 100 && ($0?.height ?? 0) > 100 })
    }

    /// A sink has to know which box to show, if it is not the one that viewers show.
    @Test func anotherBoxIsNamed() async throws {
        #expect(try await documents().allSatisfy { $0?.box == nil })
        #expect(try await documents(["page-box": "media"]).allSatisfy { $0?.box == "media" })
    }

    /// Returns the parts of a page with these annotations that only a copy keeps, and whether it has links.
    private func contents(
        _ annotations: String..., others: [String] = []
    ) async throws -> (parts: Set<DocumentPart>, hasLinks: Bool) {
        let scratch = try ScratchFolder()
        let pages = [
            "/MediaBox[0 0 400 300]/Annots[\(annotations.map { "<</Type/Annot/Rect[0 0 9 9]\($0)>>" }.joined())]"
        ]
        let path = try scratch.write("book.pdf", SyntheticPDF.bytes(pages: pages, others))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
        let picture = try await book.sequence.pages[0].examine()
        return (picture.documentParts, picture.hasLinks)
    }

    @Test func notesAreTextsThatThePageDoesNotShow() async throws {
        for kind in ["Text", "Highlight", "Ink", "Stamp", "FileAttachment"] {
            #expect(try await contents("/Subtype/\(kind)/Contents(words)").parts == [.notes], "\(kind)")
        }
        #expect(try await contents("/Subtype/Text", "/Subtype/Text/Contents<FEFF5B57>").parts == [.notes])
        let others = ["Link", "FreeText", "Popup", "Screen", "Watermark"]
        for kind in others { #expect(try await contents("/Subtype/\(kind)/Contents(words)").parts == [], "\(kind)") }
        // Empty, blank, without a text, and hidden.
        for more in ["/Contents()", "/Contents(  \\n)", "", "/Contents 7", "/F 2/Contents(words)"] {
            #expect(try await contents("/Subtype/Highlight\(more)").parts == [], "\(more)")
        }
    }

    @Test func fieldsAreFoundUnlessTheyAreHidden() async throws {
        let note = "/Subtype/Text/Contents(words)"
        #expect(try await contents("/Subtype/Widget/FT/Tx/T(name)").parts == [.fields])
        #expect(try await contents("/Subtype/Widget/FT/Tx/T(name)/Contents(words)", note).parts == [.fields, .notes])
        #expect(try await contents("/Subtype/Widget/FT/Tx/T(name)/F 2").parts == [])
    }

    @Test func filesOfPagesCountUnlessTheDocumentListsThem() async throws {
        let file = "<</Type/Filespec/F(a.txt)/EF<</F 9 0 R>>>>"
        let annotation = "/Subtype/FileAttachment/FS 3 0 R"
        #expect(try await contents(annotation, others: [file]).parts == [.files])
        #expect(try await contents("\(annotation)/Contents(words)", others: [file]).parts == [.files, .notes])
        // A name of a file that is elsewhere.
        #expect(try await contents(annotation, others: ["<</Type/Filespec/F(a.txt)>>"]).parts == [])
        #expect(try await contents("/Subtype/FileAttachment/FS(a.txt)").parts == [])
    }

    @Test func filesOfTheDocumentAreNamedOnce() async throws {
        let scratch = try ScratchFolder()
        func file(_ name: String) -> String { "<</Type/Filespec/F(\(name))/EF<</F 9 0 R>>>>" }
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/AF[4 0 R 5 0 R 5 0 R 6 0 R]/Names<</EmbeddedFiles<</Names[(x) 4 0 R]>>>>>>",
            "<</Type/Pages/Count 2/Kids[3 0 R 7 0 R]/MediaBox[0 0 100 200]>>",
            "<</Type/Page/Parent 2 0 R/Annots[8 0 R]/AF[5 0 R]>>",
            file("a.txt"), file("b.txt"), "<</Type/Filespec/F(elsewhere.txt)>>",
            "<</Type/Page/Parent 2 0 R/AF[\(file("c.txt"))]>>",
            "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 5 0 R>>",
            SyntheticPDF.stream("/Type/EmbeddedFile", "text"),
        ]
        let path = try scratch.write("book.pdf", SyntheticPDF.bytes(objects))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened().sequence
        #expect(book.book.attachments == ["a.txt", "b.txt"])
        var parts: [Set<DocumentPart>] = []
        for page in book.pages { parts.append(try await page.examine().documentParts) }
        #expect(parts == [[], [.files]])
    }

    @Test func notesAndLinksAreFoundTogether() async throws {
        let link = "/Subtype/Link/A<</S/URI/URI(https://example.org/)>>"
        for annotations in [[link, "/Subtype/Text/Contents(words)"], ["/Subtype/Text/Contents(words)", link]] {
            let found = try await contents(annotations[0], annotations[1])
            #expect(found.parts == [.notes] && found.hasLinks)
        }
        #expect(try await contents(link, "/Subtype/Text") == ([], true))
    }
}
