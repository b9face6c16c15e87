import AdapterKit
import PDFSource
import PageModel
import Scratch
import Testing

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
}
