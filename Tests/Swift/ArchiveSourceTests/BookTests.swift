import AdapterKit
import PageModel
import Scratch
import Testing

@testable import ArchiveSource

@Suite struct BookTests {
    private func open(_ items: [ZipBuilder.Item]) async throws -> OpenedBook {
        try await Scratch().open(ZipBuilder(items).bytes)
    }

    @Test func pagesComeInTheOrderOfTheirNames() async throws {
        let book = try await Scratch().open(ZipBuilder(names: ["10.jpg", "b/1.jpg", "2.jpg", "1.jpg"]).bytes)
        #expect(book.names == ["1.jpg", "2.jpg", "10.jpg", "b/1.jpg"])
        #expect(book.sequence.pages.map(\.id) == [1, 2, 3, 4])
    }

    @Test func twoEntriesOfOneNameAreTwoPages() async throws {
        let book = try await open([ZipBuilder.Item("1.jpg", picture([1])), ZipBuilder.Item("1.jpg", picture([2]))])
        #expect(book.names == ["1.jpg", "1.jpg"])
        #expect(try await book.bytes(0) == picture([1]))
        #expect(try await book.bytes(1) == picture([2]))
    }

    /// All pages of a TIFF take its place, regardless of how it is packed.
    @Test(arguments: ["stored", "deflated", "tar"]) func aTIFFGivesAllItsPages(_ packing: String) async throws {
        let tiff = try Files.read("\(BuiltJisui.fixtures)/good/TIFFSource/book.tif")
        let fax = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/fax.tif")
        let items: [(name: String, data: [UInt8])] = [("1.jpg", picture()), ("2.tif", tiff), ("3.tif", fax)]
        let archive =
            packing == "tar"
            ? TarBuilder.bytes(items.map { (Array($0.name.utf8), $0.data) }, isUstar: true)
            : ZipBuilder(items.map { ZipBuilder.Item($0.name, $0.data).with { $0.deflates = packing == "deflated" } })
                .bytes
        let book = try await Scratch().open(archive)
        #expect(book.names == ["1.jpg", "2.tif, page 1", "2.tif, page 2", "2.tif, page 3", "3.tif"])
        #expect(book.sequence.pages.map(\.id) == Array(1...5))
        #expect(try await book.sequence.pages[1].examine().size == PixelSize(width: 16, height: 24))
        #expect(try await book.bytes(2) != book.bytes(3))
        #expect(try await book.bytes(4) == fax)
        let error = await failure { try await Scratch().open(archive, limits: Limits(pages: 4)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func everyPageOfATIFFReportsAWrongChecksum() async throws {
        let tiff = try Files.read("\(BuiltJisui.fixtures)/good/TIFFSource/book.tif")
        let book = try await open([ZipBuilder.Item("1.tif", tiff).with { $0.statedChecksum = 1 }])
        #expect(book.names.count == 3)
        for index in book.names.indices {
            #expect(try await book.defects(index) == ["its checksum is wrong"])
        }
    }

    @Test func nonPageEntriesAreListedAsSkipped() async throws {
        let book = try await open([
            ZipBuilder.Item("1.jpg"), ZipBuilder.Item("__MACOSX/._1.jpg"), ZipBuilder.Item("read.txt"),
            ZipBuilder.Item("folder/", []), ZipBuilder.Item("link.jpg").with { $0.mode = 0o120777 },
            ZipBuilder.Item("notes", Array("hello".utf8)), ZipBuilder.Item("scan", picture()),
        ])
        #expect(book.names == ["1.jpg", "scan"])
        #expect(Set(book.skipped) == ["__MACOSX/._1.jpg", "read.txt", "link.jpg", "notes"])
    }

    @Test func aPictureInNameOnlyIsADamagedPage() async throws {
        let book = try await open([ZipBuilder.Item("1.jpg", Array("hello".utf8)), ZipBuilder.Item("2.png", [])])
        let first = await failure { try await book.bytes(0) }
        #expect(first == AdapterError(.damaged, "unrecognized image format", page: "1.jpg"))
        #expect(await failure { try await book.bytes(1) }?.message == "the file is empty")
    }

    @Test func theExtensionDoesNotDecideTheEncoding() async throws {
        let book = try await open([ZipBuilder.Item("1.png")])
        guard case .encoded(let encoded) = try await book.sequence.pages[0].examine().representations[0] else { return }
        #expect(encoded.encoding == .jpeg)
        #expect(encoded.byteCount == picture().count)
    }

    @Test func emptinessIsExplained() async {
        #expect(await failure { try await open([]) }?.code == .empty)
        let nested = await failure { try await open([ZipBuilder.Item("a.zip")]) }
        #expect(nested?.message.english.contains("archives") == true)
        let pdf = await failure { try await open([ZipBuilder.Item("a.pdf")]) }
        #expect(pdf?.hint != nil)
    }

    @Test func comicInfoGivesTheFacts() async throws {
        let xml = """
            <?xml version="1.0"?><!-- x --><ComicInfo><Title>A &amp; B&#x3042;</Title><Series>S</Series>
            <Number>3</Number><Writer>X, Y</Writer><Penciller>Y</Penciller><LanguageISO>ja</LanguageISO>
            <Manga>YesAndRightToLeft</Manga><Pages><Page Image="1" Bookmark="Two"/><Page Image="7" Bookmark="No"/><Page Image="0" DoublePage="True"/>
            </Pages></ComicInfo>
            """
        let book = try await open([
            ZipBuilder.Item("2.jpg"), ZipBuilder.Item("sub/ComicInfo.xml", Array("<x/>".utf8)),
            ZipBuilder.Item("1.jpg"),
            ZipBuilder.Item("comicinfo.XML", Array(xml.utf8)),
        ])
        #expect(
            book.sequence.book
                == BookMetadata(
                    title: "A & Bあ", authors: ["X", "Y"], credits: [Credit("Y", .penciller)], series: "S", number: "3",
                    language: "ja",
                    direction: .rightToLeft, outline: [OutlineItem(title: "Two", page: 2, level: 0)],
                    documents: [SourceDocument(format: "ComicInfo", bytes: Array(xml.utf8), pages: [1, 2])]))
        #expect(book.skipped == ["sub/ComicInfo.xml"])
        #expect(book.sequence.pages.map(\.isDoublePage) == [true, false])
    }

    /// Chapters in folders are a table of contents, unless a document says another.
    @Test func foldersAreChapters() async throws {
        let pages = ["S/2/1.jpg", "S/10/1.jpg", "S/10/2.jpg"].map { ZipBuilder.Item($0) }
        let outline = try await open(pages).sequence.book.outline
        #expect(outline == [OutlineItem(title: "2", page: 1, level: 0), OutlineItem(title: "10", page: 2, level: 0)])
        let marked = "<ComicInfo><Pages><Page Image='2' Bookmark='B'/></Pages></ComicInfo>"
        let book = try await open(pages + [ZipBuilder.Item("ComicInfo.xml", Array(marked.utf8))])
        #expect(book.sequence.book.outline == [OutlineItem(title: "B", page: 3, level: 0)])
    }

    @Test(arguments: [
        "", "<ComicInfo>", "<ComicInfo></Comic>", "<!DOCTYPE x><ComicInfo/>",
        "<ComicInfo/><a/>", "<ComicInfo a=1/>", "<Other/>", "<ComicInfo a='1' a='2'/>", "<ComicInfo>&#0;</ComicInfo>",
        String(repeating: "<ComicInfo>", count: 65) + String(repeating: "</ComicInfo>", count: 65),
    ])
    func aBrokenComicInfoIsOnlyAWarning(xml: String) async throws {
        let book = try await open([ZipBuilder.Item("1.jpg"), ZipBuilder.Item("ComicInfo.xml", Array(xml.utf8))])
        #expect(book.warnings.map(\.code) == ["bad-metadata"])
        #expect(book.sequence.book == BookMetadata())
    }
}
