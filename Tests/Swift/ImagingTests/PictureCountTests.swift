import Imaging
import PageModel
import Scratch
import Testing

@Suite struct PictureCountTests {
    @Test(arguments: [
        ("animated.png", 3), ("still.gif", 1), ("fax.tif", 1), ("big.tif", 1), ("gray.png", 1), ("lossy.webp", 1),
        ("baseline.jpg", 1), ("extended.webp", 1),
    ])
    func countsPictures(_ name: String, _ count: Int) throws {
        #expect(PictureCount.pictures(in: try Fixture.bytes(name)) == count)
    }

    /// A TIFF of three directories, the second of which is a small version of the first; and one that leads back.
    @Test(arguments: [false, true])
    func directoriesOfATIFFAreCounted(_ leadsBack: Bool) {
        func directory(_ kind: UInt8, next: UInt8) -> [UInt8] {
            [2, 0, 254, 0, 4, 0, 1, 0, 0, 0, kind, 0, 0, 0, 0, 1, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0, next, 0, 0, 0]
        }
        let file: [UInt8] =
            [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory(0, next: 38) + directory(1, next: 68)
            + directory(2, next: leadsBack ? 8 : 0)
        #expect(PictureCount.pictures(in: file) == 2)
        for count in 0..<file.count { #expect((1...2).contains(PictureCount.pictures(in: Array(file.prefix(count))))) }
    }

    @Test func nothingIsOnePicture() {
        #expect(PictureCount.pictures(in: []) == 1)
        #expect(PictureCount.pictures(in: Array("GIF89a".utf8)) == 1)
    }

    /// Every page of a TIFF can be decoded, and none that it does not have.
    @Test func pagesOfATIFFAreDecoded() throws {
        let file = TwoPages.tiff
        #expect(PictureCount.pictures(in: file) == 2)
        let pages = try (0..<2).map { page in
            try PictureDecoder.decode(file, .tiff, directory: page, maximumPixels: 100).raster
        }
        #expect(pages.map(\.size) == [PixelSize(width: 2, height: 1), PixelSize(width: 1, height: 2)])
        #expect(pages.map(\.samples) == [[10, 20], [30, 40]])
        for page in [-1, 2, 70_000] {
            #expect(throws: PictureFault.self) {
                try PictureDecoder.decode(file, .tiff, directory: page, maximumPixels: 100)
            }
        }
        #expect(throws: PictureFault.self) {
            try PictureDecoder.decode(try Fixture.bytes("gray.png"), .png, directory: 1, maximumPixels: 10_000)
        }
    }
}

/// A TIFF of two gray pages, written by hand (TIFF 6.0 §2).
private enum TwoPages {
    static let tiff: [UInt8] = {
        func directory(width: UInt8, height: UInt8, strip: UInt8, next: UInt8) -> [UInt8] {
            let fields: [(tag: UInt16, value: UInt8)] = [
                (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, strip), (277, 1), (278, height),
                (279, 2),
            ]
            let entries = fields.flatMap { field -> [UInt8] in
                [UInt8(field.tag & 255), UInt8(field.tag >> 8), 3, 0, 1, 0, 0, 0, field.value, 0, 0, 0]
            }
            return [UInt8(fields.count), 0] + entries + [next, 0, 0, 0]
        }
        // The header, two strips of two samples, and the directories, which take 114 bytes each.
        return [0x49, 0x49, 42, 0, 12, 0, 0, 0, 10, 20, 30, 40]
            + directory(width: 2, height: 1, strip: 8, next: 126) + directory(width: 1, height: 2, strip: 10, next: 0)
    }()
}
