import Imaging
import PageModel
import Testing

@testable import ExternalAdapters

/// The worker processes of a run, for threads that do not inherit them.
@Suite struct InheritedIsolationTests {
    private struct Host: DecodingHost {
        func takes(_ encoding: ImageEncoding) -> Bool { true }

        func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
            throw PictureFault("not decoded")
        }
    }

    /// The thread of a plug-in has no task, so previews for it must be given their workers.
    @Test func isolationIsInherited() async throws {
        let isolation = PictureDecoder.$host.withValue(Host()) { InheritedIsolation() }
        #expect(PictureDecoder.host == nil)
        #expect(try await isolation.inherited { PictureDecoder.host != nil })
    }
}
