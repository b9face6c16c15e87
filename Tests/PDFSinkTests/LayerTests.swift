import AdapterKit
import MadePDF
import PDFSink
import PDFStructure
import PageModel
import Scratch
import Testing

/// Layers of books that are combined: what one of them hides stays hidden.
@Suite struct LayerTests {
    private let made: MadeBook

    init() throws {
        made = try MadeBook()
    }

    /// A page with two layers, objects 4 and 5.
    private func source(_ name: String, _ configuration: String) throws -> String {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[4 0 R 5 0 R]/D<<\(configuration)>>>>>>",
            "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Resources<</Properties<</A 4 0 R/B 5 0 R>>>>>>",
            "<</Type/OCG/Name(\(name) A)>>", "<</Type/OCG/Name(\(name) B)>>",
        ]
        return try made.scratch.write(name, MadePDF.bytes(objects))
    }

    /// The default configuration of the layers of two books, combined.
    private func combined(_ first: String, _ second: String) async throws -> PDFObject {
        let one = try await made.pages(try source("a.pdf", first)).pages
        let two = try await made.pages(try source("b.pdf", second)).pages
        var last = try made.copied(2, two[0])
        last.page = last.page.renamed("b", id: 9)
        let path = try await made.write([try made.copied(1, one[0]), last])
        return try made.open(path).catalog["OCProperties"]
    }

    private func names(_ list: PDFObject) -> [String?] { list.items.map { $0["Name"].text } }

    @Test func hiddenLayersOfAllBooksStayHidden() async throws {
        let layers = try await combined("/OFF[4 0 R]/Order[4 0 R]", "/OFF[5 0 R]/Order[5 0 R 4 0 R]/Locked[4 0 R]")
        #expect(names(layers["OCGs"]) == ["a.pdf A", "a.pdf B", "b.pdf A", "b.pdf B"])
        #expect(names(layers["D"]["OFF"]) == ["a.pdf A", "b.pdf B"])
        #expect(names(layers["D"]["ON"]) == ["b.pdf A"])
        #expect(names(layers["D"]["Order"]) == ["a.pdf A", "b.pdf B", "b.pdf A"])
        #expect(names(layers["D"]["Locked"]) == ["b.pdf A"])
    }

    @Test func baseStateOfLaterBookBecomesLists() async throws {
        let layers = try await combined("", "/BaseState/OFF/ON[4 0 R]")
        #expect(layers["D"]["BaseState"].isNull)
        #expect(names(layers["D"]["ON"]) == ["b.pdf A"])
        #expect(names(layers["D"]["OFF"]) == ["b.pdf B"])
    }

    @Test func baseStateOfFirstBookDoesNotHideLayersOfLater() async throws {
        let layers = try await combined("/BaseState/OFF", "")
        #expect(names(layers["D"]["ON"]) == ["b.pdf A", "b.pdf B"])
    }
}
