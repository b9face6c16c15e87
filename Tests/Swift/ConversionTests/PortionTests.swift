import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Adjustments
@testable import Conversion
@testable import Planning

/// JPEGs that are scaled while they are decoded are read in portions.
@Suite struct PortionTests {
    private static let read = AdapterError(.unreadable, "all bytes were read")

    /// A JPEG with a comment after its end.
    private static func file(_ size: PixelSize) throws -> [UInt8] {
        let samples = (0..<size.area).map { UInt8($0 % size.width * 255 / size.width) }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        return try PictureEncoder.encode(raster, as: .jpeg, .quality(37)) + Array("a comment".utf8)
    }

    private static func result(_ picture: EncodedPicture) async throws -> PageResult {
        let fit = Fit(frame: try #require(FitBox("80x", enlarges: false)))
        let size = try #require(picture.size)
        let operations = try #require(PixelOperations(size, .upright, [.change(fit)]))
        let parameters = EncodingParameters(EncodingRequest(), own: .jpeg, isLossy: true, formats: nil)
        let plan = PagePlan(
            .encoded, Reason(Note(.stored)), encoding: .jpeg, size: operations.size,
            ChangePixels(.encoded(picture), operations, parameters))
        return try await plan.carryOut(Renderer(limits: Limits())) { _, _ in throw Self.read }
    }

    @Test func resultIsThatOfAllBytes() async throws {
        let file = try Self.file(PixelSize(width: 640, height: 480))
        let header = try #require(PictureHeader(file))
        var whole = header.picture(byteCount: file.count) { file }
        whole.reportDefect { "its checksum is wrong" }
        var portions = header.picture(byteCount: file.count) { throw Self.read }
        portions.open = { () throws(AdapterError) in
            FilePortions(file) { () throws(AdapterError) in "its checksum is wrong" }
        }
        let (wanted, found) = (try await Self.result(whole), try await Self.result(portions))
        guard case .encoded(let first) = wanted.content, case .encoded(let second) = found.content else {
            Issue.record("the page is encoded")
            return
        }
        #expect(first.bytes == second.bytes && JPEGHeader(first.bytes)?.size == PixelSize(width: 80, height: 60))
        #expect(JPEGTables(second.bytes)?.luma == JPEGTables(file)?.luma)
        #expect(found.dropped?.english.contains("9 bytes after its end") == true && found.dropped == wanted.dropped)
        #expect(found.defects == ["its checksum is wrong"] && found.defects == wanted.defects)
    }

    @Test func changedFileIsAnError() async throws {
        let file = try Self.file(PixelSize(width: 640, height: 480))
        var picture = try #require(PictureHeader(file)).picture(byteCount: file.count) { file }
        let change = AdapterError(.unreadable, "the file has changed while it was read")
        picture.open = { () throws(AdapterError) in
            FilePortions(file) { () throws(AdapterError) in throw change }
        }
        await #expect(throws: change) { try await Self.result(picture) }
    }

    /// Otherwise a run with digests, or an overlay, would use bytes that nothing observes or changes.
    @Test func observedPicturesAreReadAsAWhole() {
        var picture = EncodedPicture(encoding: .jpeg, size: nil) { [] }
        picture.open = { () throws(AdapterError) in FilePortions([]) }
        picture.reportDefect { nil }
        #expect(picture.open != nil)
        picture.read = { ImageFile([]) }
        #expect(picture.open == nil)
    }
}
