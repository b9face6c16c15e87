import AdapterKit
import Files
import PDFSink
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Tags of books that are combined, or copied in part.
@Suite struct StructureTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// Two pages with a tagged word each and a tagged link on the first; objects 3 and 4 are pages, 5 to 8 elements.
    ///
    /// - Parameters:
    ///   - root: more of the root of the tags.
    ///   - first: more of the first page's element, an H1.
    ///   - content: the content of the second page's element.
    private func source(
        _ name: String, root: String = "", first: String = "", content: String = "0",
        document: String = "[6 0 R 7 0 R 8 0 R]",
        mark: String = "/MarkInfo<</Marked true>>", catalog: String = ""
    ) throws -> String {
        let text = { (word: String) in
            SyntheticPDF.stream("", "/P<</MCID 0>>BDC BT /F 9 Tf 20 150 Td (\(word)) Tj ET EMC")
        }
        let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Resources<</Font<</F 13 0 R>>>>"
        let objects = [
            "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 9 0 R\(mark)\(catalog)>>",
            "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
            page + "/Contents 10 0 R/StructParents 0/Annots[12 0 R]>>", page + "/Contents 11 0 R/StructParents 1>>",
            "<</Type/StructElem/S/Document/P 9 0 R/K\(document)>>",
            "<</Type/StructElem/S/Head/P 5 0 R/Pg 3 0 R/K 0\(first)>>",
            "<</Type/StructElem/S/P/P 5 0 R/Pg 4 0 R/K \(content)>>",
            "<</Type/StructElem/S/Link/P 5 0 R/K<</Type/OBJR/Pg 3 0 R/Obj 12 0 R>>>>",
            "<</Type/StructTreeRoot/K 5 0 R/ParentTree<</Nums[0[6 0 R]1[7 0 R]2 8 0 R]>>/RoleMap<</Head/H1>>\(root)>>",
            text("\(name)-one"), text("\(name)-two"),
            "<</Type/Annot/Subtype/Link/Rect[10 10 30 30]/A<</S/URI/URI(https://example.org/)>>/StructParent 2>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        return try made.scratch.write("\(name).pdf", SyntheticPDF.bytes(objects))
    }

    /// The pages of several books, one after the other.
    private func pages(_ paths: [String]) async throws -> [FinishedPage] {
        var all: [FinishedPage] = []
        for path in paths {
            for page in try await made.pages(path).pages {
                var copy = try made.copied(all.count + 1, page)
                copy.page = copy.page.renamed(copy.page.name, id: all.count + 1)
                all.append(copy)
            }
        }
        return all
    }

    private func warnings(_ pages: [FinishedPage]) async throws -> [Warning] {
        let request = SinkRequest(
            book: BookMetadata(), pageCount: pages.count,
            destination: Destination(path: made.scratch("other.pdf"), mayReplace: true))
        let session = try PDFSink().begin(request)
        for page in pages { _ = try session.add(page) }
        return try await session.compose().warnings
    }

    /// The tags that poppler reads, with their text.
    private func tags(_ path: String) throws -> [String] {
        try Program.outcome("pdfinfo -struct-text '\(path)'").outputText.split(separator: "\n")
            .map { $0.trimmingPrefix { $0 == " " }.description }.filter { !$0.hasPrefix("Object") }
    }

    /// The element for the number of a page or of an annotation.
    private func parent(_ file: PDFFile, _ number: PDFObject) -> PDFObject? {
        for leaf in file.catalog["StructTreeRoot"]["ParentTree"]["Kids"].items {
            let items = leaf["Nums"].items
            for index in stride(from: 0, to: items.count, by: 2) where items[index].integer == number.integer {
                return items[index + 1]
            }
        }
        return nil
    }

    @Test(.needs("qpdf", "pdfinfo")) func tagsOfAllBooksAreKept() async throws {
        let copy = try await made.write(try await pages([source("a"), source("b"), source("c")]))
        #expect(try Program.outcome("qpdf --check '\(copy)'").status == 0)
        let book = { (name: String) in
            ["Document", "H1 (block)", "\"\(name)-one\"", "P (block)", "\"\(name)-two\"", "Link (inline)"]
        }
        #expect(try tags(copy) == ["Document"] + book("a") + book("b") + book("c"))
        let file = try made.open(copy)
        #expect(file.isMarked)
        #expect(file.catalog["StructTreeRoot"]["RoleMap"]["Head"].name == "H1")
        // Each page's number points to the element that names the page.
        let nodes = try PageTree(file, maximumPages: 10).paths.map { path throws(AdapterError) in
            try file.page(at: path).page
        }
        #expect(Set(nodes.compactMap { $0["StructParents"].integer }).count == 6)
        for node in nodes {
            let element = try #require(parent(file, node["StructParents"])).item(0)
            #expect(element["Pg"].reference == node.reference)
        }
        for index in [0, 2, 4] {
            let link = nodes[index]["Annots"].item(0)
            let element = try #require(parent(file, link["StructParent"]))
            #expect(element["S"].name == "Link" && element["K"]["Obj"].reference == link.reference)
        }
    }

    @Test func conflictingNamesOfBooksAreRenamed() async throws {
        let one = try source("a", root: "/ClassMap<</C<</O/Layout/SpaceAfter 1>>>>", first: "/C/C/ID(x)")
        var bytes = try Files.read(
            source("b", root: "/ClassMap<</C<</O/Layout/SpaceAfter 2>>>>", first: "/C/C/ID(x)"))
        bytes.replaceSubrange(try #require(bytes.firstRange(of: Array("/Head/H1".utf8))), with: Array("/Head/H2".utf8))
        let other = try made.scratch.write("b.pdf", bytes)
        let file = try made.open(try await made.write(try await pages([one, other])))
        let root = file.catalog["StructTreeRoot"]
        #expect(root["RoleMap"]["Head"].name == "H1" && root["RoleMap"]["Head-2"].name == "H2")
        let heads = root["K"]["K"].items.map { $0["K"].item(0) }
        #expect(heads.map { $0["S"].name } == ["Head", "Head-2"])
        #expect(heads.map { $0["C"].name } == ["C", "C-2"])
        #expect(root["ClassMap"]["C-2"]["SpaceAfter"].number == 2)
        #expect(heads.map { $0["ID"].text } == ["x", "x-2"])
        let names = root["IDTree"]["Kids"].item(0)["Names"]
        #expect(names.items.compactMap(\.text) == ["x", "x-2"])
        #expect(names.item(3).reference == heads[1].reference)
    }

    @Test(.needs("qpdf", "pdfinfo")) func tagsOfPagesThatAreLeftOutGo() async throws {
        let all = try await pages([try source("a")])
        let copy = try await made.write([all[1]])
        #expect(try tags(copy) == ["Document", "P (block)", "\"a-two\""])
        let file = try made.open(copy)
        #expect(file.isMarked)
        #expect(file.catalog["StructTreeRoot"]["RoleMap"].isNull)
        // Neither the element nor the link is in the file.
        let bytes = try Files.read(copy)
        for lost in ["/Head", "/Link", "example.org", "a-one"] {
            #expect(bytes.firstRange(of: Array(lost.utf8)) == nil, "\(lost)")
        }
    }

    /// The numbers of content belong to its page: those of an omitted page would mean something else on others.
    @Test(arguments: [false, true]) func elementKeepsContentOfTheRemainingPage(_ isLater: Bool) async throws {
        let split = try source("b", content: "[0<</Type/MCR/Pg 3 0 R/MCID 7>>]")
        let before = isLater ? try await pages([try source("a")]) : []
        var page = try made.copied(before.count + 1, try await made.pages(split).pages[1])
        page.page = page.page.renamed("b", id: 9)
        let file = try made.open(try await made.write(before + [page]))
        let all = file.catalog["StructTreeRoot"]["K"]
        let element = (isLater ? all["K"].item(1) : all)["K"]
        #expect(element["S"].name == "P" && element["K"].integer == 0)
        #expect(element["Pg"]["StructParents"].integer != nil)
    }

    @Test(.needs("qpdf", "pdfinfo")) func tagsOfMergedPagesLeadIntoTheirForms() async throws {
        let all = try await made.pages(try source("a")).pages
        func part(_ index: Int, _ x: Int) throws -> FinishedPage.Spread.Part {
            FinishedPage.Spread.Part(
                .document(all[index].1, Framing(all[index].2)), at: PixelRect(x: x, y: 0, width: 200, height: 400))
        }
        let spread = FinishedPage(
            number: 1, page: all[0].0,
            content: .spread(
                FinishedPage.Spread([try part(0, 0), try part(1, 200)], size: PixelSize(width: 400, height: 400))))
        let copy = try await made.write([spread])
        #expect(try Program.outcome("qpdf --check '\(copy)'").status == 0)
        #expect(
            try tags(copy) == ["Document", "H1 (block)", "\"a-one\"", "P (block)", "\"a-two\"", "Link (inline)"])
        #expect(try made.open(copy).isMarked)
    }

    @Test func halvesOfPageShareNoNumber() async throws {
        let all = try await made.pages(try source("a")).pages
        let halves = [0, 100].map { Edit.crop(PixelRect(x: $0, y: 0, width: 100, height: 400)) }
        let nodes = try await made.written([
            try made.copied(1, all[0], [halves[0]]), try made.copied(2, all[0], [halves[1]]),
            try made.copied(3, all[1]),
        ]).pages
        #expect(nodes.map { $0["StructParents"].integer } == [0, nil, 1])
    }

    /// Elements that lie within themselves, or in two places, and those without a kind.
    @Test(arguments: ["[6 0 R 5 0 R]", "[6 0 R 6 0 R]", "[<</Type/StructElem/Pg 3 0 R/K 0>>]"])
    func damagedTagsAreLeftOutWithWarning(_ document: String) async throws {
        let all = try await pages([source("a"), source("b", document: document)])
        let warnings = try await warnings(all)
        #expect(warnings.map(\.code) == ["tags-dropped", "tags-partial"])
        #expect(warnings[0].explanation.english.hasPrefix("b.pdf: "))
        let (file, nodes) = try await made.written(all)
        #expect(nodes.map { $0["StructParents"].isNull } == [false, false, true, true])
        #expect(nodes[2]["Annots"].item(0)["StructParent"].isNull)
        #expect(!file.isMarked)
    }

    @Test func tagsThatAreNestedTooDeeplyAreLeftOut() async throws {
        let depth = 600
        var objects = [
            "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/StructParents 0>>", "<</Type/StructTreeRoot/K 5 0 R>>",
        ]
        for level in 0..<depth { objects.append("<</S/Div/P \(4 + level) 0 R/K \(6 + level) 0 R>>") }
        objects.append("<</S/P/P \(4 + depth) 0 R/Pg 3 0 R/K 0>>")
        let deep = try made.scratch.write("deep.pdf", SyntheticPDF.bytes(objects))
        #expect(
            try await warnings(try await pages([deep, source("b")])).map(\.code) == ["tags-dropped", "tags-partial"])
        // A copy of one book has the tags that the book has.
        #expect(try await warnings(try await pages([deep])).isEmpty)
    }

    @Test func outputWithUntaggedPagesIsNotMarked() async throws {
        let plain = try made.scratch.write("plain.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]"]))
        let all = try await pages([source("a"), plain])
        let warnings = try await warnings(all)
        #expect(warnings.map(\.code) == ["tags-partial"])
        #expect(warnings[0].explanation.english.hasPrefix("a.pdf: is tagged for screen readers, and plain.pdf is not"))
        let file = try await made.written(all).file
        #expect(!file.isMarked && !file.catalog["StructTreeRoot"].isNull)
    }

    /// Entries of elements other than their content may point anywhere.
    @Test func elementsBringNoOtherPagesAlong() async throws {
        let hostile = try source("b", first: "/A[<</O/Layout/X 4 0 R>>]/AF[9 0 R]/Ref[7 0 R 6 0 R]/T(title)")
        let one = try await pages([try source("a")])
        var second = try made.copied(3, try await made.pages(hostile).pages[0])
        second.page = second.page.renamed("b", id: 9)
        let copy = try await made.write(one + [second])
        let head = try made.open(copy).catalog["StructTreeRoot"]["K"]["K"].item(1)["K"].item(0)
        #expect(head["T"].text == "title")
        #expect(head["Ref"].items.map(\.reference) == [head.reference])
        #expect(try Files.read(copy).firstRange(of: Array("b-two".utf8)) == nil)
    }

    /// The list of pages is changed before lines of the outline are placed.
    @Test func outlineOfBookWithNestedListOfPagesIsPlaced() async throws {
        let nested = try made.scratch.write(
            "nested.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R/StructTreeRoot<<>>>>", "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
                "<</Type/Pages/Parent 2 0 R/Count 1/Kids[5 0 R]>>", "<</Type/Pages/Parent 2 0 R/Count 1/Kids[6 0 R]>>",
                "<</Type/Page/Parent 3 0 R/MediaBox[0 0 100 200]>>",
                "<</Type/Page/Parent 4 0 R/MediaBox[0 0 100 200]>>",
            ]))
        var copy = made
        copy.book.outline = [
            OutlineItem(title: "two", page: 2, at: PagePoint(across: 0.5, down: 0.5), level: 0)
        ]
        let file = try made.open(try await copy.write(try await pages([nested, source("b")])))
        #expect(file.catalog["Outlines"]["First"]["Dest"].items.map(\.number) == [nil, nil, 50, 100, nil])
    }
}
