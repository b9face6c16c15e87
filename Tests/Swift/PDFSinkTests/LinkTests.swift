import AdapterKit
import Files
import PDFSink
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// Targets of links, names and outline entries of copied pages that are split, merged, combined or omitted.
@Suite struct LinkTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// Three pages of 100 by 200 points, objects 20 to 22. The first has these annotations, in addition to those of the
    /// catalog.
    ///
    /// - Parameter more: annotations of other pages, by their objects.
    private func source(
        _ name: String = "source.pdf", _ annotations: [String], catalog: String = "", others: [String] = [],
        annotations more: [Int: String] = [:]
    ) throws -> String {
        var objects = [
            "<</Type/Catalog/Pages 2 0 R\(catalog)>>", "<</Type/Pages/Count 3/Kids[20 0 R 21 0 R 22 0 R]>>",
        ]
        objects += others
        objects += [String](repeating: "null", count: 19 - objects.count)
        for number in 0..<3 {
            let own = number == 0 ? annotations.joined(separator: " ") : more[number + 20] ?? ""
            let list = own.isEmpty ? "" : "/Annots[\(own)]"
            objects.append("<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]\(list)>>")
        }
        return try made.scratch.write(name, SyntheticPDF.bytes(objects))
    }

    private static func link(_ target: String, _ rect: String = "10 10 30 30") -> String {
        "<</Type/Annot/Subtype/Link/Rect[\(rect)]\(target)>>"
    }

    private static let halves = [0, 100].map { Edit.crop(PixelRect(x: $0, y: 0, width: 100, height: 400)) }

    /// The numbers of pages, and what else an array that is a destination says.
    private func reading(_ destination: PDFObject, _ file: PDFFile) throws -> String {
        let numbers = try PageTree(file, maximumPages: 10).numbers
        let rest = destination.items.dropFirst().map { $0.name ?? $0.number.map { "\(Int($0.rounded()))" } ?? "-" }
        let page = destination.item(0).reference.flatMap { numbers[$0] }.map(String.init) ?? "nowhere"
        return ([page] + rest).joined(separator: " ")
    }

    private func nodes(_ file: PDFFile) throws -> [PageNode] {
        try PageTree(file, maximumPages: 10).paths.map { path throws(AdapterError) in try file.page(at: path) }
    }

    private func isSound(_ path: String) throws {
        let outcome = try Program.outcome("qpdf --check '\(path)'")
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
    }

    /// Links into the second half of a page target that half, in every notation.
    @Test(.needs("qpdf")) func linksIntoHalvesOfPages() async throws {
        let targets = [
            "[21 0 R/XYZ 70 150 2]", "[21 0 R/XYZ 20 150 null]", "[21 0 R/FitV 60]", "[21 0 R/FitH 150]",
            "[21 0 R/FitR 55 10 95 90]", "[21 0 R/Fit]", "[22 0 R/XYZ 70 150 null]",
        ]
        let path = try source(
            "source.pdf",
            targets.map { Self.link("/Dest\($0)") } + [Self.link("/A<</S/GoTo/D[21 0 R/XYZ 99 0 null]>>")],
            catalog: "/Outlines 3 0 R/Names<</Dests 5 0 R>>",
            others: [
                "<</Type/Outlines/First 4 0 R/Last 4 0 R/Count 1>>",
                "<</Title(right)/Parent 3 0 R/Dest[21 0 R/XYZ 51 10 null]>>",
                "<</Names[(n)<</D[21 0 R/XYZ 90 9 null]>>]>>",
            ])
        let (_, pages) = try await made.pages(path)
        let copy = try await made.write([
            try made.copied(1, pages[0]), try made.copied(2, pages[1], [Self.halves[0]]),
            try made.copied(3, pages[1], [Self.halves[1]]), try made.copied(4, pages[2]),
        ])
        try isSound(copy)
        let file = try made.open(copy)
        let links = try nodes(file)[0]["Annots"].items
        #expect(
            try links.map { try reading($0["Dest"].isNull ? $0["A"]["D"] : $0["Dest"], file) } == [
                "3 XYZ 70 150 2", "2 XYZ 20 150 -", "3 FitV 60", "2 FitH 150", "3 FitR 55 10 95 90", "2 Fit",
                "4 XYZ 70 150 -", "3 XYZ 99 0 -",
            ])
        #expect(try reading(file.catalog["Outlines"]["First"]["Dest"], file) == "3 XYZ 51 10 -")
        #expect(try reading(file.catalog["Names"]["Dests"]["Names"].item(1)["D"], file) == "3 XYZ 90 9 -")
    }

    /// On a merged page, places lie where the parts do.
    @Test(.needs("qpdf")) func placesOnMergedPages() async throws {
        let targets = [
            "[21 0 R/XYZ 70 150 2]", "[22 0 R/XYZ 70 150 2]", "[22 0 R/FitR 10 20 30 40]", "[22 0 R/FitV 60]",
        ]
        let path = try source("source.pdf", targets.map { Self.link("/Dest\($0)") })
        let (_, pages) = try await made.pages(path)
        let parts = try [(1, 0), (2, 200)].map { index, x in
            FinishedPage.Spread.Part(
                .document(pages[index].1, try #require(Framing(pages[index].2, edits: []))),
                at: PixelRect(x: x, y: 0, width: 200, height: 400))
        }
        let spread = FinishedPage.Spread(parts, size: PixelSize(width: 400, height: 400))
        let merged = FinishedPage(number: 2, page: pages[1].0, content: .spread(spread))
        let copy = try await made.write([try made.copied(1, pages[0]), merged])
        try isSound(copy)
        let file = try made.open(copy)
        #expect(
            try nodes(file)[0]["Annots"].items.map { try reading($0["Dest"], file) } == [
                "2 XYZ 70 150 2", "2 XYZ 170 150 2", "2 FitR 110 20 130 40", "2 FitV 160",
            ])
    }

    /// Links to omitted pages are omitted and reported; annotations without such a target stay.
    @Test(.needs("qpdf")) func pagesThatAreLeftOut() async throws {
        let path = try source(
            "source.pdf",
            [
                Self.link("/Dest[21 0 R/Fit]"), Self.link("/Dest(gone)"), Self.link("/Dest/old"),
                Self.link("/Dest(kept)"),
                Self.link("/A<</S/URI/URI(https://example.org)>>"), "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>",
            ],
            catalog: "/Names<</Dests 3 0 R>>/Dests<</old[21 0 R/Fit]/new[22 0 R/Fit]>>/OpenAction[21 0 R/Fit]",
            others: [
                "<</Kids[4 0 R 5 0 R 6 0 R]>>", "<</Limits[(gone)(gone)]/Names[(gone)[21 0 R/Fit]]>>",
                "<</Limits[(h)(kept)]/Names[(h)[21 0 R/Fit](i)[22 0 R/Fit](kept)<</D[22 0 R/Fit]>>]>>",
                "<</Limits[(l)(m)]/Names[(l)[20 0 R/Fit](m)[21 0 R/Fit]]>>",
            ])
        let (_, pages) = try await made.pages(path)
        let request = SinkRequest(
            book: BookMetadata(), pageCount: 2, destination: Destination(path: made.scratch("copy.pdf")))
        let session = try PDFSink().begin(request)
        for (number, index) in [(1, 0), (2, 2)] { _ = try session.add(try made.copied(number, pages[index])) }
        let warnings = try await session.compose().warnings
        #expect(
            warnings.map(\.explanation) == [
                "source.pdf: left out 3 links to pages that are not in the output"
            ])
        try await session.finish()
        try isSound(made.scratch("copy.pdf"))
        let file = try made.open(made.scratch("copy.pdf"))
        let annotations = try nodes(file)[0]["Annots"].items
        #expect(annotations.map { $0["Dest"].string ?? [] } == [Array("kept".utf8), [], []])
        #expect(annotations.map { $0["Subtype"].name } == ["Link", "Link", "Text"])
        #expect(file.catalog["OpenAction"].isNull)
        #expect(file.catalog["Dests"].keys == ["new"])
        let leaves = file.catalog["Names"]["Dests"]["Kids"].items
        #expect(leaves.map { $0["Names"].items.compactMap(\.text) } == [["i", "kept"], ["l"]])
        #expect(leaves.map { $0["Limits"].items.compactMap(\.text) } == [["i", "kept"], ["l", "l"]])
    }

    /// Links to a page of which the output shows an image lead to the image. The page's form fields are removed.
    @Test(.needs("qpdf")) func pagesThatBecomeImages() async throws {
        let path = try source(
            "source.pdf",
            [Self.link("/Dest[21 0 R/Fit]"), Self.link("/Dest[21 0 R/XYZ 50 100 null]"), Self.link("/Dest(name)")],
            catalog: "/Names<</Dests 3 0 R>>/OpenAction[21 0 R/Fit]/AcroForm<</Fields[4 0 R 5 0 R]>>",
            others: [
                "<</Names[(name)[21 0 R/Fit]]>>",
                "<</Type/Annot/Subtype/Widget/FT/Tx/T(gone)/P 21 0 R/Rect[0 0 9 9]>>",
                "<</Type/Annot/Subtype/Widget/FT/Tx/T(kept)/P 22 0 R/Rect[0 0 9 9]>>",
            ], annotations: [21: "4 0 R", 22: "5 0 R"])
        let (_, pages) = try await made.pages(path)
        var image = try FinishedPage.fixture(2, "gray.png", .png)
        image.page = pages[1].0
        // Half of the page is blank, below the image.
        image.shownPart.bottom = 0.5
        image.replaced = [ReplacedPage(pages[1].1, showing: image.shownPart, map: PageMap(pages[1].2))]
        let request = SinkRequest(
            book: BookMetadata(), pageCount: 3, destination: Destination(path: made.scratch("copy.pdf")))
        let session = try PDFSink().begin(request)
        for page in [try made.copied(1, pages[0]), image, try made.copied(3, pages[2])] { _ = try session.add(page) }
        #expect(try await session.compose().warnings.filter { $0.code == "links-dropped" } == [])
        try await session.finish()
        try isSound(made.scratch("copy.pdf"))
        let file = try made.open(made.scratch("copy.pdf"))
        let nodes = try nodes(file)
        let targets = try nodes[0]["Annots"].items.prefix(2).map { try reading($0["Dest"], file) }
        let box = nodes[1].box("MediaBox")
        #expect(box[1] == -box[3] && nodes[1]["CropBox"].isNull)
        #expect(targets == ["2 Fit", "2 XYZ \(Int((box[2] / 2).rounded())) 0 -"])
        #expect(try reading(file.catalog["Names"]["Dests"]["Names"].item(1), file) == "2 Fit")
        #expect(try reading(file.catalog["OpenAction"], file) == "2 Fit")
        #expect(file.catalog["AcroForm"]["Fields"].items.map { $0["T"].text } == ["kept"])
        #expect(nodes[1]["Annots"].isNull && nodes[2]["Annots"].count == 1)
    }

    @Test func bookWithAllPagesKeepsAllLinks() async throws {
        let path = try source("source.pdf", [Self.link("/Dest[21 0 R/Fit]"), Self.link("/Dest(nowhere)")])
        let (_, pages) = try await made.pages(path)
        let copy = try await made.written([
            try made.copied(1, pages[1]), try made.copied(2, pages[0]), try made.copied(3, pages[2]),
        ])
        #expect(copy.pages[1]["Annots"].count == 2)
    }

    /// Two books may have the same names: links stay within theirs.
    @Test(.needs("qpdf")) func namesInSeveralBooks() async throws {
        func book(_ name: String, _ target: String) throws -> String {
            try source(
                name, [Self.link("/Dest(chapter)"), Self.link("/A<</S/GoTo/D(whole)>>")],
                catalog: "/Names<</Dests<</Names[(chapter)[\(target) 0 R/XYZ 10 190 null](whole)[21 0 R/Fit]]>>>>")
        }
        let (first, second) = (
            try await made.pages(try book("a.pdf", "21")).pages, try await made.pages(try book("b.pdf", "22")).pages
        )
        var all: [FinishedPage] = []
        for (number, page) in (first + second).enumerated() {
            var copy = try made.copied(number + 1, page)
            copy.page = copy.page.renamed("page", id: number + 1)
            all.append(copy)
        }
        let path = try await made.write(all)
        try isSound(path)
        let file = try made.open(path)
        let links = try nodes(file)[3]["Annots"].items
        #expect(try reading(links[0]["Dest"], file) == "6 XYZ 10 190 -")
        #expect(try reading(links[1]["A"]["D"], file) == "5 Fit")
        #expect(try nodes(file)[0]["Annots"].item(0)["Dest"].string == Array("chapter".utf8))
    }

    /// Each half of a page on paper has the links that lie on it.
    @Test func linksOfHalvesOnPaper() async throws {
        var made = made
        made.settings = ["page-size": "300x300pt"]
        let path = try source(
            "source.pdf", [Self.link("/Dest[21 0 R/Fit]"), Self.link("/Dest[22 0 R/Fit]", "70 10 90 30")])
        let (_, pages) = try await made.pages(path)
        let copy = try await made.written(
            try [0, 1].map { try made.copied($0 + 1, pages[0], [Self.halves[$0]]) }
                + [try made.copied(3, pages[1]), try made.copied(4, pages[2])])
        #expect(copy.pages.map { $0["Annots"].count } == [1, 1, 0, 0])
        #expect(
            try copy.pages.prefix(2).map { try reading($0["Annots"].item(0)["Dest"], copy.file) } == ["3 Fit", "4 Fit"])
    }
}
