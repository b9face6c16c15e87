import AdapterKit
import Files
import FoundationEssentials
import PageModel
import Scratch
import Testing
import ZipFile

@testable import EPUBSource

/// Pages whose images are not in the document itself: in style sheets, addresses and drawings.
@Suite struct StyledPagesTests {
    private let scratch: ScratchFolder
    private let pictures: [[UInt8]]

    init() throws {
        scratch = try ScratchFolder()
        pictures = try (0..<3).map { try SyntheticEPUB.jpeg(PixelSize(width: 16, height: 24), UInt64($0)) }
    }

    /// Opens a fixed-layout book of three pages; the second has another body, head, and further files.
    private func book(
        _ body: String, head: String = "", css: String = "", files: [String: String] = [:], path: String = "o/i/1.jpg"
    ) async throws -> OpenedBook {
        let writer = ZipWriter(try OutputFile(at: Destination(path: scratch("b.epub"), mayReplace: true)))
        func add(_ name: String, _ text: String) throws {
            try writer.add(name, Array(text.utf8), compresses: false)
        }
        try add("mimetype", "application/epub+zip")
        let file = "<rootfile full-path='o/p.opf' media-type='application/oebps-package+xml'/>"
        try add(
            "META-INF/container.xml",
            "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>\(file)</rootfiles></container>"
        )
        let items = (0..<3).map { "<item id='p\($0)' href='\($0).xhtml' media-type='application/xhtml+xml'/>" }
        let references = (0..<3).map { "<itemref idref='p\($0)'/>" }
        try add(
            "o/p.opf",
            "<package xmlns='http://www.idpf.org/2007/opf'><metadata>"
                + "<meta property='rendition:layout'>pre-paginated</meta></metadata><manifest>\(items.joined())</manifest>"
                + "<spine>\(references.joined())</spine></package>")
        for number in 0..<3 {
            let body = number == 1 ? body : "<body><img src='i/\(number).jpg'/></body>"
            try add(
                "o/\(number).xhtml",
                "<html xmlns='http://www.w3.org/1999/xhtml'><head>\(number == 1 ? head : "")</head>\(body)</html>")
            try writer.add(number == 1 ? path : "o/i/\(number).jpg", pictures[number], compresses: false)
        }
        try add("o/css/s.css", css)
        for (name, text) in files { try add("o/\(name)", text) }
        try writer.finish()
        return try await EPUBSource().open(Input(path: scratch("b.epub")), settings: Settings(), limits: Limits())
    }

    private func bytes(_ page: Page) async throws -> [UInt8] {
        guard case .encoded(let image)? = try await page.examine().representations.first else { return [] }
        return try await image.read().bytes
    }

    private static let link = "<link rel='stylesheet' href='css/s.css'/>"
    private static let page = "<body><div class='a b' id='x'></div></body>"

    @Test(arguments: [
        ".a{background:url(../i/1.jpg)}", "#x { background-image : url( \"../i/1.jpg\" ) }",
        "/* .a{} */ p, div.b.a{background:#fff URL('../i/1.jpg') no-repeat center / contain}",
        "@media screen{@supports (a:b){body>div{background:url(../i/1.jpg)}}}", "@import 't.css'; p{margin:0}",
        ".a::before{content:url(../i/1.jpg)}", "div{background:none} .a{background:url(../i/1.jpg)}",
        ".a{background-image:url(\"../i/\\31 .jpg\")}",
        "body .a{background:url(../i/1.jpg) !important} #x{background:none}",
        "[id=x]{background:url(../i/1.jpg)}",
    ])
    func aStyleSheetPaintsAPage(_ css: String) async throws {
        let imported = ["css/t.css": "html .b{background:url(../i/1.jpg)}"]
        let book = try await book(Self.page, head: Self.link, css: css, files: imported)
        #expect(book.sequence.pages.map(\.name) == ["o/i/0.jpg", "o/i/1.jpg", "o/i/2.jpg"])
        #expect(book.skipped.isEmpty && book.warnings.isEmpty)
        #expect(try await bytes(book.sequence.pages[1]) == pictures[1])
    }

    @Test(arguments: [
        ("<body style='background:url(i/1.jpg)'/>", ""),
        ("<body><p style=\"background-image:url('i/1.jpg')\"/></body>", ""),
        (page, "<style>.a{background:url(i/1.jpg)}</style>"),
        ("<body><img class='a'/></body>", "<style>.a{content:url(i/1.jpg)}</style>"),
        ("<body><object type='image/jpeg' data='i/1.jpg'/></body>", ""),
        ("<body><img srcset='i/1.jpg 2x'/></body>", ""),
        ("<body><img src='i/1.svg'/></body>", ""),
        ("<body><svg xmlns='http://www.w3.org/2000/svg' style='background:url(i/1.jpg)'/></body>", ""),
        (page, "<style>.a{background:url(i/1.svg)}</style>"), ("<body><img src='/o/i/1.jpg'/></body>", ""),
    ])
    func otherPlacesOfImagesArePages(_ body: String, _ head: String) async throws {
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><image href='1.jpg'/></svg>"
        let book = try await book(body, head: head, files: ["i/1.svg": drawing])
        #expect(book.sequence.pages.count == 3 && book.skipped.isEmpty && book.warnings.isEmpty)
        #expect(try await bytes(book.sequence.pages[1]) == pictures[1])
    }

    @Test(arguments: [
        "<body><img src='DATA'/></body>", "<body><div style=\"background:url('DATA')\"/></body>",
        "<body><svg xmlns='http://www.w3.org/2000/svg'><image href='DATA'/></svg></body>",
        "<body><div style=\"background:url('DRAWING')\"/></body>",
    ])
    func addressesContainImages(_ body: String) async throws {
        let data = "data:image/jpeg;base64,\(Data(pictures[1]).base64EncodedString())"
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><image href='\(data)'/></svg>"
        let encoded = "data:image/svg+xml;base64,\(Data(drawing.utf8).base64EncodedString())"
        let book = try await book(
            body.replacing("DATA", with: data).replacing("DRAWING", with: encoded), path: "o/unused.jpg")
        #expect(book.sequence.pages.map(\.name) == ["o/i/0.jpg", "o/1.xhtml", "o/i/2.jpg"])
        #expect(try await bytes(book.sequence.pages[1]) == pictures[1])
    }

    /// What jisui does not show is a page with a reason, and never a blank one.
    @Test(arguments: [
        ".a{background:url(../i/0.jpg),url(../i/1.jpg)}", ".a{background:url(../i/1.jpg) -16px 0}",
        ".a{background:url(../i/1.jpg);background-size:200%}", ".a{border-image:url(../i/1.jpg)}",
    ])
    func severalImagesOrPartsAreReported(_ css: String) async throws {
        let book = try await book(Self.page, head: Self.link, css: css)
        #expect(book.sequence.pages.count == 3)
        let error = await #expect(throws: AdapterError.self) { try await book.sequence.pages[1].examine() }
        #expect(error?.code == .unsupported)
    }

    @Test(arguments: [
        "", ".a{background:none}", ".c{background:url(../i/1.jpg)}", ".a:hover{background:url(../i/1.jpg)}",
    ])
    func blankPagesStayBlank(_ css: String) async throws {
        let book = try await book(Self.page, head: Self.link, css: css)
        #expect(book.sequence.pages.count == 2 && book.skipped == ["o/1.xhtml"])
    }

    @Test func aBackgroundBehindAnImageIsReported() async throws {
        let body = "<body class='a'><img src='i/1.jpg'/></body>"
        let book = try await book(body, head: Self.link, css: ".a{background:url(../i/2.jpg)}")
        #expect(try await bytes(book.sequence.pages[1]) == pictures[1])
        #expect(book.warnings.map(\.code) == ["background-dropped"])
        let same = try await self.book(body, head: Self.link, css: ".a{background:url(../i/1.jpg)}")
        #expect(same.sequence.pages.count == 3)
    }

    /// On Windows and macOS, file names do not distinguish case.
    @Test(arguments: ["o/I/1.JPG", "o/i/1.Jpg", "o\\i\\1.jpg"]) func similarNamesAreFound(_ path: String) async throws {
        let book = try await book("<body><img src='i/1.jpg'/></body>", path: path)
        #expect(try await bytes(book.sequence.pages[1]) == pictures[1])
        #expect(book.warnings.map(\.code) == ["file-names"] && book.warnings[0].isNote)
    }
}
