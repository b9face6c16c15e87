import Imaging
import PageModel
import Scratch
import Testing

@Suite struct DecodingCheckTests {
    private static let maxPixels = 1_000_000

    private static func isDamaged(_ check: DecodingCheck) -> Bool {
        if case .damaged = check { true } else { false }
    }

    @Test(arguments: ["", "-progressive"])
    func jpegWithZeroedDataIsDamaged(option: String) throws {
        var random = SplitMix(seed: 7)
        let size = PixelSize(width: 320, height: 320)
        let made = try SyntheticJPEG.random(.both, size, quality: 90, plainly: true, using: &random).file
        let file = try ReferenceTool.output("jpegtran \(option) -outfile out in", made, as: "")
        #expect(DecodingCheck(file, .jpeg, maxPixels: Self.maxPixels) == .decodes)
        // Its markers are whole, so that nothing shows without decoding.
        var broken = file
        let middle = file.count / 2
        broken.replaceSubrange(middle..<middle + 4096, with: repeatElement(0, count: 4096))
        #expect(PictureCheck.defect(in: broken, .jpeg) == nil)
        #expect(Self.isDamaged(DecodingCheck(broken, .jpeg, maxPixels: Self.maxPixels)))
    }

    @Test(arguments: [("lossy.webp", ImageEncoding.webp), ("baseline.jpg", .jpeg), ("still.gif", .gif)])
    func formatWithoutChecksumOnlyDecodes(name: String, encoding: ImageEncoding) throws {
        #expect(DecodingCheck(try Fixture.bytes(name), encoding, maxPixels: Self.maxPixels) == .decodes)
    }

    @Test func formatWithChecksumsIsSound() throws {
        #expect(DecodingCheck(try Fixture.bytes("gray.png"), .png, maxPixels: Self.maxPixels) == .sound)
    }

    @Test func imageOverTheLimitIsUnchecked() throws {
        guard case .unchecked = DecodingCheck(try Fixture.bytes("gray.png"), .png, maxPixels: 1) else {
            Issue.record("an image of more pixels than the limit was checked")
            return
        }
    }

    @Test func losslessJPEGIsUnchecked() throws {
        var file = try Fixture.bytes("baseline.jpg")
        let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file[frame + 1] = 0xC3
        guard case .unchecked = DecodingCheck(file, .jpeg, maxPixels: Self.maxPixels) else {
            Issue.record("a JPEG that libjpeg cannot decode was called damaged")
            return
        }
    }

    @Test func jpegOfMorePixelsThanItsBytesHoldIsDamaged() throws {
        var file = try Fixture.bytes("baseline.jpg")
        let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file.replaceSubrange(frame + 5..<frame + 9, with: repeatElement(0xFF, count: 4))
        #expect(PictureCheck.defect(in: file, .jpeg)?.english.contains("65535x65535") == true)
    }
}
