import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Conversion

/// The encoding of pages that are drawn.
@Suite struct DrawingTests {
    private func plans(
        _ likeness: DrawnPicture.Likeness?, _ request: EncodingRequest = EncodingRequest(), edits: [Edit] = []
    ) throws -> [PagePlan] {
        var drawn = DrawnPicture(width: 2, height: 3, resolution: 144) { DecodedImage(raster: Sample.raster()) }
        drawn.likeness = likeness
        let planner = Planner(SinkCapabilities(formats: [.jpeg, .png, .webp]), request)
        return try planner.plans(for: Sample.page(edits: edits), Sample.picture(.drawn(drawn)))
    }

    private func formats(_ plans: [PagePlan]) -> [ImageEncoding?] { plans.map(\.encoding) }

    @Test func drawingOfAJPEGIsEncodedWithItsTables() throws {
        let plans = try plans(.jpeg { [] })
        #expect(formats(plans) == [.jpeg, .png])
        #expect(plans[0].treatment == .drawn)
        #expect(
            plans[0].reason.message.english.contains(
                "encoded as JPEG with the quantization tables of its largest image"))
    }

    @Test func drawingOfNoPictureIsStoredWithoutLosses() throws {
        #expect(formats(try plans(nil)) == [.png])
    }

    @Test func formatThatIsAskedForIsUsed() throws {
        #expect(formats(try plans(.jpeg { [] }, EncodingRequest(format: .png))) == [.png])
        #expect(formats(try plans(.jpeg { [] }, EncodingRequest(format: .webp))) == [.webp])
        let coarse = try plans(.jpeg { [] }, EncodingRequest(quality: 40))
        #expect(coarse[0].encoding == .jpeg && coarse[0].reason.message.english.contains("at quality 40"))
    }

    @Test func fewShadesAreStoredWithoutLosses() throws {
        #expect(formats(try plans(.jpeg { [] }, edits: [.gray, .depth(bits: 2)])) == [.png])
    }

    @Test func layersBecomeAJPEGOnlyWhereThatIsSmaller() async throws {
        // A drawing of one tone has next to nothing to store.
        let plan = try plans(.layers)[0]
        #expect(plan.encoding == .jpeg)
        let result = try await plan.carryOut(Renderer(limits: Limits())) { _, _ in throw CancellationError() }
        #expect(result.plan?.encoding == .png)
        #expect(result.plan?.reason.message.english == "at 144 pixels per inch")
        guard case .encoded(let page) = result.content else {
            Issue.record("nothing was encoded")
            return
        }
        #expect(page.encoding == .png)
    }
}
