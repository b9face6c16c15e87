import PageModel
import SyntheticPDF
import Testing

@testable import PDFStructure

/// The places of pages, their boxes, labels and the outline.
@Suite struct PageTests {
    private func file(_ objects: [String]) throws -> PDFFile {
        try PDFFile(SyntheticBytes(SyntheticPDF.bytes(objects)), password: nil)
    }

    /// Three pages: two below a node of their own, which gives them its boxes.
    private func tree(_ root: String = "", _ pages: [String] = ["", "", ""]) throws -> PDFFile {
        try file(
            [
                "<</Type/Catalog/Pages 2 0 R\(root)>>", "<</Type/Pages/Count 3/Kids[3 0 R 4 0 R]/MediaBox[0 0 10 20]>>",
                "<</Type/Pages/Count 2/Kids[5 0 R 6 0 R]/Rotate 90>>", "<</Type/Page\(pages[2])>>",
                "<</Type/Page\(pages[0])>>", "<</Type/Page\(pages[1])>>",
            ])
    }

    @Test func pagesAreFoundFromTheRoot() throws {
        let file = try tree()
        let tree = try PageTree(file, maximumPages: 10)
        #expect(tree.paths == [[0, 0], [0, 1], [1]])
        #expect(tree.numbers[PDFReference(number: 6, generation: 0)] == 2)
        #expect(!tree.isDamaged && !file.isRepaired)
        #expect(throws: AdapterError.self) { try PageTree(file, maximumPages: 2) }
        #expect(throws: AdapterError.self) { try file.page(at: [7]) }
    }

    @Test func aNodeAboveItselfIsDamage() throws {
        let file = try file(
            ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 2 0 R 4 0 R]>>", "<</Type/Page>>", "(no page)"])
        let tree = try PageTree(file, maximumPages: 10)
        #expect(tree.paths == [[0]])
        #expect(tree.isDamaged)
    }

    /// A node in two places gives its pages twice. Sixty such nodes without a page can take forever.
    @Test func nodesInSeveralPlacesAreDamage() throws {
        func chain(_ depth: Int, _ last: String) throws -> PDFFile {
            let nodes = (0..<depth).map { "<</Type/Pages/Count 2/Kids[\($0 + 3) 0 R \($0 + 3) 0 R]>>" }
            return try file(["<</Type/Catalog/Pages 2 0 R>>"] + nodes + [last])
        }
        let tree = try PageTree(chain(2, "<</Type/Page>>"), maximumPages: 10)
        #expect(tree.paths == [[0, 0], [0, 1], [1, 0], [1, 1]])
        #expect(tree.isDamaged)
        let endless = try chain(60, "<</Type/Pages/Kids[]>>")
        #expect(throws: AdapterError.self) { try PageTree(endless, maximumPages: 10) }
    }

    @Test func valuesAreInheritedUnlessStated() throws {
        let file = try tree("", ["", "/Rotate 0/MediaBox[5 6 1 2]", ""])
        #expect(PageGeometry(try file.page(at: [0, 0]), showing: .crop).turns == 1)
        let own = PageGeometry(try file.page(at: [0, 1]), showing: .crop)
        #expect(own.turns == 0 && own.media == PDFBox(left: 1, bottom: 2, right: 5, top: 6))
    }

    @Test(arguments: [(0, 0), (90, 1), (-90, 3), (450, 1), (45, 0), (180, 2)])
    func quarterTurnsCount(_ degrees: Int, _ turns: Int) throws {
        let file = try tree("", ["", "", "/Rotate \(degrees)"])
        #expect(PageGeometry(try file.page(at: [1]), showing: .crop).turns == turns)
    }

    @Test func boxesStayWithinTheMedium() throws {
        let page = "/CropBox[-5 5 99 99]/TrimBox[2 6 4 8]/UserUnit 2"
        let file = try tree("", ["", "", page])
        let node = try file.page(at: [1])
        #expect(PageGeometry(node, showing: .crop).shown == PDFBox(left: 0, bottom: 5, right: 10, top: 20))
        #expect(PageGeometry(node, showing: .trim).shown == PDFBox(left: 2, bottom: 6, right: 4, top: 8))
        #expect(PageGeometry(node, showing: .art).shown == PageGeometry(node, showing: .crop).shown)
        #expect(PageGeometry(node, showing: .trim).size == (4, 4))
        #expect(PageGeometry(node, showing: .crop).paper.userUnit == 2)
    }

    @Test(arguments: ["[0 0 0 0]", "[0 0 1]", "(x)", "[0 0 1 /x]", "[-1\(zeros).5 0 1\(zeros).5 9]"])
    func invalidMediaBoxBecomesLetterSize(_ box: String) throws {
        let file = try tree("", ["", "", "/MediaBox\(box)"])
        #expect(
            PageGeometry(try file.page(at: [1]), showing: .crop).media
                == PDFBox(left: 0, bottom: 0, right: 612, top: 792))
    }

    private static let zeros = String(repeating: "0", count: 308)

    @Test func labelsCountOnFromWhereTheyStart() throws {
        let nums = "[0<</S/r>> 3<</S/D/P(A-)/St 7>> 5<</P(end)>> 6<</S/A/St 27>> 8<</S/D/St 9223372036854774784>>]"
        let labels = PageLabels(try tree("/PageLabels<</Nums\(nums)>>").catalog)
        #expect((0..<8).map { labels[$0] } == ["i", "ii", "iii", "A-7", "A-8", "end", "AA", "BB"])
        // No page has a number that no Int holds.
        #expect(labels[8 + 5000] == nil)
        #expect(PageLabels(try tree().catalog)[0] == nil)
    }

    @Test func anOutlineLeadsToPages() throws {
        let first = "<</Title(One)/Dest[6 0 R/Fit]/First<</Title<FEFF00E9>/A<</S/GoTo/D(name)>>>>/Next<</Title(Two)>>>>"
        let names = "/Names<</Dests<</Names[(name)<</D[4 0 R]>>]>>>>"
        let file = try tree("/Outlines<</First\(first)>>\(names)")
        var reader = OutlineReader(file.catalog, pageNumbers: try PageTree(file, maximumPages: 10).numbers)
        let items = reader.items { _ in nil }
        #expect(items.map(\.title) == ["One", "é", "Two"])
        #expect(items.map(\.page) == [2, 3, nil])
        #expect(items.map(\.level) == [0, 1, 0])
    }
}
