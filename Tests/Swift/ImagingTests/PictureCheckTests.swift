import Imaging
import PageModel
import Testing

@Suite struct PictureCheckTests {
    @Test(arguments: PictureHeaderTests.cases)
    func wholeFilesHaveNoDefect(_ expected: PictureHeaderTests.Case) throws {
        let bytes = try Fixture.bytes(expected.name)
        #expect(PictureCheck.defect(in: bytes, expected.encoding) == nil)
        // Zeros after the end are harmless.
        let padded = bytes + [UInt8](repeating: 0, count: 100)
        #expect(PictureCheck.defect(in: padded, expected.encoding) == nil)
    }

    /// Formats whose data say where they end.
    static let bounded = PictureHeaderTests.cases.filter {
        ![.tiff, .bmp].contains($0.encoding) && $0.name != "codestream.jxl"
    }

    @Test(arguments: bounded)
    func aMissingByteShows(_ expected: PictureHeaderTests.Case) throws {
        let bytes = try Fixture.bytes(expected.name)
        for count in bytes.indices {
            let defect = PictureCheck.defect(in: Array(bytes.prefix(count)), expected.encoding)
            #expect(defect != nil, "\(count) of \(bytes.count) bytes")
        }
        let truncated = Array(bytes.dropLast())
        #expect(PictureCheck.defect(in: truncated, expected.encoding) == "the \(expected.encoding.name) ends too early")
    }

    @Test(arguments: ["fax.tif", "big.tif", "bitfields.bmp", "top-down.bmp"])
    func halfAFileShows(_ name: String) throws {
        let bytes = try Fixture.bytes(name)
        let encoding: ImageEncoding = name.hasSuffix("tif") ? .tiff : .bmp
        let half = Array(bytes.prefix(bytes.count / 2))
        #expect(PictureCheck.defect(in: half, encoding) == "the \(encoding.name) ends too early")
    }

    @Test func dataAfterAJPEGIsAccepted() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        #expect(PictureCheck.defect(in: bytes + bytes, .jpeg) == nil)
        #expect(PictureCheck.defect(in: bytes + Array("trailing garbage".utf8), .jpeg) == nil)
        #expect(PictureCheck.defect(in: bytes + bytes.prefix(300), .jpeg) == nil)
    }

    @Test func dataAfterAPNGIsAccepted() throws {
        let bytes = try Fixture.bytes("gray.png")
        #expect(PictureCheck.defect(in: bytes + [1, 2, 3], .png) == nil)
    }

    /// Color tables may hold any bytes, those of a trailer too; only their place tells them apart.
    @Test func aGIFIsFollowedThroughItsColorTables() {
        let table: [UInt8] = [0x3B, 0x3B, 0x3B, 0x3B, 0x3B, 0x3B]
        var gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + table
        gif += [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
        gif += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80] + table + [2, 2, 0x44, 1, 0]
        #expect(PictureCheck.defect(in: gif, .gif) == "the GIF ends too early")
        #expect(PictureCheck.defect(in: gif + [0x3B], .gif) == nil)
    }

    @Test func theWrongFormatShows() throws {
        #expect(try PictureCheck.defect(in: Fixture.bytes("gray.png"), .jpeg) == "the data is not JPEG")
        #expect(PictureCheck.defect(in: [], .jpegXL) == "the data is not JPEG XL")
    }
}
