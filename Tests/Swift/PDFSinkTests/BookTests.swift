import AdapterKit
import Imaging
import PDFSink
import PDFSource
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

/// The metadata of a book in a PDF, and how they are written.
@Suite struct BookTests {
    private var made: SyntheticBook
    private let jpeg: [UInt8]

    init() throws {
        made = try SyntheticBook()
        jpeg = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg")
    }

    private func pages(_ count: Int, labels: [String?] = []) throws -> [FinishedPage] {
        try (1...count).map { number in
            try .made(
                number, .jpeg, jpeg, id: 10 * number,
                label: labels.indices.contains(number - 1) ? labels[number - 1] : nil)
        }
    }

    /// The metadata of a book are read back from the PDF.
    @Test func theBookIsReadBack() async throws {
        var copy = self
        copy.made.book = BookMetadata(
            title: "自炊 <&> (a\\b)", authors: ["甲 乙", "A. & B."],
            credits: [Credit("A. & B.", .inker), Credit("L", .letterer)], series: "叢書", number: "3.5",
            summary: "One\n\nTwo", genres: ["A", "B, C"], isbn: ISBN("978-0-306-40615-7"), rights: "© <甲>",
            language: "ja",
            direction: .rightToLeft,
            outline: [
                OutlineItem(title: "第一部", page: 10, level: 0), OutlineItem(title: "1", page: 20, level: 1),
                OutlineItem(title: "1.1", page: 20, level: 2), OutlineItem(title: "2", page: nil, level: 1),
                OutlineItem(title: "第二部", page: 40, level: 0),
            ])
        let labels: [String?] = ["Cover", "i", "ii", nil, "1"]
        let path = try await copy.made.write(try pages(5, labels: labels))
        let source = PDFSource()
        let settings = try Settings(source.descriptor.settings, given: [:])
        let opened = try await source.open(Input(path: path), settings: settings, limits: Limits())
        let book = opened.sequence.book
        #expect(book.title == "自炊 <&> (a\\b)")
        #expect(book.authors == ["甲 乙", "A. & B."])
        #expect(Set(book.credits) == Set(copy.made.book.credits) && book.credits.count == 4)
        #expect(book.series == "叢書" && book.number == "3.5")
        #expect(book.summary == "One\n\nTwo" && book.subjects == ["A", "B, C"])
        #expect(book.isbn == copy.made.book.isbn && book.rights == "© <甲>")
        #expect(book.language == "ja")
        #expect(book.direction == .rightToLeft)
        #expect(book.outline.map(\.title) == ["第一部", "1", "1.1", "2", "第二部"])
        #expect(book.outline.map(\.page) == [1, 2, 2, nil, 4])
        #expect(book.outline.map(\.level) == [0, 1, 2, 1, 0])
        #expect(opened.sequence.pages.map(\.label) == labels)
        #expect(opened.warnings.isEmpty)
    }

    /// Viewers pair pages by counting: a first page that faces none is a cover.
    @Test(arguments: [([2, 4], "TwoPageRight"), ([1, 3], "TwoPageLeft"), ([], nil)])
    func facingPagesStandSideBySide(_ facing: [Int], _ layout: String?) async throws {
        var pages = try pages(6)
        for number in facing { pages[number - 1].page.facesNextPage = true }
        let (file, _) = try await made.written(pages)
        #expect(file.catalog["PageLayout"].name == layout)
    }

    /// The same book gives the same bytes at another time, and another book another identifier.
    @Test func theBytesAreDetermined() async throws {
        let first = try Files.read(try await made.write(try pages(3), name: "a.pdf"))
        #expect(Program.run("sleep 1.1") == 0)
        let second = try Files.read(try await made.write(try pages(3), name: "b.pdf"))
        #expect(first == second)
        let (file, _) = try await made.written(try pages(3))
        let (other, _) = try await made.written(try pages(4))
        var copy = made
        copy.book.publisher = "P"
        let (described, _) = try await copy.written(try pages(3))
        let identifiers = [file, other, described].map { $0.trailer["ID"].item(0).string ?? [] }
        #expect(identifiers[0].count == 16)
        #expect(Set(identifiers).count == 3)
        #expect(file.trailer["ID"].item(1).string == identifiers[0])
    }

    @Test func bookWithoutPagesIsRejected() async throws {
        let error = await #expect(throws: AdapterError.self) { _ = try await made.write([]) }
        #expect(error?.code == .empty)
        #expect(made.scratch.names() == [])
    }

    @Test(.needs("qpdf"), arguments: [false, true]) func qpdfFindsNoFault(_ isLinearized: Bool) async throws {
        var copy = self
        if isLinearized { copy.made.settings = ["linearize": "true"] }
        copy.made.book = BookMetadata(title: "本", outline: [OutlineItem(title: "一", page: 20, level: 0)])
        let path = try await copy.made.write(
            try pages(120, labels: ["i", "ii", "1"])
                + [.fixture(121, "cmyk.jpg", .jpeg), .fixture(122, "progressive-icc.jpg", .jpeg)])
        let outcome = try Program.outcome("qpdf --check '\(path)'")
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
        #expect(outcome.outputText.contains("File is linearized") == isLinearized)
    }

    /// Memory holds descriptions of pages, not their pictures.
    @Test func pagesShareIdenticalObjects() async throws {
        let one = try Files.read(try await made.write(try pages(100))).count
        let two = try Files.read(try await made.write(try pages(200))).count
        // The picture is there once, and so is what paints it.
        #expect(two - one < 100 * 100)
    }

    /// Page types are read back, and follow the pages when they are copied.
    @Test func rolesOfPages() async throws {
        let roles: [[PageRole]] = [[.story], [.frontCover], [], [.advertisement, .story], [.backCover]]
        let bytes = try FinishedPage.fixture(1, "baseline.jpg", .jpeg).encoded().bytes
        var pages: [FinishedPage] = []
        for (index, roles) in roles.enumerated() {
            var page = try FinishedPage.made(index + 1, .jpeg, bytes)
            page.page.roles = roles
            pages.append(page)
        }
        let path = try await made.write(pages)
        let found = try await made.pages(path).pages
        #expect(found.map(\.0.roles) == roles)
        // Half of a page, other pages, and none of the omitted ones.
        let half = Edit.crop(PixelRect(x: 0, y: 0, width: 4, height: 4))
        let copy = try await made.write(
            [
                try made.copied(1, found[4]), try made.copied(2, found[1], [half]), try made.copied(3, found[1]),
                try made.copied(4, found[2]),
            ], name: "copy.pdf")
        #expect(try await made.pages(copy).pages.map(\.0.roles) == [[.backCover], [.frontCover], [.frontCover], []])
        // Pages whose roles were removed leave no entry.
        var plain = try made.copied(1, found[1])
        plain.page.roles = []
        let (file, _) = try await made.written([plain])
        #expect(file.catalog["PieceInfo"].keys.isEmpty)
    }

    /// Other programs' data are kept with jisui's; invalid entries are ignored.
    @Test func dataOfOtherProgramsIsKeptWithTheRoles() async throws {
        let path = try made.scratch.write(
            "other.pdf",
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R/PieceInfo<</Other<</Private(x)>>/jisui<</Private<</PageRoles[3 0 R[/FrontCover"
                    + "/Nonsense 7]4 0 R/FrontCover 9 0 R[/Story]3 0 R]>>>>>>>>",
                "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
            ]))
        let pages = try await made.pages(path).pages
        #expect(pages.map(\.0.roles) == [[.frontCover], []])
        let (file, _) = try await made.written([try made.copied(1, pages[0]), try made.copied(2, pages[1])])
        #expect(file.catalog["PieceInfo"]["Other"]["Private"].text == "x")
        #expect(file.catalog["PieceInfo"]["jisui"]["Private"]["PageRoles"].count == 2)
    }
}
