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

    @Test func nonPageFilesAreListedAsSkipped() async throws {
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

    /// The number of pages does not show which books were meant.
    @Test(arguments: [1, 3, 4, 40], ["", "deep/er/"]) func skippedBooksAreNamedBesidePages(
        _ pages: Int, _ folder: String
    ) async throws {
        for number in 1...pages { try scratch.write("images/\(number).png", FolderSourceTests.png) }
        for name in ["a.pdf", "b.cbr", "c.cbz"] { try scratch.write(folder + name) }
        let book = try await open()
        #expect(book.sequence.pages.count == pages)
        #expect(book.warnings.map(\.code) == ["books-skipped"])
        #expect(book.warnings.first?.isNote == false)
        #expect(book.warnings.first?.hint?.english.hasPrefix("use --recursive to convert each book") == true)
        #expect(try await open("images").warnings.isEmpty)
        for name in ["b.cbr", "c.cbz"] { #expect(unlink(scratch(folder + name)) == 0) }
        #expect(try await open().warnings.isEmpty == (pages > 1))
    }

    /// As in an archive: the one at the root counts, regardless of the others.
    @Test func comicInfoGivesTheFacts() async throws {
        let xml = """
            <ComicInfo><Title>T</Title><Series>S</Series><Number>3</Number><Writer>X</Writer><LanguageISO>ja</LanguageISO>
            <Manga>YesAndRightToLeft</Manga>
            <Pages><Page Image="0" DoublePage="True"/><Page Image="1" Bookmark="Two" Type="Letters"/></Pages></ComicInfo>
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
                    documents: [SourceDocument(format: "ComicInfo", bytes: Array(xml.utf8), pages: [1, 2])]))
        #expect(book.sequence.pages.map(\.roles) == [[], [.letters]])
        #expect(book.sequence.pages.map(\.isDoublePage) == [true, false])
        #expect(book.warnings.isEmpty)
        #expect(book.skipped == ["a/comicinfo.xml"])
    }

    /// Chapters in folders are a table of contents, unless a document says another.
    @Test func foldersAreChapters() async throws {
        for name in ["S/2/1.jpg", "S/10/1.jpg", "S/10/2.jpg"] { try scratch.write(name) }
        let outline = try await open().sequence.book.outline
        #expect(outline == [OutlineItem(title: "2", page: 1, level: 0), OutlineItem(title: "10", page: 2, level: 0)])
        let marked = "<ComicInfo><Pages><Page Image='2' Bookmark='B'/></Pages></ComicInfo>"
        try scratch.write("ComicInfo.xml", Array(marked.utf8))
        #expect(try await open().sequence.book.outline == [OutlineItem(title: "B", page: 3, level: 0)])
    }

    @Test func aBrokenComicInfoIsOnlyAWarning() async throws {
        try scratch.write("1.jpg")
        try scratch.write("ComicInfo.xml", Array("<ComicInfo>".utf8))
        let book = try await open()
        #expect(book.sequence.pages.count == 1)
        #expect(book.sequence.book == BookMetadata())
        #expect(book.warnings.map(\.code) == ["bad-metadata"])
        #expect(book.warnings.first?.explanation.english.hasPrefix("ComicInfo.xml: is not well-formed XML") == true)
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
        #expect(try await encoded.read().bytes == FolderSourceTests.png)
    }

    @Test func aFileIsReadInPortions() async throws {
        let file = FolderSourceTests.png + [UInt8](repeating: 7, count: 100)
        try scratch.write("1.png", file)
        guard case .encoded(let picture) = try await open().sequence.pages[0].examine().representations[0] else {
            return
        }
        let portions = try #require(try picture.open?())
        #expect(portions.count == file.count)
        #expect(try portions.read(1, 30) == Array(file[1..<31]))
        #expect(try portions.findDefect() == nil)
        try scratch.write("1.png", file + [1])
        let change = #expect(throws: AdapterError.self) { _ = try portions.findDefect() }
        #expect(change?.message == "the file has changed while it was read" && change?.page == "1.png")
        try scratch.write("1.png", Array(file[..<20]))
        let end = #expect(throws: AdapterError.self) { _ = try portions.read(0, file.count) }
        #expect(end?.message == "the file ends too early" && end?.page == "1.png")
    }

    /// An EXIF or ICC segment may be longer than the beginning that is read at first.
    @Test func sizeAfterLongSegmentsIsFound() async throws {
        var jpeg: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<3 { jpeg += [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFD) }
        jpeg += [0xFF, 0xC0, 0, 11, 8, 0, 7, 0, 5, 1, 1, 0x11, 0]
        try scratch.write("1.jpg", jpeg)
        #expect(try await open().sequence.pages[0].examine().size == PixelSize(width: 5, height: 7))
    }

    @Test(arguments: [("unrecognized image format", Array("a text".utf8)), ("the file is empty", [])])
    func aBadPageThrowsWhenItIsExamined(_ message: String, _ bytes: [UInt8]) async throws {
        try scratch.write("sub/1.jpg", bytes)
        let page = try await open().sequence.pages[0]
        let error = await #expect(throws: AdapterError.self) { try await page.examine() }
        #expect(error?.code == .damaged)
        #expect(error?.message.english == message)
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
        #expect(error?.message == "holds no images")
        #expect(await self.error("missing")?.code == .unreadable)
    }

    @Test func linksInACircleEnd() async throws {
        try scratch.write("a/b/1.jpg")
        try #require(symlink("..", scratch("a/b/up")) == 0)
        try #require(symlink(".", scratch("a/self")) == 0)
        let book = try await open("a")
        #expect(book.sequence.pages.map(\.name) == ["b/1.jpg"])
        #expect(book.warnings.count == 2)
        #expect(book.warnings.allSatisfy { $0.code == "folder-skipped" })
    }

    @Test func linksElsewhereAreFollowed() async throws {
        try scratch.write("shelf/1.jpg")
        try scratch.write("book/2.jpg")
        try #require(symlink("../shelf", scratch("book/link")) == 0)
        #expect(try await open("book").sequence.pages.map(\.name) == ["2.jpg", "link/1.jpg"])
    }

    /// Opening a named pipe would wait for ever.
    @Test(.endsWhenItHangs) func pipeIsNotReadAsAPage() async throws {
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
        let book = try await PictureSource().open(
            Input(path: scratch("page.png")), settings: Settings(), limits: Limits())
        #expect(book.sequence.pages.map(\.name) == ["page.png"])
        #expect(try await book.sequence.pages[0].examine().size == PixelSize(width: 2, height: 3))
    }

    @Test func recognizesFoldersAndPictures() throws {
        try scratch.write("page.dat", FolderSourceTests.png)
        try scratch.write("text.png", Array("a text".utf8))
        try scratch.write("scan", Array("II*\0".utf8))
        let sources: [any SourceAdapter] = [FolderSource(), TIFFSource(), PictureSource()]
        func recognized(_ name: String) throws -> [Recognition] {
            let probe = try Probe(path: scratch(name))
            return sources.map { $0.recognize(probe) }
        }
        #expect(try recognized(".") == [.certain, .no, .no])
        #expect(try recognized("page.dat") == [.no, .no, .plausible])
        #expect(try recognized("text.png") == [.no, .no, .no])
        #expect(try recognized("scan") == [.no, .certain, .plausible])
    }
}

/// TIFFs of several pages, alone and among others.
@Suite struct TIFFBookTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func fixture(_ name: String) throws -> [UInt8] { try Files.read("\(BuiltJisui.fixtures)/\(name)") }

    @Test func aTIFFIsABookOfItsPages() async throws {
        let path = try scratch.write("scan", try fixture("good/TIFFSource/book.tif"))
        let book = try await TIFFSource().open(Input(path: path), settings: Settings(), limits: Limits())
        #expect(book.sequence.pages.map(\.name) == ["page 1", "page 2", "page 3"])
        let error = await #expect(throws: AdapterError.self) {
            try await TIFFSource().open(Input(path: path), settings: Settings(), limits: Limits(pages: 2))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func aFolderHasAllPagesOfItsTIFFsInPlace() async throws {
        try scratch.write("in/1.jpg")
        try scratch.write("in/2.tif", try fixture("good/TIFFSource/book.tif"))
        try scratch.write("in/3.TIFF", try fixture("good/Imaging/fax.tif"))
        try scratch.write("in/4.tif", try fixture("bad/TIFFSource/chain-leads-back.tif"))
        try scratch.write("in/5", try fixture("good/TIFFSource/book-bigtiff.tif"))
        try scratch.write("in/6.tif", Array("no TIFF".utf8))
        let input = Input(path: scratch("in"))
        let book = try await FolderSource().open(input, settings: Settings(), limits: Limits())
        #expect(
            book.sequence.pages.map(\.name) == [
                "1.jpg", "2.tif, page 1", "2.tif, page 2", "2.tif, page 3", "3.TIFF", "4.tif, page 1", "4.tif, page 2",
                "4.tif, page 3", "5, page 1", "5, page 2", "5, page 3", "6.tif",
            ])
        #expect(book.sequence.pages.map(\.id) == Array(1...12))
        #expect(book.warnings.map(\.code) == ["damaged-tiff"])
        let error = await #expect(throws: AdapterError.self) {
            try await FolderSource().open(input, settings: Settings(), limits: Limits(pages: 11))
        }
        #expect(error?.code == .tooLarge)
    }

    /// A sole page stays its original file; pages of several are extracted with their own metadata.
    @Test func pagesAreFilesOfTheirOwn() async throws {
        try scratch.write("in/1.tif", try fixture("good/Imaging/fax.tif"))
        try scratch.write("in/2.tif", try fixture("good/TIFFSource/book.tif"))
        try scratch.write("in/3.tif", try fixture("good/TIFFSource/thumbnail-first.tif"))
        let book = try await FolderSource().open(Input(path: scratch("in")), settings: Settings(), limits: Limits())
        var pictures: [EncodedPicture] = []
        for page in book.sequence.pages {
            guard case .encoded(let picture)? = try await page.examine().representations.first else { continue }
            pictures.append(picture)
        }
        #expect(pictures.map(\.uprightSize?.width) == [6, 16, 24, 24, 24])
        #expect(pictures.map { $0.orientation == .upright } == [true, false, true, true, true])
        #expect(pictures.map { $0.repair == nil } == [true, false, false, false, false])
        #expect(try await pictures[0].read().bytes == (try fixture("good/Imaging/fax.tif")))
        #expect(Set(try await pictures[1].read().bytes.prefix(4)) == Set([0x49, 42, 0]))
    }

    /// The directory of a TIFF may be at its end, at any distance.
    @Test func sizeAtTheEndOfALongTIFFIsFound() async throws {
        let small = try fixture("good/Imaging/fax.tif")
        let start = Int(small[4]) | Int(small[5]) << 8
        let path = try scratch.write("long.tif", small)
        // The same directory, after a hole of 100 MB.
        let offset = 100 << 20
        let place = withUnsafeBytes(of: UInt32(offset).littleEndian) { Array($0) }
        try scratch.write("long.tif", Array(small[..<4]) + place + small[8...])
        let file = try #require(fopen(path, "r+"))
        fseek(file, offset, SEEK_SET)
        fwrite(Array(small[start...]), 1, small.count - start, file)
        fclose(file)
        let book = try await TIFFSource().open(Input(path: path), settings: Settings(), limits: Limits())
        #expect(try await book.sequence.pages[0].examine().size == PixelSize(width: 6, height: 4))
    }
}
