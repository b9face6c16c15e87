import AdapterKit
import Conversion
import OrderedJSON
import PageModel
internal import Planning
import Scratch
import Synchronization
import Testing

@testable import Audit
@testable import Flatten
@testable import Trim

/// Transforms stand between source and sink, and see pages upright and cropped.
@Suite struct TransformTests {
    /// Keeps the area that a test specifies, and records the pages that it saw.
    private final class PreviewingTransform: PageTransform {
        let descriptor = AdapterDescriptor(
            id: "looker", summary: "test", extensions: [],
            settings: [Setting("squint", .flag, valueName: "", help: "Do nothing")])
        let seen = Mutex<[PagePreview]>([])
        let failures = Mutex(0)
        let kept: PixelRect?

        init(keeping kept: PixelRect? = nil) { self.kept = kept }

        func passes(_ settings: Settings) -> [Pass] {
            [Pass(.trim, sharing: settings.flag("squint") ? [.pageTimeout] : []) { try await self.looked(at: $0, $1) }]
        }

        private func looked(at sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence {
            var result = sequence
            for index in result.pages.indices {
                guard let preview = try? await request.previews.preview(of: result.pages[index], pixels: 1, as: .ink)
                else {
                    failures.withLock { $0 += 1 }
                    continue
                }
                seen.withLock { $0.append(preview) }
                if let kept { result.pages[index].edits.append(.keep(kept, of: preview.size)) }
                result.pages[index].layout = PageLayout(content: kept, confidence: 1, remark: "looked at")
            }
            return result
        }
    }

    private func run(
        _ picture: Picture?, _ previewing: PreviewingTransform, edits: [PageEdit] = [], settings: [String: String] = [:]
    ) async throws -> Report {
        let stage = try Stage(
            FakeSource([
                Sample.page(1, Sample.picture(Sample.sampled())), Sample.page(2, picture),
            ]))
        var job = stage.job
        job.settings = settings
        job.isDryRun = true
        let registry = Registry(
            sources: stage.registry.sources, transforms: [CommonEdits(edits), previewing], sinks: stage.registry.sinks)
        return try await Conversion(registry, job).run()
    }

    @Test func pageTimeoutIsForTransformsThatUseIt() async throws {
        let picture = Sample.picture(Sample.sampled())
        _ = try await run(picture, PreviewingTransform(), settings: ["squint": "true", "page-timeout": "600"])
        let error = await #expect(throws: AdapterError.self) {
            try await run(picture, PreviewingTransform(), settings: ["page-timeout": "600"])
        }
        #expect(error?.code == .usage)
    }

    @Test func findingsAreReported() async throws {
        let previewing = PreviewingTransform(keeping: PixelRect(x: 1, y: 1, width: 2, height: 3))
        let report = try await run(Sample.picture(Sample.sampled()), previewing)
        #expect(report.pages[1].crop == PixelRect(x: 1, y: 1, width: 2, height: 3))
        #expect(report.pages[1].remarks == ["looked at"])
        #expect(report.json(version: "1").text.contains("\"content\": [1, 1, 2, 3], \"pageNumber\": null"))
    }

    @Test func reportOmitsConfidenceOfUnexaminedPages() async throws {
        let stage = try Stage(FakeSource())
        #expect(try await !stage.run().json(version: "1").text.contains("confidence"))
    }

    /// Cuts and turns come before, what changes pixels after: a transform sees the page upright and in full.
    @Test func pagesAreSeenUprightAndCropped() async throws {
        let previewing = PreviewingTransform()
        let edits: [PageEdit] = [
            .crop(PixelRect(x: 1, y: 0, width: 3, height: 6)), .turn(quarters: 1),
            .fit(FitBox(width: 2, height: 2)),
        ]
        let report = try await run(Sample.picture(Sample.sampled()), previewing, edits: edits)
        let preview = try #require(previewing.seen.withLock { $0 }.last)
        #expect(preview.size == PixelSize(width: 6, height: 3) && preview.raster.size.height <= 3)
        #expect(preview.origin == (0, 1))
        #expect(report.pages[1].size == PixelSize(width: 2, height: 1))
    }

    /// A crop of one representation of a page applies to a drawing at another resolution.
    @Test func cropAppliesToOtherRepresentations() async throws {
        let previewing = PreviewingTransform(keeping: PixelRect(x: 1, y: 1, width: 2, height: 3))
        let large = Sample.sampled(size: PixelSize(width: 8, height: 12), error: Sample.damage)
        let report = try await run(Sample.picture(large, Sample.drawn()), previewing)
        #expect(report.pages[0].crop == PixelRect(x: 1, y: 1, width: 2, height: 3))
        #expect(report.pages[1].crop == PixelRect(x: 2, y: 2, width: 4, height: 6))
    }

    /// A page that was deskewed and cropped before is seen so, and the crop refers to the deskewed picture.
    @Test func deskewedPagesAreSeenDeskewed() async throws {
        let previewing = PreviewingTransform()
        let page = Sample.page(
            1, edits: [.deskew(degrees: 3), .keep(PixelRect(x: 1, y: 2, width: 2, height: 3), of: Sample.size)],
            Sample.picture(Sample.sampled()))
        let stage = try Stage(FakeSource([page]))
        var job = stage.job
        job.isDryRun = true
        let registry = Registry(sources: stage.registry.sources, transforms: [previewing], sinks: stage.registry.sinks)
        let report = try await Conversion(registry, job).run()
        let preview = try #require(previewing.seen.withLock { $0 }.last)
        #expect(preview.size == PixelSize(width: 2, height: 3) && preview.origin == (1, 2))
        // The 4 by 6 pixels reduced to 1 by 2.
        #expect(preview.raster.size == PixelSize(width: 1, height: 2))
        #expect(report.pages[0].crop == PixelRect(x: 1, y: 2, width: 2, height: 3))
        #expect(
            report.pages[0].treatment == .encoded
                && report.pages[0].reason.message.english.contains("deskewed and cropped"))
    }

    /// A page that was flattened before is seen flat, where it can no longer be cut without loss.
    @Test func flattenedPagesAreSeenFlat() async throws {
        let previewing = PreviewingTransform()
        let shifts = [Flattening.Shift](repeating: Flattening.Shift(across: 0.1, down: 0), count: 4)
        let mesh = try #require(Flattening(columns: 2, rows: 2, shifts: shifts))
        let page = Sample.page(1, edits: [.flatten(mesh)], Sample.picture(Sample.sampled()))
        let stage = try Stage(FakeSource([page]))
        var job = stage.job
        job.isDryRun = true
        let registry = Registry(sources: stage.registry.sources, transforms: [previewing], sinks: stage.registry.sinks)
        let report = try await Conversion(registry, job).run()
        let preview = try #require(previewing.seen.withLock { $0 }.last)
        #expect(preview.size == Sample.size && preview.grid == nil)
        #expect(report.pages[0].treatment == .encoded && report.pages[0].reason.message.english.contains("flattened"))
    }

    /// Missing parts of a drawing must not be mistaken for blank paper.
    @Test func previewReportsDefectsOfADrawing() async throws {
        let previewing = PreviewingTransform()
        _ = try await run(Sample.picture(Sample.drawn(["a font is missing"])), previewing)
        #expect(previewing.seen.withLock { $0 }.last?.damage == "something may be missing from it (a font is missing)")
    }

    /// A page is examined once, for any number of requests.
    @Test func pagesAreExaminedOnce() async throws {
        let count = Mutex(0)
        let page = Page(id: 1, name: "page 1") {
            count.withLock { $0 += 1 }
            return Sample.picture(Sample.encoded())
        }
        let stage = try Stage(FakeSource([page]))
        let registry = Registry(
            sources: stage.registry.sources, transforms: [PreviewingTransform(), PreviewingTransform()],
            sinks: stage.registry.sinks)
        _ = try await Conversion(registry, stage.job).run()
        #expect(count.withLock { $0 } == 1)
    }

    @Test func damagedRepresentationIsSkipped() async throws {
        let previewing = PreviewingTransform()
        _ = try await run(Sample.picture(Sample.encoded(error: Sample.damage), Sample.drawn()), previewing)
        #expect(previewing.seen.withLock(\.count) == 2)
    }

    @Test func transformIsNotifiedOfAnUnreadablePage() async throws {
        let previewing = PreviewingTransform()
        let report = try await run(nil, previewing)
        #expect(previewing.failures.withLock { $0 } == 1)
        #expect(report.pages.count == 1)
        #expect(report.warnings.map(\.code) == ["page-skipped"])
    }

    /// The run copies the page, so nothing else explains why it is not changed. Two transforms look at it.
    @Test func pagesThatAreCopiedWithoutAnAnalysisAreReported() async throws {
        let stage = try Stage(FakeSource([Sample.page(1, Sample.picture(Sample.encoded()))]))
        var job = stage.job
        job.limits.pixels = Sample.size.area - 1
        let registry = Registry(
            sources: stage.registry.sources, transforms: [PreviewingTransform(), PreviewingTransform()],
            sinks: stage.registry.sinks)
        let report = try await Conversion(registry, job).run()
        #expect(report.pages.map(\.treatment) == [.verbatim])
        #expect(report.warnings.map(\.code) == ["page-not-analyzed"])
        #expect(report.warnings.first?.hint == "use --max-pixels to allow more")
    }

    @Test func itsSettingsAreKnown() async throws {
        let picture = Sample.picture(Sample.sampled())
        #expect(try await run(picture, PreviewingTransform(), settings: ["squint": "true"]).pages.count == 2)
        let error = await #expect(throws: AdapterError.self) {
            try await run(picture, PreviewingTransform(), settings: ["frown": "true"])
        }
        #expect(error?.code == .usage)
    }
}
