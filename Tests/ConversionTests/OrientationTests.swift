import AdapterKit
import Conversion
import Imaging
import PageModel
import Testing

/// Pictures that their own metadata turn, and that are turned once more.
@Suite struct OrientationTests {
    /// A JPEG that is turned back by what is done to it does not say any more that it is to be turned.
    @Test(arguments: [
        [Edit.turn(quarters: 3)], [.turn(quarters: 3), .crop(PixelRect(x: 16, y: 16, width: 500, height: 300))],
    ])
    func whatTurnsAPictureBackStaysDone(_ edits: [Edit]) async throws {
        var stage = try Stage(FakeSource([try MarkedPage().page(1, .turnedJPEG)]))
        stage.job.edits = edits
        _ = try await stage.run()
        let encoded = try #require(stage.sink.memory.now.pages.first).encoded()
        #expect(encoded.framing?.orientation == .upright)
        #expect(PictureHeader(encoded.bytes)?.orientation == .upright)
    }
}
