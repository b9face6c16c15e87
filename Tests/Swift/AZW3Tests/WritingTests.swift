import AdapterKit
import Files
import Imaging
import PageModel
import Scratch
import Testing

@testable import AZW3Sink
@testable import AZW3Source

/// The contents of a written AZW3.
@Suite struct AZW3WritingTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    @Test func pagesKeepTheirBytesAndTheirOrder() async throws {
        let written = try await WrittenBook(
            [.init(), .init(size: WrittenBook.large), .init(), .init(size: WrittenBook.large)], in: scratch)
        #expect(written.pictures[1].count > AZW3Session.maximumImageBytes)
        #expect(try await written.readPictures == written.pictures)
        #expect(written.opened.warnings.isEmpty)
    }

    /// Small devices read only the records within the limit; the others are in the container.
    @Test func aLargeImageHasASmallerCopy() async throws {
        let written = try await WrittenBook([.init(), .init(size: WrittenBook.large)], in: scratch)
        let first = try #require(try written.header.images)
        let copy = try written.database.record(first + 1)
        #expect(copy.count <= AZW3Session.maximumImageBytes)
        #expect(PictureHeader(copy)?.size == WrittenBook.large, "the layout is that of the original")
        #expect(try written.header.texts(536) == ["520x600:0-5|"])
        let originals = try written.records("CRES")
        #expect(originals.count == 1)
        #expect(Array(try written.database.record(originals[0]).dropFirst(12)) == written.pictures[1])
        let container = try #require(try written.records("CONT").first)
        #expect(originals[0] == container + 2, "an image has the same place in both")
    }

    @Test func aBookOfSmallImagesHasNoContainer() async throws {
        let written = try await WrittenBook([.init(), .init()], in: scratch)
        #expect(try written.records("BOUNDARY").isEmpty && written.header.texts(536).isEmpty)
    }

    @Test(arguments: [Direction.leftToRight, .rightToLeft])
    func sidesAndDirectionAreKept(_ direction: Direction) async throws {
        let sides: [Side] = [.single, .right, .left, .single, .left]
        let written = try await WrittenBook(
            sides.map { .init(side: $0) }, BookMetadata(direction: direction), in: scratch)
        #expect(written.sequence.pages.map(\.side) == sides)
        #expect(written.sequence.book.direction == direction)
        #expect(try written.header.texts(525) == [direction == .rightToLeft ? "horizontal-rl" : "horizontal-lr"])
    }

    @Test func pagesWithoutSidesArePaired() async throws {
        let wide = WrittenBook.SyntheticPage(size: PixelSize(width: 120, height: 90))
        let written = try await WrittenBook(
            [.init(), .init(), .init(), wide, .init()], BookMetadata(direction: .rightToLeft), in: scratch)
        #expect(written.sequence.pages.map(\.side) == [.single, .right, .left, .single, .right])
    }

    @Test func theTableOfContentsKeepsItsLevels() async throws {
        let outline = [
            OutlineItem(title: "表紙", page: 1, level: 0), OutlineItem(title: "Part <1> & \"2\"", page: 2, level: 0),
            OutlineItem(title: "One", page: 2, level: 1), OutlineItem(title: "Two", page: 3, level: 1),
            OutlineItem(title: "Inner", page: 4, level: 2), OutlineItem(title: "Last", page: 5, level: 0),
        ]
        let written = try await WrittenBook(
            [WrittenBook.SyntheticPage](repeating: .init(), count: 5), BookMetadata(outline: outline), in: scratch)
        #expect(written.sequence.book.outline == outline)
    }

    @Test func metadataIsKept() async throws {
        let book = BookMetadata(
            title: "自炊 <&> \"book\"", authors: ["A. Writer"],
            credits: [Credit("C. Artist", .artist), Credit("T", .translator)],
            series: "Series", number: "3", publisher: "P & Q", date: BookDate("2019-05-31"), summary: "One.\n\nTwo.",
            genres: ["Comedy"], isbn: ISBN("9784088820118"), rights: "CC0", language: "ja", direction: .rightToLeft)
        let written = try await WrittenBook([.init(), .init()], book, in: scratch)
        var read = written.sequence.book
        read.documents = []
        #expect(read == book)
    }

    /// Programs such as calibre change the header of a book, but not the package document.
    @Test func aChangedHeaderHasPriority() async throws {
        let written = try await WrittenBook(
            [.init()], BookMetadata(title: "T", authors: ["Anna"], series: "S"), in: scratch)
        var bytes = try scratch.read("book.azw3")
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("Anna".utf8)) })
        bytes.replaceSubrange(place..<place + 4, with: Array("Otto".utf8))
        let path = try scratch.write("changed.azw3", bytes)
        let opened = try await AZW3Source().open(Input(path: path), settings: Settings(), limits: Limits())
        #expect(opened.sequence.book.authors == ["Otto"] && opened.sequence.book.series == "S")
        #expect(written.sequence.book.authors == ["Anna"])
    }

    @Test func theCoverIsMarkedAndHasAThumbnail() async throws {
        let written = try await WrittenBook(
            [.init(), .init(size: PixelSize(width: 600, height: 900), roles: [.frontCover]), .init()], in: scratch)
        let header = try written.header
        #expect(header.value(201) == 1 && header.value(202) == 3)
        let thumbnail = try written.database.record(try #require(header.images) + 3)
        #expect(PictureHeader(thumbnail)?.size == PixelSize(width: 313, height: 470))
        #expect(written.sequence.pages.map(\.roles) == [[], [.frontCover], []])
    }

    /// The file is named after the identifier and the kind of the book, which other books do not have.
    @Test func theCoverFileIsNamedByTheBook() async throws {
        let pages = [WrittenBook.SyntheticPage](repeating: .init(), count: 2)
        let plain = try await WrittenBook(pages, in: scratch)
        #expect(try KindleCover(of: ReadableFile(path: plain.path)) == nil)
        let written = try await WrittenBook(pages, name: "2.azw3", settings: ["kindle-cover": "true"], in: scratch)
        let cover = try #require(try KindleCover(of: ReadableFile(path: written.path)))
        let identifier = try #require(try written.header.texts(113).first)
        #expect(cover.name == "thumbnail_\(identifier)_EBOK_portrait.jpg" && identifier.utf8.count == 36)
        #expect(try written.header.texts(501) == ["EBOK"])
        #expect(PictureHeader(cover.bytes)?.size == PixelSize(width: 60, height: 90))
        #expect(try await written.readPictures == plain.readPictures)
    }

    /// A cover file must not get into another folder.
    @Test func aCoverWithAPathIsIgnored() async throws {
        let written = try await WrittenBook([.init()], settings: ["kindle-cover": "true"], in: scratch)
        let identifier = Array(try #require(try written.header.texts(113).first).utf8)
        var bytes = try scratch.read("book.azw3")
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: identifier) })
        bytes[place + 3] = UInt8(ascii: "/")
        let changed = try ReadableFile(path: scratch.write("changed.azw3", bytes))
        #expect(try KindleCover(of: changed) == nil)
    }

    /// Indexes have several records then, and so have their texts.
    @Test func aLongBookIsReadWhole() async throws {
        let session = try AZW3Sink().begin(
            SinkRequest(
                book: BookMetadata(
                    title: "Long",
                    outline: (1...5000).map { (page: Int) in
                        OutlineItem(title: "Chapter \(page) of many", page: page, level: 0)
                    }),
                pageCount: 5000, destination: Destination(path: scratch("long.azw3"))))
        struct Never: Error {}
        func gif(_ number: Int) -> [UInt8] {
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xFE, 2]
                + [UInt8(number >> 8), UInt8(number & 255), 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        }
        for number in 1...5000 {
            let page = Page(id: number, name: "\(number)") { throw Never() }
            _ = try session.add(
                FinishedPage(
                    number: number, page: page, encoding: .gif, size: PixelSize(width: 1, height: 1), bytes: gif(number)
                ))
        }
        try await session.finish()
        let opened = try await AZW3Source().open(
            Input(path: scratch("long.azw3")), settings: Settings(), limits: Limits())
        #expect(opened.sequence.pages.count == 5000)
        #expect(opened.sequence.book.outline.map(\.page) == (1...5000).map { $0 })
        #expect(opened.sequence.book.outline.last?.title == "Chapter 5000 of many")
        for number in [1, 2, 2999, 5000] {
            let picture = try await opened.sequence.pages[number - 1].examine().representations.first
            guard case .encoded(let encoded) = picture else { continue }
            #expect(try await encoded.read().bytes == gif(number))
        }
    }

    @Test func aBookBeyondTheLimitsOfTheFormatIsRefused() throws {
        #expect(throws: AdapterError.self) {
            try AZW3Sink().begin(
                SinkRequest(
                    book: BookMetadata(), pageCount: 70_000, destination: Destination(path: scratch("large.azw3"))))
        }
        #expect(throws: Never.self) { try PalmDatabaseWriter.check(recordCount: 65_535, byteCount: 0xFFFF_FFFF) }
        #expect { try PalmDatabaseWriter.check(recordCount: 2, byteCount: 1 << 32) } throws: {
            ($0 as? AdapterError)?.code == .tooLarge
        }
        #expect(scratch.names().isEmpty)
    }
}
