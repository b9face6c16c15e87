import AdapterKit
import Files
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Audit
@testable import Conversion

/// The outputs of one run, of which all but the first are additional formats.
@Suite struct AdditionalOutputsTests {
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

    private static let size = PixelSize(width: 4, height: 6)
    private static let crop = PageEdit.crop(PixelRect(x: 1, y: 1, width: 2, height: 3))

    /// A page of samples, which every output has to encode.
    private func sampled(_ id: Int) -> Picture.Representation {
        .sampled(
            SampledPicture(compression: "CCITT G4", size: Self.size, format: .gray(bits: 8)) {
                DecodedImage(raster: Sample.raster(UInt8(id)))
            })
    }

    private func gif(error: AdapterError? = nil) -> Picture.Representation {
        .encoded(
            EncodedPicture(encoding: .gif, size: Self.size) {
                if let error { throw error }
                return Sample.gif
            })
    }

    private func drawn(_ id: Int) -> Picture.Representation {
        .drawn(
            DrawnPicture(width: 2, height: 3, resolution: 144) {
                DecodedImage(raster: Sample.raster(UInt8(id)))
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

    private static func files(_ sink: FakeSink) -> [[UInt8]] {
        sink.memory.now.pages.map { page in
            if case .encoded(let picture) = page.content { picture.bytes } else { [] }
        }
    }

    @Test func operationThatFailsIsOmittedForAllOutputs() async throws {
        let (main, one) = (FakeSink(), OtherSink("one"))
        let edit = PageEdit.change(OptionalChange(.failed(Sample.damage)))
        let report = try await run([page(1, sampled(1))], main, with: [one], edits: [edit])
        #expect(Self.files(one.sink) == Self.files(main))
        #expect(report.warnings.map(\.code) == ["page-not-changed"])
    }

    @Test(arguments: [false, true]) func reportsAreThoseOfSingleRuns(_ isDamaged: Bool) async throws {
        let error = isDamaged ? Sample.damage : nil
        let pages = [page(1, gif(error: error), drawn(1)), page(2, sampled(2)), page(3, gif())]
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

    @Test func aPageThatOneOutputRefusesIsInTheOthers() async throws {
        var one = OtherSink("one")
        one.refuse = { page throws(AdapterError) in
            if page.page.id == 1 { throw AdapterError(.unsupported, "too wide") }
        }
        let (main, two) = (FakeSink(), OtherSink("two"))
        let report = try await run([page(1, sampled(1)), page(2, sampled(2))], main, with: [one, two])
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
}
