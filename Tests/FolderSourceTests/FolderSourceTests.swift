import AdapterKit
import FolderSource
import Glibc
import PageModel
import Scratch
import Testing

@Suite struct FolderSourceTests {
    /// A PNG of 2x3 as far as its header goes.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 3]

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func open(_ name: String = ".", limits: Limits = Limits()) async throws -> OpenedBook {
        try await FolderSource().open(Input(path: scratch(name)), settings: Settings(), limits: limits)
    }

    private func error(_ name: String = ".", limits: Limits = Limits()) async -> AdapterError? {
        await #expect(throws: AdapterError.self) { try await open(name, limits: limits) }
    }

    @Test func pagesComeInShelfOrder() async throws {
        for name in ["10.jpg", "9.jpg", "下巻/1.png", "上巻/2.png", "上巻/１０.png", "01.jpg"] { try scratch.write(name) }
        let book = try await open()
        #expect(
            book.sequence.pages.map(\.name) == [
                "01.jpg", "上巻/2.png", "上巻/１０.png", "下巻/1.png", "9.jpg", "10.jpg",
            ])
        #expect(book.sequence.pages.map(\.id) == Array(1...6))
        #expect(book.skipped.isEmpty)
    }

    @Test func whatIsNoPageIsNamed() async throws {
        try scratch.write("1.jpg")
        try scratch.write("Other.xml")
        try scratch.write("notes.txt", FolderSourceTests.png)
        try scratch.write(".hidden/2.jpg")
        try scratch.write("__MACOSX/._1.jpg")
        try scratch.write("Thumbs.db")
        try scratch.write("strange.dat", Array("strange".utf8))
        let book = try await open()
        #expect(book.sequence.pages.map(\.name) == ["1.jpg"])
        #expect(
            Set(book.skipped) == [".hidden", "Other.xml", "Thumbs.db", "__MACOSX", "notes.txt", "strange.dat"])
    }

    /// As in an archive: that at the root counts, whatever else there is.
    @Test func comicInfoGivesTheFacts() async throws {
        let xml = """
            <ComicInfo><Title>T</Title><Series>S</Series><Number>3</Number><Writer>X</Writer><LanguageISO>ja</LanguageISO>
            <Manga>YesAndRightToLeft</Manga>
            <Pages><Page Image="1" Bookmark="Two"/><Page Image="0" DoublePage="True"/></Pages></ComicInfo>
            """
        for name in ["1.jpg", "2.jpg"] { try scratch.write(name) }
        try scratch.write("a/comicinfo.xml", Array("<x/>".utf8))
        try scratch.write("comicInfo.xml", Array(xml.utf8))
        let book = try await open()
        #expect(
            book.sequence.book
                == BookMetadata(
                    title: "T", authors: ["X"], series: "S", number: "3", language: "ja", direction: .rightToLeft,
                    outline: [OutlineItem(title: "Two", page: 2, level: 0)],
                    documents: [SourceDocument(format: "ComicInfo", bytes: Array(xml.utf8))]))
        #expect(book.sequence.pages.map(\.isDoublePage) == [true, false])
        #expect(book.warnings.isEmpty)
        #expect(book.skipped == ["a/comicinfo.xml"])
    }

    @Test func aBrokenComicInfoIsOnlyAWarning() async throws {
        try scratch.write("1.jpg")
        try scratch.write("ComicInfo.xml", Array("<ComicInfo>".utf8))
        let book = try await open()
        #expect(book.sequence.pages.count == 1)
        #expect(book.sequence.book == BookMetadata())
        #expect(book.warnings.map(\.code) == ["bad-metadata"])
        #expect(book.warnings.first?.message.hasPrefix("ComicInfo.xml is not well-formed XML") == true)
    }

    @Test func aPictureUnderAnotherNameIsAPage() async throws {
        try scratch.write("scan0001", FolderSourceTests.png)
        try scratch.write("scan0002.dat", FolderSourceTests.png)
        #expect(try await open().sequence.pages.map(\.name) == ["scan0001", "scan0002.dat"])
    }

    @Test func aPageIsExaminedByContent() async throws {
        try scratch.write("1.jpg", FolderSourceTests.png)
        let picture = try await open().sequence.pages[0].examine()
        #expect(picture.size == PixelSize(width: 2, height: 3))
        guard case .encoded(let encoded) = picture.representations.first else {
            Issue.record("a file has its bytes")
            return
        }
        #expect(encoded.encoding == .png)
        #expect(encoded.byteCount == FolderSourceTests.png.count)
        #expect(try await encoded.read() == FolderSourceTests.png)
    }

    /// An EXIF or ICC segment may be longer than the beginning that is read at first.
    @Test func aSizeFarBehindIsFound() async throws {
        var jpeg: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<3 { jpeg += [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFD) }
        jpeg += [0xFF, 0xC0, 0, 11, 8, 0, 7, 0, 5, 1, 1, 0x11, 0]
        try scratch.write("1.jpg", jpeg)
        #expect(try await open().sequence.pages[0].examine().size == PixelSize(width: 5, height: 7))
    }

    @Test(arguments: [("is no picture jisui knows", Array("a text".utf8)), ("the file is empty", [])])
    func aBadPageThrowsWhenItIsExamined(_ message: String, _ bytes: [UInt8]) async throws {
        try scratch.write("sub/1.jpg", bytes)
        let page = try await open().sequence.pages[0]
        let error = await #expect(throws: AdapterError.self) { try await page.examine() }
        #expect(error?.code == .damaged)
        #expect(error?.message == message)
        #expect(error?.page == "sub/1.jpg")
        #expect(error?.file == scratch("."))
    }

    @Test func limitsAreKept() async throws {
        for number in 1...3 { try scratch.write("\(number).png", FolderSourceTests.png) }
        #expect(await error(limits: Limits(pages: 2))?.code == .tooLarge)
        #expect(await error(limits: Limits(entries: 2))?.code == .tooLarge)
        let page = try await open(limits: Limits(entryBytes: 23)).sequence.pages[0]
        let tooLong = await #expect(throws: AdapterError.self) { try await page.examine() }
        #expect(tooLong?.code == .tooLarge)
        #expect(try await open(limits: Limits(pages: 3, entries: 3, entryBytes: 24)).sequence.pages.count == 3)
    }

    @Test func aFolderWithoutPicturesIsEmpty() async throws {
        try scratch.write("folder/readme.txt")
        let error = await error("folder")
        #expect(error?.code == .empty)
        #expect(error?.message == "holds no pictures")
        #expect(await self.error("missing")?.code == .unreadable)
    }

    @Test func linksInACircleEnd() async throws {
        try scratch.write("a/b/1.jpg")
        try #require(symlink("..", scratch("a/b/up")) == 0)
        try #require(symlink(".", scratch("a/self")) == 0)
        let book = try await open("a")
        #expect(book.sequence.pages.map(\.name) == ["b/1.jpg"])
        #expect(book.warnings.count == 2)
        #expect(book.warnings.allSatisfy { $0.code == "folder-left-out" })
    }

    @Test func linksElsewhereAreFollowed() async throws {
        try scratch.write("shelf/1.jpg")
        try scratch.write("book/2.jpg")
        try #require(symlink("../shelf", scratch("book/link")) == 0)
        #expect(try await open("book").sequence.pages.map(\.name) == ["2.jpg", "link/1.jpg"])
    }

    /// Opening a named pipe would wait for ever.
    @Test(.timeLimit(.minutes(1))) func aPipeIsNoPage() async throws {
        try scratch.write("1.jpg")
        try #require(mkfifo(scratch("2.jpg"), 0o600) == 0)
        try #require(mkfifo(scratch("pipe"), 0o600) == 0)
        let book = try await open()
        #expect(book.skipped == ["pipe"])
        let error = await #expect(throws: AdapterError.self) { try await book.sequence.pages[1].examine() }
        #expect(error?.code == .unreadable)
    }

    @Test func onePictureIsABook() async throws {
        try scratch.write("page.png", FolderSourceTests.png)
        let book = try await open("page.png")
        #expect(book.sequence.pages.map(\.name) == ["page.png"])
        #expect(try await book.sequence.pages[0].examine().size == PixelSize(width: 2, height: 3))
    }

    @Test func recognisesFoldersAndPictures() throws {
        try scratch.write("page.dat", FolderSourceTests.png)
        try scratch.write("text.png", Array("a text".utf8))
        let source = FolderSource()
        #expect(try source.recognise(Probe(path: scratch("."))) == .certain)
        #expect(try source.recognise(Probe(path: scratch("page.dat"))) == .plausible)
        #expect(try source.recognise(Probe(path: scratch("text.png"))) == .no)
    }
}
