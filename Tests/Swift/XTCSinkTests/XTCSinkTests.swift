import AdapterKit
import Files
import Imaging
import Metadata
import PageModel
import Scratch
import Testing

@testable import XTCSink

/// What is written is what a reader of the format finds.
@Suite struct XTCSinkTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func request(
        _ format: XTCSink.Format, _ book: BookMetadata = BookMetadata(), pageCount: Int = 1,
        _ given: [String: String] = ["screen": "16x24"]
    ) throws -> SinkRequest {
        SinkRequest(
            book: book, pageCount: pageCount,
            destination: Destination(path: scratch("book.\(format.rawValue)"), mayReplace: true),
            settings: try Settings(XTCSink(format).descriptor.settings, given: given))
    }

    private func page(_ number: Int, _ content: FinishedPage.Content) -> FinishedPage {
        struct Never: Error {}
        return FinishedPage(
            number: number, page: Page(id: number * 10, name: "\(number)") { throw Never() }, content: content)
    }

    /// Writes pages, and reads the file.
    private func written(
        _ format: XTCSink.Format, _ rasters: [Raster], _ request: SinkRequest
    ) async throws -> (book: XTCReader, findings: SinkFindings) {
        let session = try XTCSink(format).begin(request)
        for (index, raster) in rasters.enumerated() {
            _ = try session.add(page(index + 1, .raster(RasterPage(raster))))
        }
        let findings = try await session.compose()
        try await session.finish()
        return (XTCReader(bytes: try scratch.read("book.\(format.rawValue)")), findings)
    }

    private func gray(_ width: Int, _ height: Int, bits: Int = 8, _ sample: (Int) -> Int) -> Raster {
        let row = (width * bits + 7) / 8
        var samples = [UInt8](repeating: 0, count: row * height)
        for pixel in 0..<width * height {
            let x = pixel % width
            samples[pixel / width * row + x * bits / 8] |= UInt8(sample(pixel) << (8 - bits - x * bits % 8))
        }
        return Raster(size: PixelSize(width: width, height: height), format: .gray(bits: bits), samples: samples)
    }

    /// A page with as many levels, which --shades dithered, is not changed again.
    @Test(arguments: [(XTCSink.Format.xtc, 1), (.xtc, 8), (.xtch, 2), (.xtch, 8)])
    func everyPixelIsReadBack(_ format: XTCSink.Format, _ bits: Int) async throws {
        let maximum = format == .xtc ? 1 : 3
        let levels = (0..<16 * 24).map { ($0 * 7 + $0 / 16 * 5) % 11 % (maximum + 1) }
        let raster = gray(16, 24, bits: bits) { levels[$0] * ((1 << bits - 1) / maximum) }
        let book = try await written(format, [raster, raster], request(format, pageCount: 2)).book
        #expect(book.mark == (format == .xtc ? "XTC\0" : "XTCH") && book.version == [1, 0])
        #expect(book.pageCount == 2 && book.isGapless)
        #expect(book.page(1) == XTCReader.Page(width: 16, height: 24, levels: levels))
    }

    @Test func grayIsRoundedToTheNearestLevel() async throws {
        let samples = [0, 42, 43, 127, 128, 212, 213, 255]
        let raster = gray(8, 8) { samples[$0 % 8] }
        let fine = try await written(.xtch, [raster], request(.xtch, ["screen": "8x8"])).book
        #expect(fine.page(0).levels.prefix(8) == [0, 0, 1, 1, 2, 2, 3, 3])
        let coarse = try await written(.xtc, [raster], request(.xtc, ["screen": "8x8"])).book
        #expect(coarse.page(0).levels.prefix(8) == [0, 0, 0, 0, 1, 1, 1, 1])
    }

    /// CrossPoint reserves memory for the size of the first page.
    @Test func allPagesHaveTheSizeOfTheScreen() async throws {
        let black = gray(6, 8) { _ in 0 }
        let wide = gray(64, 48) { _ in 0 }
        let (book, findings) = try await written(.xtc, [black, wide], request(.xtc, pageCount: 2))
        func isBlack(_ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
            (0..<16 * 24).map { columns.contains($0 % 16) && rows.contains($0 / 16) ? 0 : 1 }
        }
        #expect(book.page(0).levels == isBlack(5..<11, 8..<16), "not enlarged, in the center")
        #expect(book.page(1).levels == isBlack(0..<16, 6..<18), "reduced")
        #expect(findings.compositions[1]?.notes.map(\.code) == [.grayLevels])
        #expect(findings.compositions[2]?.notes.map(\.code) == [.grayLevels, .scaled])
    }

    @Test func theScreenIsThatOfTheDevice() throws {
        func screen(_ given: [String: String]) throws -> PixelSize {
            try XTCOptions(request(.xtch, given), .xtch).screen
        }
        #expect(try screen([:]) == PixelSize(width: 480, height: 800))
        #expect(try screen(["fit": "528x792"]) == PixelSize(width: 528, height: 792))
        #expect(try screen(["fit": "528x"]) == PixelSize(width: 480, height: 800))
        #expect(try screen(["fit": "528x792", "screen": "16x24"]) == PixelSize(width: 16, height: 24))
        for text in ["16", "16x", "0x8", "100000x8", "a"] {
            #expect(throws: AdapterError.self, "\(text)") { try request(.xtc, ["screen": text]) }
        }
    }

    @Test func metadataAndChaptersAreStored() async throws {
        let outline = [
            OutlineItem(title: "One", page: 10, level: 0), OutlineItem(title: "Inner", page: 20, level: 1),
            OutlineItem(title: "第二章", page: 40, level: 0),
        ]
        let metadata = BookMetadata(
            title: "自炊 & <book>", authors: ["A. Writer", "B. Artist"], publisher: "P", language: "ja",
            direction: .rightToLeft, outline: outline)
        var made = try request(.xtc, metadata, pageCount: 5)
        made.cover = 20
        let pages = [Raster](repeating: gray(2, 2) { _ in 0 }, count: 5)
        let (book, findings) = try await written(.xtc, pages, made)
        #expect(book.title == "自炊 & <book>" && book.author == "A. Writer, B. Artist")
        #expect(book.publisher == "P" && book.language == "ja" && book.direction == 1 && book.cover == 1)
        #expect(
            book.chapters == [
                .init(title: "One", pages: [1, 1]), .init(title: "Inner", pages: [2, 3]),
                .init(title: "第二章", pages: [4, 5]),
            ])
        #expect(findings.warnings.isEmpty)
        let plain = try await written(.xtc, pages, request(.xtc, pageCount: 5)).book
        #expect(!plain.hasChapters && plain.direction == 0 && plain.cover == 0 && plain.title == "book")
    }

    @Test func longTextsAreCutBetweenCharacters() async throws {
        let long = String(repeating: "本", count: 60)
        let ascii = String(repeating: "a", count: 128)
        let metadata = BookMetadata(title: ascii, outline: [OutlineItem(title: long, page: 10, level: 0)])
        let (book, findings) = try await written(.xtc, [gray(2, 2) { _ in 0 }], request(.xtc, metadata))
        #expect(book.title == String(ascii.prefix(127)) && book.chapters.first?.title == String(long.prefix(26)))
        #expect(
            findings.warnings.map(\.message.english) == [
                "shortened the title and 1 chapter title, because an XTC has little room for texts"
            ])
    }

    @Test func lostMetadataAreReported() throws {
        let capabilities = try XTCSink(.xtc).capabilities(request(.xtc))
        let book = BookMetadata(
            title: "T", authors: ["A"], credits: [Credit("T", .translator)], series: "S", number: "3",
            date: BookDate("2020"), language: "ja")
        let lost = MetadataLoss.fields(of: book, in: capabilities)
        #expect(lost == ["people with other roles", "Series", "Number", "Date"])
        #expect(MetadataLoss.fields(of: BookMetadata(title: "T", authors: ["A"]), in: capabilities).isEmpty)
    }

    /// Bitmaps are made for several pages at once, before they are added in their order.
    @Test func anAttachmentIsThePage() async throws {
        let jpeg = try PictureEncoder.encode(gray(16, 24) { $0 % 16 * 16 }, as: .jpeg, .quality(90))
        let content = FinishedPage.Content.encoded(
            EncodedPage(encoding: .jpeg, bytes: jpeg, size: PixelSize(width: 16, height: 24)))
        var files: [[UInt8]] = []
        for isAttached in [true, false] {
            let made = try request(.xtch)
            var page = page(1, content)
            page.attachment = isAttached ? XTCSink(.xtch).attachment(for: content, made) : nil
            #expect(isAttached == (page.attachment != nil))
            let session = try XTCSink(.xtch).begin(made)
            _ = try session.add(page)
            try await session.finish()
            files.append(try scratch.read("book.xtch"))
        }
        #expect(files[0] == files[1] && Set(XTCReader(bytes: files[0]).page(0).levels).count == 4)
    }

    @Test func impossibleRequestsAreRefused() throws {
        func refuse(_ change: (inout SinkRequest) -> Void, _ start: String, _ given: [String: String] = [:]) throws {
            var made = try request(.xtch, given)
            change(&made)
            let error = #expect(throws: AdapterError.self) { try XTCSink(.xtch).capabilities(made) }
            #expect(error?.code == .usage && error?.message.english.hasPrefix(start) == true)
        }
        try refuse({ $0.isLossless = true }, "--lossless is impossible")
        try refuse({ $0.encoding.quality = 80 }, "--quality has no effect")
        try refuse({ $0.encoding.format = .png }, "--image-format has no effect")
        try refuse({ _ in }, "the height of a screen must be a multiple of 8", ["screen": "480x801"])
        let many = try request(.xtc, pageCount: 70_000)
        let error = #expect(throws: AdapterError.self) { try XTCSink(.xtc).begin(many) }
        #expect(error?.code == .tooLarge)
        let session = try XTCSink(.xtc).begin(request(.xtc))
        let broken = EncodedPage(encoding: .jpeg, bytes: [0xFF, 0xD8, 0xFF], size: nil)
        let damage = #expect(throws: AdapterError.self) { try session.add(page(1, .encoded(broken))) }
        #expect(damage?.page == "1")
        #expect(scratch.names().isEmpty)
    }
}

extension XTCSinkTests {
    private func request(_ format: XTCSink.Format, _ given: [String: String]) throws -> SinkRequest {
        try request(format, BookMetadata(), given)
    }
}
