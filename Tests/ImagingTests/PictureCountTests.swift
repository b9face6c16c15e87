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
            [1, 0, 254, 0, 4, 0, 1, 0, 0, 0, kind, 0, 0, 0, next, 0, 0, 0]
        }
        let file: [UInt8] =
            [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory(0, next: 26) + directory(1, next: 44)
            + directory(2, next: leadsBack ? 8 : 0)
        #expect(PictureCount.pictures(in: file) == 2)
        for count in 0..<file.count { #expect((1...2).contains(PictureCount.pictures(in: Array(file.prefix(count))))) }
    }

    @Test func nothingIsOnePicture() {
        #expect(PictureCount.pictures(in: []) == 1)
        #expect(PictureCount.pictures(in: Array("GIF89a".utf8)) == 1)
    }
}
