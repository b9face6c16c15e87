import AdapterKit
import Files
import OrderedJSON
import PageModel
import Scratch
import Synchronization
import Testing

@testable import Conversion

/// Outputs of one run that need the same image of a page share it.
@Suite struct SharedImagesTests {
    /// A sink whose output has a place for the others.
    private struct MainSink: AccompaniedSink {
        final class Session: AccompaniedSession {
            private let session: any SinkSession

            init(_ session: any SinkSession) { self.session = session }

            func add(_ page: FinishedPage) throws(AdapterError) -> String { try session.add(page) }

            func finish() async throws { try await session.finish() }

            func destination(alongside sink: AdapterDescriptor) -> Destination? {
                Destination(path: "/nowhere/book.\(sink.id)")
            }
        }

        let sink: FakeSink
        let others: [String]

        var descriptor: AdapterDescriptor { sink.descriptor }

        func form(_ settings: Settings) -> OutputForm { .folder }

        func capabilities(_ request: SinkRequest) -> SinkCapabilities { sink.capabilities }

        func formatsAlongside(_ settings: Settings) -> [String] { others }

        func begin(_ request: SinkRequest) -> any SinkSession { Session(sink.begin(request)) }
    }

    /// A sink of another name that can refuse pages.
    private struct OtherSink: SinkAdapter {
        final class Session: SinkSession {
            private let session: any SinkSession
            private let refuse: @Sendable (FinishedPage) throws(AdapterError) -> Void

            init(
                _ session: any SinkSession, _ refuse: @escaping @Sendable (FinishedPage) throws(AdapterError) -> Void
            ) {
                (self.session, self.refuse) = (session, refuse)
            }

            func add(_ page: FinishedPage) throws(AdapterError) -> String {
                try refuse(page)
                return try session.add(page)
            }

            func finish() async throws { try await session.finish() }
        }

        let descriptor: AdapterDescriptor
        let sink: FakeSink
        var refuse: @Sendable (FinishedPage) throws(AdapterError) -> Void = { _ throws(AdapterError) in }

        init(_ id: String, _ capabilities: SinkCapabilities = SinkCapabilities(formats: [.jpeg, .png, .gif])) {
            descriptor = AdapterDescriptor(id: id, summary: "test", extensions: [id])
            sink = FakeSink(capabilities)
        }

        func form(_ settings: Settings) -> OutputForm { .file }

        func capabilities(_ request: SinkRequest) -> SinkCapabilities { sink.capabilities }

        func begin(_ request: SinkRequest) -> any SinkSession { Session(sink.begin(request), refuse) }
    }

    /// The images that were read, by their names.
    private final class Reads: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0.sorted() } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let reads = Reads()
    private static let size = PixelSize(width: 4, height: 6)
    private static let wholeSize = PixelSize(width: 8, height: 6)
    private static let crop = PageEdit.crop(PixelRect(x: 1, y: 1, width: 2, height: 3))

    /// A page of samples, which every output has to encode.
    private func sampled(_ id: Int) -> Picture.Representation {
        .sampled(
            SampledPicture(compression: "CCITT G4", size: Self.size, format: .gray(bits: 8)) { [reads] in
                reads.add("samples \(id)")
                return DecodedImage(raster: Sample.raster(UInt8(id)))
            })
    }

    private func gif(_ id: Int, error: AdapterError? = nil) -> Picture.Representation {
        .encoded(
            EncodedPicture(encoding: .gif, size: Self.size) { [reads] in
                reads.add("file \(id)")
                if let error { throw error }
                return Sample.gif
            })
    }

    private func drawn(_ id: Int) -> Picture.Representation {
        .drawn(
            DrawnPicture(width: 2, height: 3, resolution: 144) { [reads] in
                reads.add("drawing \(id)")
                return DecodedImage(raster: Sample.raster(UInt8(id)))
            })
    }

    private func page(_ id: Int, _ representations: Picture.Representation...) -> Page {
        let picture = Picture(size: Self.size, representations: representations, reason: nil, defects: [])
        return Page(id: id, name: "page \(id)") { picture }
    }

    private func run(
        _ pages: [Page], _ main: FakeSink = FakeSink(), with others: [OtherSink], edits: [PageEdit] = [],
        change: (inout Job) -> Void = { _ in }
    ) async throws -> Report {
        let stage = try Stage(FakeSource(pages))
        var job = stage.job
        change(&job)
        return try await Conversion(
            Registry(
                sources: [stage.source], transforms: [CommonEdits(edits)],
                sinks: [MainSink(sink: main, others: others.map(\.descriptor.id))] + others), job
        ).run()
    }

    /// Runs a conversion to one sink alone.
    private func run(
        _ pages: [Page], to sink: OtherSink, edits: [PageEdit], change: (inout Job) -> Void = { _ in }
    ) async throws -> Report {
        let stage = try Stage(FakeSource(pages))
        var job = stage.job
        job.sink = sink.descriptor.id
        change(&job)
        return try await Conversion(
            Registry(sources: [stage.source], transforms: [CommonEdits(edits)], sinks: [sink]), job
        ).run()
    }

    /// Returns two pages as one, which has the number of its first part.
    private func merged(_ pages: [Page]) async throws -> Page {
        var parts: [JoinedPicture.Part] = []
        for (index, page) in pages.enumerated() {
            let place = PixelRect(x: 4 * index, y: 0, width: 4, height: 6)
            parts.append(JoinedPicture.Part(page: page, picture: try await page.examine(), place: place))
        }
        let joined = Picture(
            size: Self.wholeSize, representations: [.joined(JoinedPicture(size: Self.wholeSize, parts: parts))],
            reason: nil, defects: [])
        var merged = Page(id: 1, name: "page 1 and page 2") { joined }
        merged.parts = pages
        return merged
    }

    private static func files(_ sink: FakeSink) -> [[UInt8]] {
        sink.memory.now.pages.map { page in
            if case .encoded(let picture) = page.content { picture.bytes } else { [] }
        }
    }

    // MARK: Equal plans

    @Test func outputsWithEqualPlansEncodeAPageOnce() async throws {
        let (main, one, two) = (FakeSink(), OtherSink("one"), OtherSink("two"))
        let pages = [page(1, sampled(1)), page(2, gif(2)), page(3, sampled(3))]
        _ = try await run(pages, main, with: [one, two], edits: [Self.crop]) { $0.width = 2 }
        #expect(reads.all == ["file 2", "samples 1", "samples 3"])
        let alone = OtherSink("alone")
        _ = try await run(pages, to: alone, edits: [Self.crop])
        let expected = Self.files(alone.sink)
        #expect(expected.count == 3 && expected.allSatisfy { !$0.isEmpty })
        for sink in [main, one.sink, two.sink] {
            #expect(Self.files(sink) == expected)
            #expect(sink.memory.now.finished == 1)
        }
    }

    /// The second and the third output share an image that the first does not need.
    @Test func laterOutputsShareAnImage() async throws {
        let main = FakeSink(SinkCapabilities(formats: [.png, .gif], showsParts: true))
        let (one, two) = (OtherSink("one"), OtherSink("two"))
        _ = try await run([page(1, gif(1))], main, with: [one, two], edits: [Self.crop])
        // The main output copies the file and shows a part of it.
        #expect(reads.all == ["file 1", "file 1"])
        #expect(Self.files(main) == [Sample.gif])
        #expect(Self.files(one.sink) == Self.files(two.sink) && Self.files(one.sink) != [Sample.gif])
    }

    @Test func mergedPagesAreEncodedOnce() async throws {
        let merged = try await merged([page(1, sampled(1)), page(2, sampled(2))])
        let one = OtherSink("one")
        // The main output shows the parts, and merges nothing.
        let main = FakeSink(SinkCapabilities(formats: [.png], showsSpreads: true))
        let two = OtherSink("two")
        let report = try await run([merged], main, with: [one, two])
        #expect(reads.all == ["samples 1", "samples 1", "samples 2", "samples 2"])
        #expect(Self.files(main).count == 2 && Self.files(one.sink).count == 1)
        #expect(Self.files(one.sink) == Self.files(two.sink))
        #expect(report.alongside.map(\.pages.first?.size) == [Self.wholeSize, Self.wholeSize])
    }

    /// All outputs plan the page without the operation. The first output reads the page for both attempts.
    @Test func outputsShareAPageWithoutAnOmittedOperation() async throws {
        let (main, one) = (FakeSink(), OtherSink("one"))
        let edit = PageEdit.change(OptionalChange(.failed(Sample.damage)))
        let report = try await run([page(1, sampled(1))], main, with: [one], edits: [edit])
        #expect(reads.all == ["samples 1", "samples 1"])
        #expect(Self.files(one.sink) == Self.files(main))
        #expect(report.warnings.map(\.code) == ["page-not-changed"])
    }

    /// Each output uses the plans that were made to find the images that it shares.
    @Test func laterOutputsDoNotPlanAgain() async throws {
        var sharing = ImageSharing(SharedImages { nil }, later: [Planner(SinkCapabilities(formats: [.png]))])
        let operation = OptionalChange(.blackened)
        var changed = page(2, sampled(2))
        changed.edits = [.change(operation)]
        for page in [page(1, sampled(1)), changed] { _ = await sharing.of(page) }
        sharing.later.removeFirst()
        let planned = try #require(sharing.takePlans(of: page(1, sampled(1))))
        #expect(planned.plans.map(\.treatment) == [.lossless] && sharing.takePlans(of: planned.page) == nil)
        _ = operation.omit()
        #expect(sharing.takePlans(of: changed) == nil)
    }

    // MARK: Different plans

    /// An operation on a part may be omitted between two outputs.
    @Test func mergedPageWithoutAnOmittedOperationIsAnotherImage() async throws {
        let operation = OptionalChange(.blackened)
        var changed = page(1, sampled(1))
        changed.edits = [.change(operation)]
        let merged = try await merged([changed, page(2, sampled(2))])
        let picture = try await merged.examine()
        let planner = Planner(SinkCapabilities(formats: [.png]))
        func work() throws -> [ImageWork] { try planner.plans(for: merged, picture).compactMap { $0.work(on: 1) } }
        let before = try work()
        #expect(try !before.isEmpty && before == work())
        _ = operation.omit()
        #expect(try before != work())
    }

    @Test func outputsWithDifferentPlansMakeTheirOwnImages() async throws {
        let main = FakeSink()
        let shows = OtherSink("shows", SinkCapabilities(formats: [.png, .gif], showsParts: true))
        let pixels = OtherSink("pixels", SinkCapabilities(formats: nil, takesRasters: true))
        let report = try await run([page(1, gif(1))], main, with: [shows, pixels], edits: [Self.crop])
        #expect(Self.files(shows.sink) == [Sample.gif] && Self.files(main) != [Sample.gif])
        guard case .raster(let raster)? = pixels.sink.memory.now.pages.first?.content else {
            Issue.record("no pixels")
            return
        }
        #expect(raster.raster.size == PixelSize(width: 2, height: 3))
        #expect(report.pages.map(\.treatment) == [.lossless])
        #expect(report.alongside.map { $0.pages.map(\.treatment) } == [[.verbatim], [.lossless]])
    }

    // MARK: Reports

    /// The report on each output is that of a run without the others, including the digests.
    @Test(arguments: [false, true]) func reportsAreThoseOfSingleRuns(_ isDamaged: Bool) async throws {
        let error = isDamaged ? Sample.damage : nil
        let pages = [page(1, gif(1, error: error), drawn(1)), page(2, sampled(2)), page(3, gif(3))]
        let change: (inout Job) -> Void = { $0.findsDigests = true }
        let (one, two) = (OtherSink("one"), OtherSink("two"))
        let together = try await run(pages, with: [one, two], edits: [Self.crop], change: change)
        let alone = OtherSink("one")
        let single = try await run(pages, to: alone, edits: [Self.crop], change: change)
        let expected = single.pages.map(\.json.text)
        #expect(expected.first?.contains("\"digests\"") == true)
        #expect(together.alongside.map { $0.pages.map(\.json.text) } == [expected, expected])
        #expect(together.warnings == single.warnings)
        #expect(Self.files(one.sink) == Self.files(alone.sink) && Self.files(two.sink) == Self.files(alone.sink))
    }

    @Test func damagedPagesShareTheImageThatIsLeft() async throws {
        let pages = [page(1, gif(1, error: Sample.damage), drawn(1))]
        let report = try await run(pages, with: [OtherSink("one")], edits: [Self.crop])
        #expect(reads.all == ["drawing 1", "file 1", "file 1"])
        #expect(report.warnings.map(\.code) == ["damaged-page"])
    }

    // MARK: Failures

    @Test func aPageThatOneOutputRefusesIsInTheOthers() async throws {
        var one = OtherSink("one")
        one.refuse = { page throws(AdapterError) in
            if page.page.id == 1 { throw AdapterError(.unsupported, "too wide") }
        }
        let (main, two) = (FakeSink(), OtherSink("two"))
        let report = try await run([page(1, sampled(1)), page(2, sampled(2))], main, with: [one, two])
        #expect(reads.all == ["samples 1", "samples 2"])
        #expect(Self.files(main).count == 2 && Self.files(two.sink) == Self.files(main))
        #expect(Self.files(one.sink) == Array(Self.files(main).suffix(1)))
        #expect(report.warnings.map(\.message.english) == ["in the additional one output: skipped"])
        #expect(report.alongside.map { $0.pages.map(\.source) } == [["page 2"], ["page 1", "page 2"]])
    }

    @Test func anOutputThatFailsEndsTheRun() async throws {
        var one = OtherSink("one")
        one.refuse = { _ throws(AdapterError) in throw AdapterError(.unwritable, "no space") }
        let main = FakeSink()
        do {
            _ = try await run([page(1, sampled(1))], main, with: [one, OtherSink("two")])
            Issue.record("the run did not fail")
        } catch let error as AdapterError {
            #expect(error.code == .unwritable && error.message.english == "--with one: no space")
        }
        #expect(main.memory.now.finished == 0)
    }

    @Test func withoutATemporaryFileEachOutputMakesTheImage() async throws {
        let sharing = ImageSharing(SharedImages { nil }, later: [Planner(SinkCapabilities(formats: [.png]))])
        let given = page(1, sampled(1))
        let picture = try await given.examine()
        let plan = try #require(try Planner(SinkCapabilities(formats: [.png])).plans(for: given, picture).first)
        let ofPage = await sharing.of(given)
        let renderer = Renderer(limits: Limits(), sharing: (ofPage, given.id))
        for _ in 1...2 {
            let result = try await plan.carryOut(renderer) { _, _ in throw CancellationError() }
            #expect(result.content.byteCount ?? 0 > 0)
        }
        #expect(reads.all == ["samples 1", "samples 1"])
    }
}
