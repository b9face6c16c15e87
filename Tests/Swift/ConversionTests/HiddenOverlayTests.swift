import AdapterKit
import Conversion
import PageModel
import Planning
import Testing

@testable import Audit

/// Scans whose overlay is on a part that is cropped off.
@Suite struct HiddenOverlayTests {
    private static let (plain, stamped): (UInt8, UInt8) = (7, 9)

    /// A page of 4 × 6 pixels with a stamp on its last two rows.
    private func page() -> Page {
        var sampled = SampledPicture(compression: "JBIG2", size: Sample.size, format: .gray(bits: 8)) {
            var image = DecodedImage(raster: Sample.raster(HiddenOverlayTests.stamped))
            let area = PixelRect(x: 1, y: 4, width: 2, height: 2)
            image.patchResult = PatchResult(share: 0.3, areas: [area], text: "Downloaded")
            return image
        }
        sampled.overlay = PictureOverlay("text")
        sampled.readWithoutOverlay = { DecodedImage(raster: Sample.raster(HiddenOverlayTests.plain)) }
        return Sample.page(1, Sample.picture(.sampled(sampled)))
    }

    /// The page is the one that it would be without the overlay.
    @Test(arguments: [
        ([PageEdit.crop(PixelRect(x: 0, y: 0, width: 4, height: 4))], true),
        ([.turn(quarters: 1), .crop(PixelRect(x: 2, y: 0, width: 4, height: 4))], true),
        ([.crop(PixelRect(x: 3, y: 0, width: 1, height: 6))], true),
        ([.crop(PixelRect(x: 0, y: 0, width: 4, height: 5))], false),
        ([.turn(quarters: 1)], false), ([], false),
    ])
    func anOverlayThatIsCutOffIsNotMerged(_ edits: [PageEdit], _ isHidden: Bool) async throws {
        var stage = try Stage(FakeSource([page()]))
        stage.edits = edits
        let report = try await stage.run()
        let made = try #require(report.pages.first)
        #expect(made.treatment == (isHidden ? .lossless : .patched))
        #expect(made.has([.overlayInvisible]) == isHidden && made.has([.patchedShare]) != isHidden)
        #expect((ScanNotes.patched(report.pages) == nil) == isHidden)
        let seen = try #require(stage.sink.memory.now.pages.first).seen()
        #expect(seen.samples.first == (isHidden ? HiddenOverlayTests.plain : HiddenOverlayTests.stamped))
    }
}
