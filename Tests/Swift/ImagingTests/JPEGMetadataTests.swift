import Imaging
import PageModel
import Testing

@Suite struct JPEGMetadataTests {
    /// A profile is inserted, and nothing else changes: without the new bytes the file is identical.
    @Test(arguments: ["baseline.jpg", "orientation-6.jpg", "cmyk.jpg"], [1, 628, 65_519, 65_520, 200_000])
    func aProfileIsPutIn(_ name: String, _ count: Int) throws {
        let file = try Fixture.bytes(name)
        let old = try #require(JPEGHeader(file))
        try #require(old.iccProfile == nil)
        let profile = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = JPEGMetadata.inserting(profile: profile, into: file)
        let new = try #require(JPEGHeader(result))
        #expect(new.iccProfile == profile)
        let parts = (count + 65_518) / 65_519
        #expect(result.count == file.count + count + 18 * parts)
        let place = try #require(result.firstRange(of: Array("ICC_PROFILE\0".utf8))?.lowerBound) - 4
        #expect(Array(result[..<place]) + result[(place + result.count - file.count)...] == file)
        #expect(new.components == old.components && new.size == old.size && new.frame == old.frame)
        #expect(new.hasJFIF == old.hasJFIF && new.exifOrientation == old.exifOrientation)
        #expect(new.adobeTransform == old.adobeTransform && new.resolution == old.resolution)
        #expect(PictureCheck.defect(in: result, .jpeg) == nil)
    }

    /// Decoders expect JFIF and EXIF right after the beginning.
    @Test func profileIsInsertedAfterJFIFAndEXIF() throws {
        for name in ["baseline.jpg", "orientation-6.jpg"] {
            let result = JPEGMetadata.inserting(profile: [1], into: try Fixture.bytes(name))
            #expect([0xE0, 0xE1].contains(result[3]))
            let profile = try #require(result.firstRange(of: Array("ICC_PROFILE\0".utf8))?.lowerBound)
            let last = result.firstRange(of: Array("Exif\0\0".utf8)) ?? result.firstRange(of: Array("JFIF\0".utf8))
            #expect(profile > (last?.lowerBound ?? .max))
        }
        // Without either it comes first.
        let plain = try Fixture.bytes("cmyk.jpg")
        let file = Array(plain[..<2] + plain[20...])
        #expect(JPEGHeader(file)?.hasJFIF == false)
        #expect(Array(JPEGMetadata.inserting(profile: [9], into: file)[2...3]) == [0xFF, 0xE2])
    }

    @Test func emptyOrTooLargeProfileIsNotInserted() throws {
        let file = try Fixture.bytes("baseline.jpg")
        #expect(JPEGMetadata.inserting(profile: [], into: file) == file)
        let tooLarge = [UInt8](repeating: 0, count: 255 * 65_519 + 1)
        #expect(JPEGMetadata.inserting(profile: tooLarge, into: file) == file)
    }

    @Test func onlyTheOrientationIsReset() throws {
        let file = try Fixture.bytes("orientation-6.jpg")
        let result = JPEGMetadata.resettingOrientation(of: file)
        #expect(JPEGHeader(result)?.exifOrientation == 1)
        let changed = file.indices.filter { file[$0] != result[$0] }
        #expect(result.count == file.count)
        // 6 becomes 1, in one of the value's two bytes.
        #expect(changed.count == 1)
        #expect(JPEGMetadata.resettingOrientation(of: result) == result)
    }

    /// As one BYTE, SHORT or LONG.
    @Test(arguments: ["II", "MM"], [1: 1, 3: 2, 4: 4].map { ($0, $1) })
    func bothByteOrdersAreReset(_ order: String, _ type: (UInt8, Int)) {
        func number(_ bytes: [UInt8]) -> [UInt8] { order == "MM" ? bytes : bytes.reversed() }
        let zeros = [UInt8](repeating: 0, count: type.1 - 1)
        let value = number(zeros + [8]) + [0xAA, 0xBB, 0xCC].prefix(4 - type.1)
        let entry = number([0x01, 0x12]) + number([0, type.0]) + number([0, 0, 0, 1]) + value
        let exif =
            Array("Exif\0\0\(order)".utf8) + number([0, 42]) + number([0, 0, 0, 8]) + number([0, 1]) + entry
            + [0, 0, 0, 0]
        let length = UInt8(exif.count + 2)
        let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, length] + exif + [0xFF, 0xD9]
        let result = JPEGMetadata.resettingOrientation(of: file)
        let place = 6 + 6 + 8 + 2 + 8
        #expect(result == file.patched(at: place, number(zeros + [1])))
    }

    @Test func filesWithoutOrientationStayAsTheyAre() throws {
        for name in ["baseline.jpg", "cmyk.jpg", "progressive-icc.jpg", "gray.png"] {
            let file = try Fixture.bytes(name)
            #expect(JPEGMetadata.resettingOrientation(of: file) == file)
        }
        #expect(JPEGMetadata.resettingOrientation(of: []) == [])
    }

    @Test func cutFilesDoNotTrap() throws {
        let file = try Fixture.bytes("orientation-6.jpg")
        for length in 0..<file.count {
            let cut = Array(file.prefix(length))
            #expect(JPEGMetadata.resettingOrientation(of: cut).count == length)
            if length >= 2 { #expect(JPEGMetadata.inserting(profile: [1], into: cut).count == length + 19) }
        }
    }
}
