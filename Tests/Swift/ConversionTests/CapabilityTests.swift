import AdapterKit
import Conversion
import Files
import FolderSource
import Imaging
import OrderedJSON
import PageModel
import Planning
import Scratch
import Spreads
import Testing
import Trim

@testable import Audit

/// Anything that an output can express by itself is never baked into a picture.
@Suite struct CapabilityTests {
    private static let able = SinkCapabilities(
        formats: [.jpeg, .png], showsParts: true, rotationSupport: .quarterTurns, showsSpreads: true)

    /// A folder of JPEGs with a black block on white, two of them slightly unlike the others.
    private static func jpegs(_ scratch: ScratchFolder, count: Int = 4) throws -> [[UInt8]] {
        try (0..<count).map { index in
            let size = PixelSize(width: 240, height: 320)
            var samples = [UInt8](repeating: 255, count: size.area)
            for y in 60..<250 {
                for x in 50..<190 where (x + y / 7) % 3 > 0 { samples[y * size.width + x] = UInt8(10 + index) }
            }
            let writer = try JPEGWriter(size: size, format: .gray(bits: 8), fidelity: .quality(85))
            try writer.write(samples)
            let file = try writer.finish()
            try scratch.write("pages/\(index + 1).jpg", file)
            return file
        }
    }

    private func run(
        _ capabilities: SinkCapabilities, edits: [PageEdit] = [], settings: [String: String] = [:]
    ) async throws -> (report: Report, sink: FakeSink, files: [[UInt8]]) {
        let scratch = try ScratchFolder()
        let files = try Self.jpegs(scratch)
        let sink = FakeSink(capabilities)
        let registry = Registry(
            sources: [FolderSource()], transforms: [CommonEdits(edits), Spreads(), Trim()],
            sinks: [sink])
        var job = Job(
            inputs: [Input(path: scratch("pages"))], sink: "memory", destination: Destination(path: scratch("out")))
        job.settings = settings
        return (try await Conversion(registry, job).run(), sink, files)
    }

    private func expectUntouched(_ outcome: (report: Report, sink: FakeSink, files: [[UInt8]])) throws {
        let (report, sink, files) = outcome
        #expect(report.pages.map(\.treatment) == files.map { _ in .verbatim })
        let bytes = try sink.memory.now.pages.map { try $0.encoded().bytes }
        #expect(bytes == files)
    }

    @Test func cropsAndTurnsAreLeftToTheSink() async throws {
        let part = PixelRect(x: 13, y: 7, width: 101, height: 203)
        let outcome = try await run(Self.able, edits: [.crop(part), .turn(quarters: 1)])
        try expectUntouched(outcome)
        for page in outcome.sink.memory.now.pages {
            let framing = try #require(try page.encoded().framing)
            #expect(framing == Framing(PixelSize(width: 240, height: 320), edits: [.crop(part), .turn(quarters: 1)]))
            #expect(page.size == PixelSize(width: 203, height: 101))
        }
        let line = outcome.report.pages[0]
        #expect(line.explanation == "the source's own JPEG, shown in part, shown rotated by 90°")
        #expect(line.size == PixelSize(width: 203, height: 101))
        #expect(
            outcome.report.json(version: "1").text.contains(
                "\"framing\": {\"crop\": [110, 13, 203, 101], \"rotation\": 90, \"mirrored\": false}"))
    }

    @Test func marginsAreLeftToTheSink() async throws {
        let outcome = try await run(Self.able, settings: ["trim": "page", "trim-margin": "0%"])
        try expectUntouched(outcome)
        for page in outcome.sink.memory.now.pages {
            let rect = try #require(try page.encoded().framing).rect
            #expect(rect.width < 160 && rect.height < 210, "\(rect)")
        }
    }

    @Test func spreadsAreLeftToTheSink() async throws {
        let outcome = try await run(Self.able, settings: ["spreads": "merge"])
        try expectUntouched(outcome)
        let report = outcome.report
        #expect(report.pages.map(\.side) == [.single, .left, .right, .left])
        #expect(report.pages.contains { $0.explanation.english.contains("shown on the left of a spread") })
    }

    /// If pictures can lie next to each other on one page, none of them is changed; the placement handles the scaling.
    @Test func mergedPagesAreLaidTogether() async throws {
        var able = Self.able
        (able.showsSpreads, able.laysPagesTogether) = (false, true)
        let settings = ["spreads": "merge", "gutter": "20", "background": "#102030"]
        let (report, sink, files) = try await run(able, settings: settings)
        #expect(report.pages.map(\.treatment) == [.verbatim, .verbatim, .verbatim])
        #expect(report.pages[1].explanation == "2 pages laid side by side on one")
        #expect(report.pages[1].bytes == files[1].count + files[2].count)
        guard case .spread(let spread) = sink.memory.now.pages[1].content else {
            Issue.record("the pages were made one image")
            return
        }
        #expect(spread.parts.map(\.content.byteCount) == [files[1].count, files[2].count])
        #expect(spread.size == PixelSize(width: 500, height: 320))
        #expect(spread.parts.map(\.place.x) == [0, 260])
        #expect(spread.background == RGB(red: 16, green: 32, blue: 48) && spread.showsBackground)
        let gray = try await run(able, edits: [.gray], settings: settings)
        #expect(gray.report.pages[1].explanation.english.hasPrefix("2 pages laid side by side on one"))
    }

    /// A part that cannot be copied unchanged is reported, and the others stay as they are.
    @Test func partsAreMadeEachInItsWay() throws {
        var able = Self.able
        able.laysPagesTogether = true
        let good = Sample.picture(Sample.encoded(.jpeg))
        let drawn = Sample.picture(Sample.drawn())
        let joined = JoinedPicture(
            size: PixelSize(width: 200, height: 100),
            parts: [good, drawn].enumerated().map { index, picture in
                JoinedPicture.Part(
                    page: Sample.page(), picture: picture,
                    place: PixelRect(x: 100 * index, y: 0, width: 100, height: 100))
            })
        let plan = try Planner(able).plans(
            for: Sample.page(), Picture(size: joined.size, representations: [.joined(joined)]))[0]
        #expect(plan.treatment == .drawn)
        #expect(plan.reason.message.english.hasPrefix("2 pages laid side by side on one, "))
        #expect(plan.reason.message.english.contains(" rendered (at "))
    }

    @Test func editsAreAppliedIfTheSinkCannotShowThem() async throws {
        let crop = PageEdit.crop(PixelRect(x: 16, y: 8, width: 100, height: 200))
        let plain = SinkCapabilities(formats: [.jpeg, .png])
        let made = try await run(plain, edits: [crop]).report
        #expect(made.pages.allSatisfy { $0.treatment == .lossless && $0.framing == nil })
        let merged = try await run(plain, settings: ["spreads": "merge"]).report
        #expect(merged.pages.count < 4)
        // Parts, but no turns.
        var parts = plain
        parts.showsParts = true
        let turned = try await run(parts, edits: [crop, .turn(quarters: 1)]).report
        #expect(turned.pages.allSatisfy { $0.treatment == .lossless })
        #expect(try await run(parts, edits: [crop]).report.count(.verbatim) == 4)
        // A box is not what an output can show.
        let scaled = try await run(Self.able, edits: [.fit(FitBox(width: 50, height: 50))]).report
        #expect(scaled.pages.allSatisfy { $0.treatment == .encoded })
    }

    @Test func rastersAreGivenToSinksThatTakeThem() async throws {
        let capabilities = SinkCapabilities(
            formats: nil, takesRasters: true,
            composition: Composition(
                .lossless, [Note(Note.Code("laid") { "laid into a \($0.format) strip" }, format: .png)]))
        let outcome = try await run(capabilities, edits: [.fit(FitBox(width: 60, height: nil))])
        for page in outcome.sink.memory.now.pages {
            guard case .raster(let picture) = page.content else {
                Issue.record("page \(page.number) is no raster")
                continue
            }
            #expect(picture.raster.size == PixelSize(width: 60, height: 80) && picture.source != nil)
        }
        #expect(outcome.report.pages[0].explanation == "the JPEG's pixels, scaled; laid into a PNG strip")
        #expect(outcome.report.pages.allSatisfy { $0.overallTreatment == .encoded })
    }

    @Test func documentPagesAreCopiedUnchanged() async throws {
        let document = DocumentPage(format: "pdf", path: "/x.pdf", index: 4, width: 200, height: 300)
        var picture = Sample.picture(Sample.sampled(), Sample.drawn())
        picture.document = document
        var able = Self.able
        able.documents = ["pdf"]
        func plan(_ edits: [PageEdit], _ capabilities: SinkCapabilities, _ request: EncodingRequest = EncodingRequest())
            throws -> PagePlan
        {
            try Planner(capabilities, request).plans(for: Sample.page(edits: edits), picture)[0]
        }
        #expect(try plan([], able).reason.message.english == "the PDF's page copied whole")
        let cropped = try plan([.crop(PixelRect(x: 1, y: 1, width: 2, height: 2)), .turn(quarters: 3)], able)
        #expect(cropped.treatment == .verbatim && cropped.size == PixelSize(width: 2, height: 2))
        #expect(cropped.reason.message.english == "the PDF's page copied whole, shown in part, shown rotated by 270°")
        // A scan whose pixels or format change is made from its image; a drawing only on request.
        let changed = try plan([.deskew(degrees: 2)], able).reason.message.english
        #expect(changed.hasPrefix("CCITT G4 samples") && changed.contains("deskewed"), "\(changed)")
        #expect(try plan([.gray], able).treatment == .verbatim)
        #expect(try plan([], able, EncodingRequest(format: .png)).encoding == .png)
        picture.representations.removeFirst()
        #expect(try plan([.turn(quarters: 1)], able).treatment == .verbatim)
        able.hintForDocuments = "ask for images"
        let grayed = #expect(throws: AdapterError.self) { try plan([.gray, .deskew(degrees: 2)], able) }
        #expect(
            grayed?.message
                == "cannot be made gray and deskewed (--gray, --deskew): the page is copied whole, because it has text and links"
        )
        #expect(grayed?.code == .usage && grayed?.hint == "ask for images")
        let encoded = #expect(throws: AdapterError.self) { try plan([], able, EncodingRequest(format: .png)) }
        #expect(encoded?.message.english.contains("re-encoded") == true)
        // A blank page shows no change, and a slanted scan is drawn in any case.
        picture.isBlank = true
        #expect(try plan([.gray], able).treatment == .verbatim)
        (picture.isBlank, picture.slant) = (false, 3)
        #expect(try plan([.gray], able).treatment == .drawn)
        #expect(try plan([], Self.able).treatment == .drawn)
    }

    /// One line per book lists the pages whose text or links the output cannot store.
    @Test func unsupportedTextAndLinksAreReported() async throws {
        func warnings(_ features: Set<SinkCapabilities.Feature>, isDryRun: Bool = false) async throws -> [Warning] {
            var output = Self.able
            output.features = features
            let pages = (1...7).map { id in
                var picture = Sample.picture(Sample.encoded())
                picture.hasText = ![4, 6].contains(id)
                picture.hasLinks = id == 2
                return Sample.page(id, picture)
            }
            var stage = try Stage(FakeSource(pages), sink: FakeSink(output))
            stage.job.isDryRun = isDryRun
            let report = try await stage.run()
            // The format cannot store them, so the run is one without warnings.
            #expect(report.warnings.isEmpty)
            return report.notes.filter { $0.code.hasSuffix("-dropped") }
        }
        #expect(try await warnings([.text, .links]).isEmpty)
        for isDryRun in [false, true] {
            let loss = try #require(try await warnings([], isDryRun: isDryRun).first)
            #expect(loss.code == "text-dropped" && loss.page == nil && loss.hint == nil)
            #expect(
                loss.message.english
                    == "the output cannot store the searchable text of pages 1-3, 5 and 7 and the links of page 2")
        }
        let text = try await warnings([.links])
        #expect(
            text.map(\.message) == ["the output cannot store the searchable text of pages 1-3, 5 and 7"])
        let links = try await warnings([.text])
        #expect(links.map(\.code) == ["links-dropped"])
        #expect(
            links.map(\.message) == ["the output cannot store the links of page 2"])
    }

    @Test func rangesOfPagesReadAsPeopleWriteThem() {
        #expect(PageRanges([Int]()).numbers.isEmpty)
        #expect(PageRanges([3]).text == "page 3")
        #expect(PageRanges([4, 3, 3]).text == "pages 3 and 4")
        #expect(PageRanges([1, 2, 3, 9, 12, 13, 14, 20]).text == "pages 1-3, 9, 12-14 and 20")
        #expect(PageRanges(stride(from: 1, to: 101, by: 2)).text.english.hasSuffix(", 37, 39 and 30 more"))
    }

    /// Defects of a drawing are reported for drawn pages only.
    @Test func drawingDefectsAreReportedForDrawnPagesOnly() async throws {
        guard case .drawn(var drawn) = Sample.drawn() else { return }
        drawn.defect = "drawn coarser than it should be"
        var picture = Sample.picture(.drawn(drawn))
        picture.document = DocumentPage(format: "pdf", path: "/x.pdf", index: 0, width: 2, height: 3)
        var copying = Self.able
        copying.documents = ["pdf"]
        func warnings(_ picture: Picture, in output: SinkCapabilities, isDryRun: Bool) async throws -> [Message] {
            var stage = try Stage(FakeSource([Sample.page(1, picture)]), sink: FakeSink(output))
            stage.job.isDryRun = isDryRun
            return try await stage.run().warnings.map(\.explanation)
        }
        for isDryRun in [true, false] {
            #expect(try await warnings(picture, in: copying, isDryRun: isDryRun).isEmpty)
            let taken = Sample.picture(Sample.sampled(), .drawn(drawn))
            #expect(try await warnings(taken, in: Self.able, isDryRun: isDryRun).isEmpty)
            #expect(
                try await warnings(picture, in: Self.able, isDryRun: isDryRun)
                    == ["page 1: drawn coarser than it should be"])
        }
    }

    /// A copied page has its own text: recognized text is added to it.
    @Test func copiedPagesGetRecognizedText() async throws {
        var able = Self.able
        (able.documents, able.features) = (["pdf"], [.text, .links])
        var picture = Sample.picture(Sample.drawn())
        picture.document = DocumentPage(format: "pdf", path: "/x.pdf", index: 0, width: 200, height: 300)
        var page = Sample.page(1, picture)
        page.edits = [.turn(quarters: 1)]
        let area = PageArea(left: 0, top: 0.25, right: 0.5, bottom: 0.5)
        page.links = { [PageLink(area, to: .page(1, at: nil))] }
        func finished(
            _ page: Page, isDryRun: Bool = false
        ) async throws -> (FinishedPage?, notes: String, warnings: [Message], choices: [Message]) {
            var stage = try Stage(FakeSource([page]), sink: FakeSink(able))
            stage.job.isDryRun = isDryRun
            let report = try await stage.run()
            return (
                stage.sink.memory.now.pages.first, "\(report.pages.map(\.reason))", report.warnings.map(\.explanation),
                report.notes.map(\.explanation)
            )
        }
        func lines(_ page: Page) async throws -> [TextLine]? { try await finished(page).0?.text }
        #expect(try await lines(page) == [])
        let own = TextLine([TextWord("own", area)])
        page.text = { [own] }
        #expect(try await lines(page) == [])
        page.recognition = TextRecognition(Note(.textRecognized)) { _ in [TextLine([TextWord("read", area)])] }
        let turned = PageArea(left: 0.5, top: 0, right: 0.75, bottom: 0.5)
        #expect(try await lines(page) == [TextLine([TextWord("read", turned)], turns: 1)])
        // Its links are its own in any case.
        #expect(try await finished(page).0?.links == [])
        for isDryRun in [true, false] {
            let notes = try await finished(page, isDryRun: isDryRun).notes
            #expect(notes.contains("text-recognized"), "\(notes)")
        }
        #expect(try await finished(page).0?.replacesInvisibleText == false)
        page.recognition?.replacesInvisible = true
        #expect(try await finished(page).0?.replacesInvisibleText == true)
        // Nothing replaces a text.
        page.recognition?.read = { _ in [] }
        #expect(try await finished(page).0?.replacesInvisibleText == false)
        page.recognition = TextRecognition(Note(.ownText, ["kind": "invisible", "option": "ocr", "sample": "own"]))
        #expect(try await lines(page) == [])
        for isDryRun in [true, false] {
            let notes = try await finished(page, isDryRun: isDryRun).notes
            #expect(notes.contains("own-text") && !notes.contains("text-recognized"), "\(notes)")
        }
        #expect(try await finished(page).choices.contains("no OCR: 1 page has text already, such as 'own'"))
        page.recognition = TextRecognition(Note(.textRecognized)) { _ in throw AdapterError(.tooLarge, "too large") }
        #expect(try await finished(page).warnings == ["page 1: no text was recognized: too large"])
    }

    /// A reason consists of codes and values.
    @Test func reasonsAreData() throws {
        let plan = try Planner(SinkCapabilities(formats: [.png])).plans(
            for: Sample.page(edits: [.gray]), Sample.picture(Sample.sampled()))[0]
        #expect(plan.reason.parts.map(\.note.code) == [.samples, .stored])
        #expect(plan.reason.parts[0].note.values == ["compression": "CCITT G4"])
    }

    /// Plug-ins need not name a compression.
    @Test(arguments: [("CCITT G4", "CCITT G4 samples"), ("none", "samples"), ("samples", "samples")])
    func samplesAreDescribedByTheirCompression(_ compression: String, _ text: String) {
        #expect(Note(.samples, ["compression": compression]).message.english == text)
    }
}
