import AdapterKit
import Conversion
import Imaging
import PageModel
internal import Planning
import Scratch
import Testing
@testable import Audit

/// Pictures that their own metadata turn, and that are turned once more.
@Suite struct OrientationTests {
    /// A JPEG that an edit turns back is no longer marked as rotated.
    @Test(arguments: [
        [PageEdit.turn(quarters: 3)], [.turn(quarters: 3), .crop(PixelRect(x: 16, y: 16, width: 500, height: 300))],
    ])
    func turnedBackJPEGIsMarkedUpright(_ edits: [PageEdit]) async throws {
        var stage = try Stage(FakeSource([try MarkedPage().page(1, .turnedJPEG)]))
        stage.edits = edits
        _ = try await stage.run()
        let encoded = try #require(stage.sink.memory.now.pages.first).encoded()
        #expect(encoded.framing?.orientation == .upright)
        #expect(PictureHeader(encoded.bytes)?.orientation == .upright)
    }

    /// A JPEG whose sides are not whole numbers of MCUs: it cannot be rotated losslessly.
    private let odd = MarkedPage(size: PixelSize(width: 403, height: 563))

    /// The JPEG of a page that its own metadata turn.
    private func turned() async throws -> [UInt8] {
        guard case .encoded(let picture)? = try odd.picture(.turnedJPEG).representations.first else {
            throw Sample.Unreadable()
        }
        return try await picture.read().bytes
    }

    private func difference(_ page: FinishedPage) throws -> Double {
        let seen = try page.seen()
        try #require(seen.size == odd.size)
        let errors = zip(seen.samples, odd.raster.samples).map { abs(Double($0) - Double($1)) }
        return errors.reduce(0, +) / Double(errors.count)
    }

    @Test(.needs("djxl")) func aTurnedJPEGStaysWholeInAJPEGXL() async throws {
        var stage = try Stage(
            FakeSource([try odd.page(1, .turnedJPEG)]), sink: FakeSink(SinkCapabilities(formats: nil)))
        stage.job.encoding = EncodingRequest(format: .jpegXL)
        let report = try await stage.run()
        #expect(report.pages.first?.treatment == .lossless)
        let page = try #require(stage.sink.memory.now.pages.first)
        let encoded = try page.encoded()
        #expect(encoded.encoding == .jpegXL)
        #expect(try await JXLReconstruction.jpeg(of: encoded.bytes) == turned())
        #expect(PictureHeader(encoded.bytes)?.size == odd.size)
        #expect(try difference(page) < 3)
    }

    /// Outputs that turn pictures, that follow the JPEG's own metadata, and that do neither.
    @Test(
        .needs("djxl"),
        arguments: [
            SinkCapabilities(formats: [.jpeg, .png], holdsOnlyFormats: true, rotationSupport: .all),
            SinkCapabilities(formats: [.jpeg, .png], holdsOnlyFormats: true),
            SinkCapabilities(formats: [.jpeg, .png], holdsOnlyFormats: true, honorsOrientation: false),
        ]) func aTurnedJPEGOutOfAJPEGXLIsUpright(_ capabilities: SinkCapabilities) async throws
    {
        let file = try JXLEncoder.transcode(try await turned())
        let picture = try #require(PictureHeader(file)).picture(byteCount: file.count) { file }
        let page = Page(id: 1, name: "page 1") {
            Picture(size: picture.size, representations: [.encoded(picture)])
        }
        let stage = try Stage(FakeSource([page]), sink: FakeSink(capabilities))
        _ = try await stage.run()
        let finished = try #require(stage.sink.memory.now.pages.first)
        #expect(try difference(finished) < 3)
        let framing = try #require(try finished.encoded().framing)
        let own = try #require(PictureHeader(finished.encoded().bytes)).orientation
        #expect(capabilities.shows(framing, own: own))
    }

    /// Only a JPEG can be rotated without decoding it.
    @Test(arguments: [true, false]) func anEncodedPageSaysThatItsOrientationWasApplied(_ isHonored: Bool) async throws {
        let file = PNGWriter.encode(odd.raster)
        let picture = EncodedPicture(
            encoding: .png, size: odd.size, orientation: Orientation.upright.rotated(quarters: 1)
        ) { file }
        let page = Page(id: 1, name: "page 1") {
            Picture(size: picture.size, representations: [.encoded(picture)])
        }
        let capabilities = SinkCapabilities(
            formats: [.jpeg, .png], holdsOnlyFormats: true, honorsOrientation: isHonored)
        let report = try await Stage(FakeSource([page]), sink: FakeSink(capabilities)).run()
        let codes = try #require(report.pages.first).reason.parts.map(\.note.code.rawValue)
        #expect(codes.contains("orientation-applied") == !isHonored)
    }
}
