import AdapterKit
import OrderedJSON
import PageModel
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning

/// The warnings about contents of document pages that only copies of the pages keep.
@Suite struct LostPartsTests {
    private static let images = SinkCapabilities(
        formats: [.jpeg, .png], showsParts: true, rotationSupport: .quarterTurns)

    private static func picture(_ index: Int, _ parts: Set<DocumentPart>) -> Picture {
        var picture = Sample.picture(Sample.encoded())
        picture.document = Sample.document
        picture.document?.index = index
        picture.documentParts = parts
        return picture
    }

    /// Pages 2, 3 and 5 have notes.
    private static func hasNotes(_ number: Int) -> Bool { [2, 3, 5].contains(number) }

    private func warnings(
        _ output: SinkCapabilities, edits: [PageEdit] = [], _ request: EncodingRequest = EncodingRequest(),
        and others: [SinkCapabilities] = []
    ) throws -> [String] {
        let pages = try (1...6).map { number in
            let picture = Self.picture(number - 1, Self.hasNotes(number) ? [.notes] : [])
            let page = Sample.page(number, edits: edits, picture)
            let plan = try Planner(output, request).plans(for: page, picture)[0]
            var line = PageReport(
                number: number, source: page.name, sourceID: number, treatment: plan.treatment, reason: plan.reason)
            line.lostParts = LostParts(of: page, picture, plan, request)
            return line
        }
        return LostParts.warnings(of: pages, in: output, and: others) { $0 == "pdf" ? ["pdf"] : [] }.map {
            "\($0.code): \($0.explanation.english)" + ($0.hint.map { "; \($0.english)" } ?? "")
        }
    }

    private let loss =
        "notes-dropped: the output cannot store the notes of pages 2, 3 and 5"

    @Test func hintNamesOutputThatCopiesPages() throws {
        #expect(try warnings(Self.images) == ["\(loss); use --to pdf to keep them"])
        // A PDF of copied pages can show parts of pages, but not change their pixels.
        let crop = PageEdit.crop(PixelRect(x: 1, y: 1, width: 2, height: 2))
        #expect(try warnings(Self.images, edits: [crop]) == ["\(loss); use --to pdf to keep them"])
        #expect(try warnings(Self.images, edits: [.gray]) == [loss])
        #expect(try warnings(Self.images, EncodingRequest(format: .png)) == [loss])
    }

    @Test func outputThatCouldCopyPagesHasItsOwnHint() throws {
        var output = Self.images
        output.hintForImages = "omit --rebuild to keep them"
        #expect(try warnings(output) == ["\(loss); omit --rebuild to keep them"])
        #expect(try warnings(output, edits: [.gray]) == [loss])
    }

    @Test func eachKindHasItsWarning() throws {
        let picture = Self.picture(0, [.notes, .fields])
        let page = Sample.page(1, picture)
        let plan = try Planner(Self.images).plans(for: page, picture)[0]
        var line = PageReport(
            number: 1, source: page.name, sourceID: 1, treatment: plan.treatment, reason: plan.reason)
        line.lostParts = LostParts(of: page, picture, plan, EncodingRequest())
        let warnings = LostParts.warnings(of: [line], in: Self.images, and: []) { _ in [] }
        #expect(
            warnings.map(\.message.english) == [
                "the output cannot store the notes of page 1",
                "the output cannot store the form fields of page 1",
            ])
        #expect(warnings.map(\.code) == ["notes-dropped", "fields-dropped"])
        // Images never store them. A setting of an output that could copy the page is a choice.
        #expect(warnings.map(\.isNote) == [true, true])
        var output = Self.images
        output.hintForImages = "omit --rebuild to keep them"
        #expect(LostParts.warnings(of: [line], in: output, and: []) { _ in [] }.map(\.isNote) == [false, false])
        #expect(line.json["lost"]?.elements?.compactMap(\.asString) == ["fields", "notes"])
    }

    @Test func copiedPagesLoseNothing() throws {
        var output = Self.images
        output.documents = ["pdf"]
        #expect(try warnings(output).isEmpty)
        // Another output of the run holds them.
        #expect(try warnings(Self.images, and: [output]).isEmpty)
    }

    @Test func mergedPagesLosePartsOfBoth() throws {
        let parts = [0, 1].map { index in
            JoinedPicture.Part(
                page: Sample.page(index + 1), picture: Self.picture(index, index == 1 ? [.notes] : []),
                place: PixelRect(x: index * Sample.size.width, y: 0, Sample.size))
        }
        let size = PixelSize(width: 2 * Sample.size.width, height: Sample.size.height)
        let picture = Sample.picture(.joined(JoinedPicture(size: size, parts: parts)))
        let page = Sample.page(1, picture)
        var output = Self.images
        let request = EncodingRequest()
        func lost() throws -> LostParts? {
            LostParts(of: page, picture, try Planner(output).plans(for: page, picture)[0], request)
        }
        #expect(try lost()?.parts == [.notes] && lost()?.format == "pdf")
        (output.documents, output.laysPagesTogether) = (["pdf"], true)
        #expect(try lost() == nil)
    }

    @Test(arguments: [false, true]) func runReportsThemOnce(_ isDryRun: Bool) async throws {
        let pages = (1...3).map { Sample.page($0, Self.picture($0 - 1, Self.hasNotes($0) ? [.notes] : [])) }
        var stage = try Stage(FakeSource(pages), sink: FakeSink(Self.images))
        stage.job.isDryRun = isDryRun
        let report = try await stage.run()
        #expect(report.warnings.isEmpty && report.notes.first { $0.code == "notes-dropped" }?.hint == nil)
        #expect(report.notes.contains { $0.code == "notes-dropped" })
        let line = report.pages[1].json
        #expect(line["lost"]?.elements?.compactMap(\.asString) == ["notes"])
        #expect(report.pages[0].json["lost"] == nil)
    }
}
