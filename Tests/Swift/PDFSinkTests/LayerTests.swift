import AdapterKit
import PDFSink
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Layers of books that are combined: what one of them hides stays hidden.
@Suite struct LayerTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// A page with two layers, objects 4 and 5.
    private func source(_ name: String, _ configuration: String) throws -> String {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[4 0 R 5 0 R]/D<<\(configuration)>>>>>>",
            "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Resources<</Properties<</A 4 0 R/B 5 0 R>>>>>>",
            "<</Type/OCG/Name(\(name) A)>>", "<</Type/OCG/Name(\(name) B)>>",
        ]
        return try made.scratch.write(name, SyntheticPDF.bytes(objects))
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

    @Test func configurationsOfLaterBooksLeaveOtherLayersAlone() async throws {
        let layers = try await combined("", "/Order[4 0 R]>>/Configs[<</Name(print)/OFF[5 0 R]/BaseState/ON>>]/X<<")
        let other = layers["Configs"].item(0)
        #expect(layers["Configs"].count == 1 && other["Name"].text == "print" && other["BaseState"].name == "Unchanged")
        #expect(names(other["ON"]) == ["b.pdf A"] && names(other["OFF"]) == ["b.pdf B"])
    }

    /// A page with a layer that its book does not list, object 4, and one that it does.
    @Test func layersThatAreNotListedStayShown() async throws {
        let one = try await made.pages(try source("a.pdf", "/BaseState/OFF")).pages
        let path = try made.scratch.write(
            "b.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R]/D<</BaseState/OFF>>>>>>",
                "<</Type/Pages/Count 1/Kids[3 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Resources<</Properties<</A 4 0 R/B 5 0 R>>>>>>",
                "<</Type/OCG/Name(unlisted)>>", "<</Type/OCG/Name(listed)>>",
            ]))
        var last = try made.copied(2, try await made.pages(path).pages[0])
        last.page = last.page.renamed("b", id: 9)
        let layers = try made.open(try await made.write([try made.copied(1, one[0]), last])).catalog["OCProperties"]
        #expect(names(layers["OCGs"]) == ["a.pdf A", "a.pdf B", "listed", "unlisted"])
        #expect(names(layers["D"]["ON"]) == ["unlisted"] && names(layers["D"]["OFF"]) == ["listed"])
    }

    /// Of two pages with a layer each, one is taken, alone or after another book.
    @Test(arguments: [false, true]) func layersOfPagesThatAreLeftOutAreNotListed(_ isLater: Bool) async throws {
        let path = try made.scratch.write(
            "two.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[5 0 R 6 0 R]"
                    + "/Order[5 0 R[6 0 R](label)[(other)5 0 R]]/RBGroups[[5 0 R]]/AS[<</Event/View/OCGs[5 0 R 6 0 R]>>]>>>>>>",
                "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Resources<</Properties<</A 5 0 R>>>>>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Resources<</Properties<</A<</Type/OCMD/OCGs 6 0 R>>>>>>>>",
                "<</Type/OCG/Name(first)>>", "<</Type/OCG/Name(second)>>",
            ]))
        var page = try made.copied(2, try await made.pages(path).pages[1])
        page.page = page.page.renamed("b", id: 9)
        let plain = try made.scratch.write("plain.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]"]))
        let before = isLater ? [try made.copied(1, try await made.pages(plain).pages[0])] : []
        let layers = try made.open(try await made.write(before + [page])).catalog["OCProperties"]
        #expect(names(layers["OCGs"]) == ["second"])
        #expect(names(layers["D"]["OFF"]) == ["second"])
        #expect(layers["D"]["Order"].items.map { $0["Name"].text ?? $0.text } == ["second", "label"])
        #expect(layers["D"]["RBGroups"].isNull)
        #expect(names(layers["D"]["AS"].item(0)["OCGs"]) == ["second"])
    }
}
