import AdapterKit
import Files
import Metadata
import PageModel
import Scratch
import Testing

@testable import EPUBSink
@testable import EPUBSource

/// Contributors and roles, page types and the cover, written and read back.
@Suite struct CreditsTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func reread() async throws -> PageSequence {
        try await EPUBSource().open(Input(path: scratch("book.epub")), settings: Settings(), limits: Limits()).sequence
    }

    @Test func everyRoleRoundTrips() async throws {
        let credits = CreatorRole.allCases.map { Credit("The \($0.rawValue)", $0) } + [Credit("The editor", .letterer)]
        let made = try await SyntheticEPUB([.init()], book: BookMetadata(credits: credits), in: scratch)
        let found = try await reread().book.credits
        #expect(Set(found) == Set(credits) && found.count == credits.count)
        let dublinCore = "http://purl.org/dc/elements/1.1/"
        let creators = try made.package.descendants(XMLName("creator", in: dublinCore)).map(\.text)
        #expect(creators.count == CreatorRole.allCases.filter(\.isAuthor).count && creators.first == "The author")
        let contributors = try made.package.descendants(XMLName("contributor", in: dublinCore)).map(\.text)
        #expect(contributors.contains("The translator") && creators.count + contributors.count == credits.count - 1)
        let codes = try made.package.descendants(XMLName("meta", in: "http://www.idpf.org/2007/opf")).filter {
            $0["property"] == "role"
        }
        #expect(codes.allSatisfy { $0["scheme"] == "marc:relators" } && codes.map(\.text).contains("pnc"))
    }

    /// The first of the writers need not be the first of the artists.
    @Test func namesOfARoleKeepTheirOrder() async throws {
        let credits = [
            Credit("A", .author), Credit("B", .author), Credit("B", .penciller), Credit("A", .penciller),
            Credit("C", .letterer), Credit("A", .letterer), Credit("D", .author),
        ]
        _ = try await SyntheticEPUB([.init()], book: BookMetadata(credits: credits), in: scratch)
        let found = try await reread().book.credits
        for role in [CreatorRole.author, .penciller, .letterer] {
            #expect(found.names([role]) == credits.names([role]))
        }
        #expect(found.count == credits.count)
    }

    /// EPUB 2 has the role as an attribute; a program names itself.
    @Test func rolesOfOthersAreUnderstood() throws {
        let xml = """
            <package xmlns="http://www.idpf.org/2007/opf" xmlns:opf="http://www.idpf.org/2007/opf"><metadata
            xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator opf:role="ill">I</dc:creator><dc:creator>A</dc:creator>
            <dc:creator opf:role="xyz">X</dc:creator><dc:contributor opf:role="trl">T</dc:contributor>
            <dc:contributor opf:role="bkp">calibre (5.0)</dc:contributor><dc:contributor>C</dc:contributor>
            <dc:description>&lt;div&gt;&lt;p&gt;One&amp;nbsp;&lt;b&gt;man&lt;/b&gt;.&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;&lt;/div&gt;</dc:description>
            <dc:subject>Fiction</dc:subject><dc:subject> Tales, short </dc:subject><dc:subject>Fiction</dc:subject>
            <meta name="calibre:series" content="S"/><meta name="calibre:series_index" content="2.0"/></metadata></package>
            """
        let book = OPFMetadata.metadata(in: try XMLReader.read(Array(xml.utf8)))
        #expect(
            book.credits == [
                Credit("I", .artist), Credit("A", .author), Credit("X", .author), Credit("T", .translator),
                Credit("C", .other),
            ])
        #expect(book.series == "S" && book.number == "2")
        #expect(book.summary == "One man.\n\nTwo" && book.subjects == ["Fiction", "Tales, short"])
    }

    @Test func pageRolesAreReadBack() async throws {
        let roles: [[PageRole]] = [[.frontCover], [], [.story], [.story, .advertisement], [.deleted], [.backCover]]
        let made = try await SyntheticEPUB(roles.map { .init(roles: $0) }, in: scratch)
        #expect(try made.package["prefix"]?.contains("comicinfo: ") == true)
        let found = try await reread().pages.map { Set($0.roles) }
        #expect(found == [[.frontCover], [], [], [.story, .advertisement], [.deleted], [.backCover]])
        let plain = try await SyntheticEPUB([.init(), .init()], name: "plain.epub", in: scratch)
        #expect(try plain.package["prefix"]?.contains("comicinfo") == false)
    }

    /// Readers show the page that is marked, not the first.
    @Test func theCoverIsThePageThatIsMarked() async throws {
        let made = try await SyntheticEPUB(
            [.init(roles: [.advertisement]), .init(roles: [.frontCover]), .init()], in: scratch)
        let items = try made.package.descendants(XMLName("item", in: "http://www.idpf.org/2007/opf"))
        #expect(items.filter { $0["properties"] == "cover-image" }.map { $0["href"] } == ["image/cover.jpg"])
        #expect(made.bytes("item/image/cover.jpg") == made.pictures[1])
        let body = try made.document("item/xhtml/p-cover.xhtml").elements.last
        #expect(body?.attributes.map(\.value) == ["cover"])
        let pages = try await reread().pages
        #expect(pages.map(\.roles) == [[.advertisement], [.frontCover], []])
        #expect(pages.map(\.name) == ["item/image/i-0001.jpg", "item/image/cover.jpg", "item/image/i-0003.jpg"])
    }

    /// A package document may be longer than those of strangers that are read.
    @Test func manyPeopleAreWritten() async throws {
        let names = (0..<40_000).map { "Author \($0)" }
        let info = "<ComicInfo><Writer>\(names.joined(separator: ","))</Writer></ComicInfo>"
        var book = BookMetadata(title: "Book", authors: names)
        book.documents = [SourceDocument(format: ComicInfo.format, bytes: Array(info.utf8), pages: [1])]
        let made = try await SyntheticEPUB([.init()], book: book, in: scratch)
        #expect(made.bytes("item/standard.opf").map { $0.count > 4 << 20 } == true)
        #expect(try await reread().book.authors == names)
    }

    /// When the page that is marked could not be had, the first is the cover.
    @Test func aCoverThatIsMissingIsReplaced() throws {
        let request = SinkRequest(
            book: BookMetadata(), pageCount: 1, cover: 9, destination: Destination(path: scratch("book.epub")))
        let session = try EPUBSink().begin(request)
        let bytes = try SyntheticEPUB.jpeg(PixelSize(width: 8, height: 8), 1)
        let page = Page(id: 1, name: "1.jpg") { throw AdapterError(.unsupported, "there is no image") }
        _ = try session.add(
            FinishedPage(number: 1, page: page, encoding: .jpeg, size: PixelSize(width: 8, height: 8), bytes: bytes))
        try (session as? EPUBSession)?.finish()
        #expect(Program.run("unzip -p '\(scratch("book.epub"))' item/standard.opf | grep -q cover-image") == 0)
        #expect(Program.run("unzip -p '\(scratch("book.epub"))' item/standard.opf | grep -q 'content=\"i-0001\"'") == 0)
    }

    /// One chapter is a table of contents; a lone entry with the title, which every EPUB has, is not.
    @Test(arguments: ["Chapter 1", "Book"]) func singleChapterIsReadBack(_ title: String) async throws {
        let outline = [OutlineItem(title: title, page: 1, level: 0)]
        _ = try await SyntheticEPUB(
            [.init(), .init()], book: BookMetadata(title: "Book", outline: outline), in: scratch)
        #expect(try await reread().book.outline == (title == "Book" ? [] : outline))
    }
}
