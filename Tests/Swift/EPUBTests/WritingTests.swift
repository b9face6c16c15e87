import AdapterKit
import Files
import Metadata
import PageModel
import Scratch
import Testing

@testable import EPUBSink

/// The contents of a written EPUB.
@Suite struct EPUBWritingTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func book(
        _ pages: [SyntheticEPUB.SyntheticPage], _ book: BookMetadata = BookMetadata(),
        _ settings: [String: String] = [:],
        name: String = "book.epub"
    ) async throws -> SyntheticEPUB {
        try await SyntheticEPUB(pages, book: book, settings: settings, name: name, in: scratch)
    }

    @Test func theTypeComesFirstAndPicturesAreUntouched() async throws {
        let made = try await book([.init(), .init(), .init()])
        #expect(made.entries[0].name == "mimetype" && made.entries[0].isStored)
        #expect(made.entries[0].bytes == Array("application/epub+zip".utf8))
        let raw = try scratch.read("book.epub")
        // The name and the content follow right after the header, without an extra field between them.
        #expect(Array(raw[30..<58]) == Array("mimetypeapplication/epub+zip".utf8))
        #expect(made.bytes("item/image/cover.jpg") == made.pictures[0])
        #expect(made.bytes("item/image/i-0003.jpg") == made.pictures[2])
        #expect(made.entries.allSatisfy { $0.isStored || !$0.name.hasPrefix("item/image/") })
    }

    @Test func aPageIsItsPicture() async throws {
        let made = try await book([.init(), .init(label: "<iv>")])
        let page = try made.document("item/xhtml/p-0002.xhtml")
        let svg = try #require(page.descendant(XMLName("svg", in: "http://www.w3.org/2000/svg")))
        #expect(svg["viewBox"] == "0 0 60 90" && svg["aria-label"] == "<iv>")
        let image = try #require(svg.elements.first)
        #expect(image[XMLName("href", in: "http://www.w3.org/1999/xlink")] == "../image/i-0002.jpg")
        #expect(image["width"] == "60" && image["height"] == "90")
        let viewport = page.descendants(XMLName("meta", in: "http://www.w3.org/1999/xhtml")).first {
            $0["name"] == "viewport"
        }
        #expect(viewport?["content"] == "width=60, height=90")
        #expect(page.text.filter { !$0.isWhitespace } == "book,<iv>", "the title, and no text on the page")
    }

    /// Both halves of a page that was split show one image.
    @Test func partsOfOneImageShareIt() async throws {
        let halves = [0, 30].map { PixelRect(x: $0, y: 0, width: 30, height: 90) }
        let made = try await book([
            .init(), .init(shown: halves[0], image: 7), .init(shown: halves[1], image: 7), .init(), .init(image: 7),
        ])
        let images = made.entries.map(\.name).filter { $0.hasPrefix("item/image/") }
        #expect(images == ["cover", "i-0002", "i-0004", "i-0005"].map { "item/image/\($0).jpg" })
        for number in [2, 3] {
            let page = try made.document("item/xhtml/p-000\(number).xhtml")
            let svg = try #require(page.descendant(XMLName("svg", in: "http://www.w3.org/2000/svg")))
            #expect(svg["viewBox"] == "\(number == 2 ? 0 : 30) 0 30 90")
            let href = svg.elements.first?[XMLName("href", in: "http://www.w3.org/1999/xlink")]
            #expect(href == "../image/i-0002.jpg")
        }
        let items = try made.package.descendants(XMLName("item", in: made.package.name.namespace))
        #expect(items.filter { $0["media-type"] == "image/jpeg" }.count == 4)
    }

    /// The bytes stay, and the view box shows the part.
    @Test func aPartIsShownByTheViewBox() async throws {
        let made = try await book([.init(shown: PixelRect(x: 10, y: 20, width: 30, height: 40))])
        #expect(made.bytes("item/image/cover.jpg") == made.pictures[0])
        let page = try made.document("item/xhtml/p-cover.xhtml")
        let svg = try #require(page.descendant(XMLName("svg", in: "http://www.w3.org/2000/svg")))
        #expect(svg["viewBox"] == "10 20 30 40")
        #expect(svg.elements.first?["width"] == "60")
    }

    @Test func picturesAreCutWhereThatIsAsked() throws {
        func capabilities(_ given: [String: String], _ name: String = "a.epub") throws -> SinkCapabilities {
            let settings = try Settings(EPUBSink().descriptor.settings, given: given)
            return try EPUBSink().capabilities(
                SinkRequest(
                    book: BookMetadata(), pageCount: 1, destination: Destination(path: name), settings: settings))
        }
        #expect(try capabilities([:]).showsParts)
        #expect(try !capabilities(["bake": "true"]).showsParts)
        #expect(try !capabilities(["epub-for": "kobo"], "a.kepub.epub").showsParts)
        #expect(try capabilities([:]).shows(.webp))
        #expect(try !capabilities(["epub-for": "kindle"]).shows(.webp))
        let plain = try capabilities([:])
        #expect(plain.holdsOnlyFormats && !plain.honorsOrientation)
        let error = #expect(throws: AdapterError.self) { try capabilities(["epub-for": "kobo"]) }
        #expect(error?.hint == "use -o a.kepub.epub")
    }

    @Test(arguments: [Direction.leftToRight, .rightToLeft])
    func coverAndWidePagesStandAlone(_ direction: Direction) async throws {
        let wide = SyntheticEPUB.SyntheticPage(size: PixelSize(width: 120, height: 90))
        let made = try await book(
            [.init(), .init(), .init(), .init(), wide, .init()], BookMetadata(direction: direction))
        let (first, second) = direction == .rightToLeft ? ("right", "left") : ("left", "right")
        let places = ["center", first, second, first, "center", first]
        #expect(
            try made.spine
                == places.map { $0 == "center" ? "rendition:page-spread-center" : "page-spread-\($0)" })
        let spine = try made.package.elements.first { $0.name.local == "spine" }
        #expect(spine?["page-progression-direction"] == direction.rawValue)
    }

    /// Sides that pairing has found are taken over.
    @Test func sidesThatAreKnownStay() async throws {
        let made = try await book(
            [.init(side: .left), .init(side: .right), .init(), .init(side: .right)],
            BookMetadata(direction: .rightToLeft),
            ["epub-for": "kindle"])
        #expect(
            try made.spine == [
                "page-spread-left", "page-spread-right", "rendition:page-spread-center", "page-spread-right",
            ])
    }

    @Test func outlineEntriesLinkToTheirPages() async throws {
        let outline = [
            OutlineItem(title: "Part <1>", page: nil, level: 0), OutlineItem(title: "One", page: 2, level: 1),
            OutlineItem(title: "Deeper", page: 2, level: 3), OutlineItem(title: "Two", page: 3, level: 1),
            OutlineItem(title: "Gone", page: 99, level: 0), OutlineItem(title: "Last", page: 3, level: 0),
        ]
        let made = try await book([.init(), .init(), .init()], BookMetadata(outline: outline))
        let nav = try made.document("item/navigation-documents.xhtml")
        let xhtml = "http://www.w3.org/1999/xhtml"
        let toc = try #require(nav.descendants(XMLName("nav", in: xhtml)).first { $0["id"] == "toc" })
        func lines(_ list: XMLElement?, _ level: Int) -> [String] {
            (list?.elements ?? []).flatMap { item -> [String] in
                let link = item.elements[0]
                return ["\(level) \(link.text) \(link["href"] ?? "")"]
                    + lines(item.elements.first { $0.name.local == "ol" }, level + 1)
            }
        }
        #expect(
            lines(toc.elements.first { $0.name.local == "ol" }, 0) == [
                "0 Part <1> xhtml/p-0002.xhtml", "1 One xhtml/p-0002.xhtml", "2 Deeper xhtml/p-0002.xhtml",
                "1 Two xhtml/p-0003.xhtml", "0 Gone xhtml/p-0003.xhtml", "0 Last xhtml/p-0003.xhtml",
            ])
        let ncx = try made.document("item/toc.ncx")
        let points = ncx.descendants(XMLName("content", in: "http://www.daisy.org/z3986/2005/ncx/")).count
        #expect(points == 6 + 3)
    }

    /// Places and printed numbers are not mixed: page 3 of the file is not the book's page 3.
    @Test(arguments: [
        ([nil, "i", nil, "1"], ["[1]", "i", "i", "1"]), ([nil, nil, nil, nil], ["1", "2", "3", "4"]),
    ])
    func pageListUsesPrintedNumbers(_ labels: [String?], _ listed: [String]) async throws {
        let made = try await book(labels.map { SyntheticEPUB.SyntheticPage(label: $0) })
        let list = try #require(
            made.document("item/navigation-documents.xhtml")
                .descendants(XMLName("nav", in: "http://www.w3.org/1999/xhtml")).first { $0["id"] == "page-list" })
        #expect(list.descendants(XMLName("a", in: "http://www.w3.org/1999/xhtml")).map(\.text) == listed)
    }

    @Test func theSameBookGivesTheSameBytes() async throws {
        let facts = BookMetadata(title: "T", authors: ["A", "B"], series: "S", number: "2", language: "ja")
        let pages = [SyntheticEPUB.SyntheticPage(), .init()]
        func file(_ facts: BookMetadata, _ pages: [SyntheticEPUB.SyntheticPage], _ name: String) async throws -> [UInt8]
        {
            _ = try await book(pages, facts, name: name)
            return try scratch.read(name)
        }
        let first = try await file(facts, pages, "1.epub")
        #expect(try await file(facts, pages, "2.epub") == first)
        func identifier(_ name: String) throws -> String? {
            let text = String(decoding: try scratch.read(name), as: UTF8.self)
            return text.firstMatch(of: /urn:uuid:[0-9a-f-]{36}/).map { String($0.0) }
        }
        let made = try await book(pages, facts, name: "3.epub")
        let id = try made.package.descendant(XMLName("identifier", in: "http://purl.org/dc/elements/1.1/"))?.text
        #expect(
            id?.wholeMatch(of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        let other = try await book(pages + [.init()], facts, name: "4.epub")
        #expect(try other.package.descendant(XMLName("identifier", in: "http://purl.org/dc/elements/1.1/"))?.text != id)
    }

    @Test func pageBeyondTheReaderLimitHasAWarning() async throws {
        let large = SyntheticEPUB.SyntheticPage(size: PixelSize(width: 2000, height: 2000))
        let kobo = try await book([.init(), large], settings: ["epub-for": "kobo"], name: "a.kepub.epub")
        #expect(kobo.warnings.map(\.code) == ["device-limit"])
        #expect(kobo.warnings.first?.message.english.hasSuffix("3.8 megapixels of a page, and page 2 has more") == true)
        let plain = try await book([large], name: "b.epub")
        #expect(plain.warnings.isEmpty)
    }

    private func book(
        _ pages: [SyntheticEPUB.SyntheticPage], settings: [String: String], name: String
    ) async throws -> SyntheticEPUB {
        try await book(pages, BookMetadata(), settings, name: name)
    }
}
