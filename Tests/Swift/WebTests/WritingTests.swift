import AdapterKit
import Files
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import WebSink

/// The contents of a book's folder.
@Suite struct WritingTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func web(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments + ["-o", scratch("web"), "--to", "web", "-q"])
    }

    private func json() throws -> JSON { try #require(JSON(parsing: try scratch.read("web/book.json"))) }

    /// A person can read the whole script, and no build step has made it smaller.
    @Test func theReaderIsSmallEnoughToBeRead() {
        #expect(ReaderFiles.script.count <= 70 * 1024)
        #expect(ReaderFiles.script.count(where: { $0 == UInt8(ascii: "\n") }) > 1000)
    }

    @Test func formatsThatBrowsersShowStayAsTheyAre() throws {
        let folder = "\(BuiltJisui.fixtures)/good/Imaging"
        let outcome = try web(folder)
        #expect([0, 3].contains(outcome.status), "\(outcome.errorText)")
        let files = scratch.names(in: "web/pages")
        let formats = Set(files.map { FileName.extension(of: $0) })
        #expect(formats.isSubset(of: ["jpg", "png", "gif", "webp", "avif", "bmp"]))
        #expect(formats.isSuperset(of: ["jpg", "png", "gif", "webp", "avif", "bmp"]))
        #expect(scratch.names(in: "web/thumbs").count > 10)
    }

    /// Titles stay text for every reader of the file, and all files contain the same title.
    @Test func textsAreASCIIThatMeansNothingToHTML() throws {
        let title = "</script><b>&\u{2028}\u{600}自炊\u{1F4D6}"
        let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"
        #expect(try web(page, "--title", title, "--author", "A <b>").status == 0)
        let (script, file) = (try scratch.read("web/book.js"), try scratch.read("web/book.json"))
        for bytes in [script, file] {
            #expect(
                bytes.allSatisfy {
                    $0 < 0x7F && ![UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&")].contains($0)
                })
        }
        #expect(try json()["title"]?.asString == "</script><b>&\u{2028}\u{600}自炊\u{1F4D6}")
        #expect(script == Array("jisui.book(".utf8) + file.dropLast() + Array(");\n".utf8))
        let document = String(decoding: try scratch.read("web/index.html"), as: UTF8.self)
        #expect(document.contains("<title>&lt;/script&gt;&lt;b&gt;&amp;"))
        #expect(!document.contains("<b>"))
    }

    /// The id comes from the pages alone: neither names nor places nor titles change it.
    @Test func aBookIsKnownByItsPages() throws {
        let page = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg")
        let other = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/gray.png")
        var ids: [String] = []
        for (name, pages) in [("a", [page, other]), ("b", [page, other]), ("c", [other, page]), ("d", [page])] {
            for (index, page) in pages.enumerated() { try scratch.write("\(name)/\(name)\(index).jpg", page) }
            let outcome = try BuiltJisui.run(
                [scratch(name), "-o", scratch("web-\(name)"), "--to", "web", "-q", "--title", name])
            #expect(outcome.status == 0, "\(outcome.errorText)")
            let book = try #require(JSON(parsing: try scratch.read("web-\(name)/book.json")))
            ids.append(try #require(book["id"]?.asString))
        }
        #expect(ids[0] == ids[1])
        #expect(Set(ids).count == 3)
    }

    /// A crop is a part that is shown of a picture that stays as it was; baked, it is cut.
    @Test func cropsAreShownOrBaked() throws {
        let page = "\(BuiltJisui.fixtures)/good/Imaging/gray.png"
        #expect(try web(page, "--crop", "1,1,1,1").status == 0)
        let entry = try #require(try json()["pages"]?.elements?.first?.elements)
        let (width, height) = (try #require(entry[1].asInteger), try #require(entry[2].asInteger))
        #expect(entry[5].elements?.compactMap(\.asInteger) == [1, 1, width - 2, height - 2])
        #expect(try scratch.read("web/pages/0001.png") == Files.read(page))
        let baked = try BuiltJisui.run([
            page, "-o", scratch("baked"), "--to", "web", "-q", "--crop", "1,1,1,1", "--bake",
        ])
        #expect(baked.status == 0)
        let book = try #require(JSON(parsing: try scratch.read("baked/book.json")))
        let cut = try #require(book["pages"]?.elements?.first?.elements)
        #expect(cut.count == 4 && cut[1].asInteger == width - 2 && cut[2].asInteger == height - 2)
    }

    @Test func foldersOfOthersAreNeverReplaced() throws {
        let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"
        #expect(try web(page).status == 0)
        #expect(try web(page).status == 1)
        #expect(try web(page, "--force").status == 0)
        try scratch.write("web/pages/notes.txt", Array("mine".utf8))
        let outcome = try web(page, "--force")
        #expect(
            outcome.status == 1 && outcome.errorText.contains("'pages/notes.txt', which is not a page that jisui wrote")
        )
    }

    /// A run begins as many pages at once as there is memory for, with their thumbnails: a progressive JPEG's coefficients
    /// are all in memory at a time.
    @Test func thumbnailsCountAsMemory() throws {
        let size = PixelSize(width: 6000, height: 4000)
        let picture = EncodedPicture(encoding: .jpeg, size: size) { [] }
        let sink = WebSink()
        func memory(_ options: [String: String]) throws -> Int {
            var request = SinkRequest(book: BookMetadata(), pageCount: 1, destination: Destination(path: "x"))
            request.settings = try Settings(sink.descriptor.settings, given: options)
            return sink.attachmentMemory(picture, request)
        }
        #expect(try memory([:]) >= 2 * 3 * size.area)
        #expect(try memory(["no-thumbnails": "true"]) == 0)
    }

    @Test func thumbnailsCanBeLeftOut() throws {
        let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"
        #expect(try web(page, "--no-thumbnails").status == 0)
        #expect(
            scratch.names(in: "web") == [
                "book.js", "book.json", "cover.jpg", "files.js", "icon.svg", "index.html", "ja.js",
                "manifest.webmanifest", "offline.js", "pages", "print.js", "reader.css", "reader.js", "sw.js",
            ])
        #expect(try json()["thumbnails"]?.asBoolean == false)
    }

    /// The metadata of the book's own document are kept if the format can store them, and the rest is reported.
    @Test func bookMetadataIsCarriedOver() throws {
        try scratch.write("book/1.jpg", try Files.read("\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"))
        let info =
            "<ComicInfo><Series>S</Series><Number>2</Number><Publisher>P</Publisher><Year>2001</Year>"
            + "<Summary>One\n\n&lt;Two</Summary><Genre>A, B</Genre><Tags>b,A</Tags><GTIN>080442957X</GTIN></ComicInfo>"
        try scratch.write("book/ComicInfo.xml", Array(info.utf8))
        let outcome = try web(scratch("book"))
        #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome.errorText)")
        let book = try json()
        #expect(["series", "number", "publisher", "date"].map { book[$0]?.asString } == ["S", "2", "P", "2001"])
        #expect(book["summary"]?.asString == "One\n\n<Two")
        #expect(book["genres"]?.elements?.map(\.asString) == ["A", "B"])
        #expect(book["tags"]?.elements?.map(\.asString) == ["b", "A"])
        #expect(book["isbn"]?.asString == "9780804429573")
    }

    /// jisui reads its own output: pages, their order, the metadata of the book.
    @Test func theFolderIsASourceAgain() throws {
        let source = "\(BuiltJisui.fixtures)/good/PDFSource/real-bobby-make-believe.pdf"
        let facts = #"{"summary": "One", "genres": ["A"], "tags": ["B"], "isbn": "080442957X", "rights": "R"}"#
        try scratch.write("facts.json", Array(facts.utf8))
        let outcome = try web(
            source, "--direction", "rtl", "--series", "S", "--number", "3", "--metadata", scratch("facts.json"))
        #expect(outcome.status == 0)
        for (name, input) in [("direct", source), ("again", scratch("web"))] {
            var arguments = [input, "-o", scratch("\(name)/"), "--to", "folder", "-q"]
            if name == "direct" { arguments += ["--direction", "rtl"] }
            #expect(try BuiltJisui.run(arguments).status == 0)
        }
        let names = scratch.names(in: "direct")
        #expect(names.count > 3 && names == scratch.names(in: "again"))
        for name in names { #expect(try scratch.read("direct/\(name)") == scratch.read("again/\(name)")) }
        let first = try scratch.read("web/book.json")
        #expect(try BuiltJisui.run([scratch("web"), "-o", scratch("second"), "--to", "web", "-q"]).status == 0)
        #expect(try scratch.read("second/book.json") == first)
    }
}
