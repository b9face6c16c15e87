import Dispatch
import Imaging
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// A page that takes too long is lost, and no other with it.
@Suite(.endsWhenItHangs) struct DrawingTimeTests {
    /// Draws all pages at once but the first, which waits to be let go.
    private struct Renderer: PageRenderer {
        let gate: DispatchSemaphore

        func draw(
            page index: Int, of file: [UInt8]?, size: PixelSize, resolution: Double, _ grid: PixelGrid?
        ) throws(AdapterError) -> DecodedImage {
            if index == 0 {
                gate.wait()
                gate.signal()
            }
            return DecodedImage(
                raster: Raster(size: PixelSize(width: 1, height: 1), format: .gray(bits: 8), samples: [0]))
        }

        func overlay(_ request: OverlayRequest) throws(AdapterError) -> OverlayPixels { OverlayPixels([]) }
        func text(of file: [UInt8]) throws(AdapterError) -> [TextLine] { [] }
        func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage? { nil }

        func text(onPage index: Int, of file: [UInt8]?) throws(AdapterError) -> [TextLine] {
            if index == 0 {
                gate.wait()
                gate.signal()
            }
            return []
        }
    }

    private let gate = DispatchSemaphore(value: 0)

    /// The time of a page that never ends; the others, which take none, must not exceed it on a busy machine.
    private static let limit = DispatchTimeInterval.seconds(3)

    private func pool(maximumCount: Int = 4) -> PDFWorkerPool<RenderingWorker> {
        let gate = gate
        let abandoned = AbandonedRenderings(maximumCount: maximumCount)
        return PDFWorkerPool {
            RenderingWorker(limit: DrawingTimeTests.limit, abandoned: abandoned) { () throws(AdapterError) in
                Renderer(gate: gate)
            }
        }
    }

    private func draw(_ page: Int, _ pool: PDFWorkerPool<RenderingWorker>) async throws -> DecodedImage {
        try await pool.withWorker {
            try await $0.draw(page: page, size: PixelSize(width: 1, height: 1), resolution: 72, nil)
        }
    }

    @Test func theNextPageDoesNotWaitForTheStuckOne() async throws {
        let pool = pool()
        let error = await #expect(throws: AdapterError.self) { try await draw(0, pool) }
        #expect(error?.code == .tooLarge && error?.message == "rendering it takes too long")
        #expect(error?.hint == "use --page-timeout to allow more seconds")
        for page in 1...3 { _ = try await draw(page, pool) }
        gate.signal()
    }

    @Test func textThatTakesTooLongIsGivenUpAsADrawingIs() async throws {
        let pool = pool()
        let error = await #expect(throws: AdapterError.self) {
            try await pool.withWorker { try await $0.text(onPage: 0) }
        }
        #expect(error?.code == .tooLarge && error?.message == "reading its text takes too long")
        _ = try await draw(1, pool)
        gate.signal()
    }

    @Test func stuckPagesDoNotTakeAllThreads() async throws {
        let pool = pool(maximumCount: 2)
        for _ in 0..<2 { await #expect(throws: AdapterError.self) { try await draw(0, pool) } }
        let error = await #expect(throws: AdapterError.self) { try await draw(1, pool) }
        #expect(error?.message.english.contains("still being rendered") == true)
        gate.signal()
        // The stuck drawings return sooner or later.
        for _ in 0..<6000 {
            if (try? await draw(1, pool)) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the pages that returned are still counted")
    }

    /// Neither the clock nor the thread keeps a lane whose page was drawn. The file of every book of a batch would stay open for
    /// as long, and a file that closes while the process ends crashes poppler.
    @Test func laneIsReleasedBeforeTheAnswer() async throws {
        for _ in 0..<200 {
            weak var seen: RenderingWorker?
            do {
                let gate = gate
                let worker = RenderingWorker(limit: .seconds(3600), abandoned: AbandonedRenderings()) {
                    () throws(AdapterError) in
                    Renderer(gate: gate)
                }
                seen = worker
                _ = try await worker.draw(page: 1, size: PixelSize(width: 1, height: 1), resolution: 72, nil)
            }
            try #require(seen == nil)
        }
    }

    /// Poppler, with a page that holds forms in forms in forms: ten million of them.
    @Test(arguments: [
        ("none", "rendering it takes too long"),
        ("auto", "the rendering process did not answer within 5 seconds"),
    ])
    func thePageTimeoutOfTheCommandFires(isolated: String, message: String) throws {
        let scratch = try ScratchFolder()
        let box = "/Type/XObject/Subtype/Form/BBox[0 0 100 100]"
        var forms: [String] = []
        for level in 0..<7 {
            let inner = String(repeating: "/F Do ", count: 10)
            forms.append(SyntheticPDF.stream("\(box)/Resources<</XObject<</F \(4 + level) 0 R>>>>", inner))
        }
        forms.append(SyntheticPDF.stream(box, "0 0 9 9 re f"))
        let annotation = "<</Type/Annot/Subtype/Stamp/Rect[0 0 100 100]/AP<</N 3 0 R>>>>"
        let page = "/MediaBox[0 0 100 100]"
        try scratch.write(
            "slow.pdf", SyntheticPDF.bytes(pages: ["\(page)/Annots[\(annotation)]", page, page], forms))
        let outcome = try BuiltJisui.run(
            ["slow.pdf", "-o", "out/", "--page-timeout", "5", "--jobs", "1", "--isolate", isolated],
            in: scratch("."),
            temporary: scratch("."))
        #expect(outcome.status == 3)
        #expect(outcome.errorText.contains("page 1: skipped: \(message)"), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("--page-timeout"))
        #expect(scratch.names(in: "out").filter { $0.hasSuffix(".png") }.count == 2)
    }
}
