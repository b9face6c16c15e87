import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Conversion
@testable import Planning

/// The encoding of pages that are drawn.
@Suite struct DrawingTests {
    private func plans(
        _ likeness: DrawnPicture.Likeness?, _ request: EncodingRequest = EncodingRequest(), edits: [PageEdit] = []
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
        #expect(formats(try plans(.jpeg { [] }, edits: [.gray, .shades(bits: 2)])) == [.png])
    }

    @Test func layersBecomeAJPEGOnlyWhereThatIsSmaller() async throws {
        // A drawing of one tone has next to nothing to store.
        let plan = try plans(.layers)[0]
        #expect(plan.encoding == .jpeg)
        let result = try await plan.carryOut(Renderer(limits: Limits())) { _, _ in throw CancellationError() }
        #expect(result.plan?.encoding == .png)
        let reason = "at 144 pixels per inch and in 16 colors or fewer, because all pixels have them"
        #expect(result.plan?.reason.message.english == reason)
        #expect(Note(.fewColors, "moved", 6).message.english.hasSuffix("others moved by up to 6 of 255"))
        guard case .encoded(let page) = result.content else {
            Issue.record("nothing was encoded")
            return
        }
        #expect(page.encoding == .png)
    }

    /// What a rendering like a black-and-white scan becomes after edits.
    private func bilevel(_ edits: [PageEdit]) async throws -> PageResult {
        let size = PixelSize(width: 4, height: 6)
        let raster = Raster(size: size, format: .gray(bits: 8), samples: (0..<24).map { UInt8(10 * $0) })
        var drawn = DrawnPicture(width: 2, height: 3, resolution: 144) { DecodedImage(raster: raster) }
        drawn.likeness = .bilevel
        let planner = Planner(SinkCapabilities(formats: [.jpeg, .png]), EncodingRequest())
        let plans = try planner.plans(for: Sample.page(edits: edits), Sample.picture(.drawn(drawn)))
        #expect(formats(plans) == [.png])
        return try await plans[0].carryOut(Renderer(limits: Limits())) { _, _ in throw CancellationError() }
    }

    private func format(_ result: PageResult) throws -> PixelFormat {
        guard case .encoded(let page) = result.content else { throw CancellationError() }
        return try PictureDecoder.decode(page.bytes, DecodeRequest(.png, maximumPixels: 100)).raster.format
    }

    // The results are looked at in functions that are not async: the optimizer of Swift 6.3 crashes otherwise.

    @Test func blackAndWhiteIsStoredInSixteenLevels() async throws {
        try expectSixteenLevels(try await bilevel([]))
    }

    private func expectSixteenLevels(_ few: PageResult) throws {
        #expect(try format(few) == .gray(bits: 4))
        #expect(few.plan?.reason.message.english.contains("in 16 levels of gray") == true)
    }

    @Test func operationsOnPixelsNeedAllLevels() async throws {
        try expectAllLevels(try await bilevel([.fit(FitBox(width: 2, height: 3))]))
    }

    @Test func scansOfOneBitKeepSixteenLevelsWhenScaled() async throws {
        try expectSixteenLevels(try await scaled(.gray(bits: 1)))
    }

    @Test func scansOfMoreBitsKeepAllLevelsWhenScaled() async throws {
        try expectAllLevels(try await scaled(.gray(bits: 2)))
    }

    /// What samples become when they are scaled down.
    private func scaled(_ pixels: PixelFormat) async throws -> PageResult {
        let size = PixelSize(width: 8, height: 8)
        let rows = Raster.bytesPerRow(width: size.width, format: pixels) * size.height
        let raster = Raster(size: size, format: pixels, samples: (0..<rows).map { UInt8($0 * 37 & 255) })
        let sampled = SampledPicture(compression: "Flate", size: size, format: pixels) { DecodedImage(raster: raster) }
        let planner = Planner(SinkCapabilities(formats: [.jpeg, .png]), EncodingRequest())
        let page = Sample.page(edits: [.fit(FitBox(width: 5, height: nil))])
        let plans = try planner.plans(for: page, Sample.picture(.sampled(sampled)))
        return try await plans[0].carryOut(Renderer(limits: Limits())) { _, _ in throw CancellationError() }
    }

    private func expectAllLevels(_ fitted: PageResult) throws {
        #expect(try format(fitted) == .gray(bits: 8))
        #expect(fitted.plan == nil)
    }
}
