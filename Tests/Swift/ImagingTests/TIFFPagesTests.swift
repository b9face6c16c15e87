import PageModel
import Scratch
import Testing

@testable import Imaging

@Suite struct TIFFPagesTests {
    private static let books = ["book.tif", "book-big-endian.tif", "book-bigtiff.tif"]
    private static let damageable = books + ["jpeg.tif"]
    /// The directories that are neither thumbnails nor masks.
    private static let places = [0, 2, 4]

    private static func bytes(_ name: String) throws -> [UInt8] { try Fixture.bytes("good/TIFFSource/\(name)") }

    /// Each page taken out is what libtiff shows of the whole file, from the same directory.
    @Test(arguments: books) func pagesAreTakenOut(_ name: String) throws {
        let file = try Self.bytes(name)
        let listed = try #require(TIFFPages(file))
        #expect(listed.pages.map(\.number) == [1, 2, 3])
        #expect(listed.defect == nil)
        #expect(!listed.areFile)
        #expect(PictureCount.pictures(in: file) == 3)
        for (page, place) in zip(listed.pages, Self.places) {
            let taken = try #require(page.file(of: file))
            #expect(PictureCount.pictures(in: taken) == 1)
            #expect(PictureCheck.defect(in: taken, .tiff) == nil)
            #expect(taken.count < file.count)
            let image = try PictureDecoder.decode(taken, .tiff, maximumPixels: 1000)
            let wanted = try PictureDecoder.decode(file, .tiff, directory: place, maximumPixels: 1000)
            #expect(image.raster == wanted.raster)
            #expect(image.diagnostics.isEmpty)
        }
    }

    @Test(arguments: books) func pagesKeepTheirOwnTags(_ name: String) throws {
        let file = try Self.bytes(name)
        let pages = try #require(TIFFPages(file)).pages
        let heads = pages.map { $0.head { file.part(at: $0, upTo: $1) } ?? [] }
        let headers = heads.map { PictureHeader($0) }
        #expect(headers.map { $0?.uprightSize?.width } == [16, 24, 24])
        let resolutions = try pages.map { page in
            try PictureDecoder.decode(page.file(of: file) ?? [], .tiff, maximumPixels: 1000).raster.resolution
        }
        #expect(resolutions == [Resolution(200), Resolution(72), nil])
        let last = pages[2].file(of: file) ?? []
        for text in ["the last page", "2001:02:03 04:05:06"] {
            #expect(last.indices.contains { last[$0...].starts(with: Array(text.utf8)) }, "\(text)")
        }
        // A thumbnail in a directory of its own would lead back into the old file.
        #expect(TIFFDirectory(ByteReader(last))?.has(TIFFDirectory.Tag(number: 330)) == false)
    }

    /// No reader would show the page of such a file; some tell nowhere how long a page's data are.
    @Test func oddFilesGiveTheirPages() throws {
        let thumbnail = try Self.bytes("thumbnail-first.tif")
        let sole = try #require(TIFFPages(thumbnail))
        #expect(!sole.areFile)
        let page = try #require(sole.pages.first?.file(of: thumbnail))
        #expect(PictureHeader(page)?.size == PixelSize(width: 24, height: 16))

        let lengthless = try Self.bytes("without-lengths.tif")
        for (place, page) in try #require(TIFFPages(lengthless)).pages.enumerated() {
            let image = try PictureDecoder.decode(page.file(of: lengthless) ?? [], .tiff, maximumPixels: 1000)
            let wanted = try PictureDecoder.decode(lengthless, .tiff, directory: place, maximumPixels: 1000)
            #expect(image.raster == wanted.raster)
        }
        #expect(TIFFPages(try Fixture.bytes("fax.tif"))?.areFile == true)
        #expect(TIFFPages(try Fixture.bytes("gray.png")) == nil)
    }

    /// A page that is one JPEG can be extracted as that, if it looks the same outside.
    @Test func jpegsAreTakenOut() async throws {
        let file = try Self.bytes("jpeg.tif")
        let pages = try #require(TIFFPages(file)).pages
        #expect(pages.count == 2)
        let pictures = pages.map { $0.jpegPicture(maximumBytes: .max) { file.part(at: $0, upTo: $1) } }
        #expect(pictures.map { $0 != nil } == [true, false])
        let picture = try #require(pictures[0])
        let jpeg = try await picture.read().bytes
        #expect(picture.byteCount == jpeg.count)
        #expect(picture.size == PixelSize(width: 5, height: 5) && picture.grid != nil && picture.joinKey != nil)
        #expect(PictureCheck.defect(in: jpeg, .jpeg) == nil)
        let image = try PictureDecoder.decode(jpeg, .jpeg, maximumPixels: 1000)
        let wanted = try PictureDecoder.decode(file, .tiff, maximumPixels: 1000)
        #expect(image.raster.samples == wanted.raster.samples)
        #expect(image.raster.resolution == Resolution(150))
        #expect(pages[0].jpegPicture(maximumBytes: 100) { file.part(at: $0, upTo: $1) } == nil)
        for page in try #require(TIFFPages(try Self.bytes("book.tif"))).pages {
            #expect(page.jpegPicture(maximumBytes: .max) { file.part(at: $0, upTo: $1) } == nil)
        }
    }

    @Test(arguments: [
        ("chain-leads-back.tif", 3, "its list of images leads in a circle"),
        ("chain-leads-nowhere.tif", 3, "its list of images breaks off"),
        ("directories-overlap.tif", 1, "its directories overlap"),
    ])
    func brokenListsAreReported(_ name: String, _ count: Int, _ defect: Message) throws {
        let listed = TIFFPages(try Fixture.bytes("bad/TIFFSource/\(name)"))
        #expect(listed?.pages.count == count)
        #expect(listed?.defect == defect)
    }

    @Test func noMoreAreListedThanWanted() throws {
        let file = try Self.bytes("book.tif")
        #expect(TIFFPages(file, maximumPages: 1)?.pages.count == 2)
        #expect(TIFFPages(file, maximumPages: 3)?.pages.count == 3)
        let page = try #require(TIFFPages(file)).pages[1]
        #expect(page.file(maximumBytes: 100) { file.part(at: $0, upTo: $1) } == nil)
    }

    /// Listing reads directories only, and extracting all pages reads nothing twice: neither grows quadratically.
    @Test func bytesReadGrowLinearlyWithTheFile() throws {
        func read(pages count: Int) throws -> (listing: Int, pages: Int, file: Int) {
            let file = SyntheticTIFF.pages(count, bytesEach: 4096)
            var total = 0
            let read = { (offset: Int, count: Int) -> [UInt8] in
                let bytes = file.part(at: offset, upTo: count)
                total += bytes.count
                return bytes
            }
            let listed = try #require(TIFFPages(byteCount: file.count, maximumPages: .max - 1, read: read))
            #expect(listed.pages.count == count)
            let listing = total
            for page in listed.pages { #expect(page.file(maximumBytes: .max, read: read)?.count ?? 0 > 4096) }
            return (listing, total - listing, file.count)
        }
        let many = try read(pages: 500)
        #expect(many.listing < 500 * 600)
        #expect(many.pages < many.file * 3 / 2)
    }

    /// For any fault of a file, its pages can be read or not; nothing traps.
    @Test(arguments: damageable) func damageDoesNoHarm(_ name: String) throws {
        let file = try Self.bytes(name)
        for count in 0..<file.count {
            let cut = Array(file.prefix(count))
            for page in TIFFPages(cut)?.pages ?? [] { #expect(page.file(of: cut)?.isEmpty != true) }
        }
        var chance = SplitMix(seed: 12)
        for _ in 0..<3000 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                let place = Int.random(in: 0..<file.count, using: &chance)
                damaged[place] = [0, 0xFF, 0x7F, UInt8.random(in: 0...255, using: &chance)].randomElement(
                    using: &chance)!
            }
            for page in TIFFPages(damaged)?.pages ?? [] {
                #expect(page.file(of: damaged)?.count ?? 0 <= 2 * file.count + 64)
                let copy = damaged
                let jpeg = page.jpegPicture(maximumBytes: .max) { copy.part(at: $0, upTo: $1) }
                #expect(jpeg?.byteCount ?? 0 <= 2 * file.count + 64)
            }
        }
    }
}

extension TIFFPage {
    fileprivate func file(of bytes: [UInt8]) -> [UInt8]? { file(maximumBytes: .max) { bytes.part(at: $0, upTo: $1) } }
}

extension [UInt8] {
    fileprivate func part(at offset: Int, upTo count: Int) -> [UInt8] {
        Array(self[Swift.min(offset, self.count)...].prefix(count))
    }
}

/// TIFFs of gray pages, written by hand (TIFF 6.0 §2).
enum SyntheticTIFF {
    /// Pages of 64 pixels across, one after the other, each directory after its data.
    static func pages(_ count: Int, bytesEach: Int) -> [UInt8] {
        var file: [UInt8] = [0x49, 0x49, 42, 0] + UInt32(8 + bytesEach).littleEndianBytes
        for index in 0..<count {
            let strip = file.count
            file += [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytesEach)
            let fields: [(tag: UInt16, value: Int)] = [
                (256, 64), (257, bytesEach / 64), (258, 8), (259, 1), (262, 1), (273, strip), (277, 1),
                (278, bytesEach / 64), (279, bytesEach),
            ]
            file += UInt16(fields.count).littleEndianBytes
            for field in fields {
                file += field.tag.littleEndianBytes + UInt16(4).littleEndianBytes + UInt32(1).littleEndianBytes
                file += UInt32(field.value).littleEndianBytes
            }
            let next = index + 1 < count ? file.count + 4 + bytesEach : 0
            file += UInt32(next).littleEndianBytes
        }
        return file
    }
}
