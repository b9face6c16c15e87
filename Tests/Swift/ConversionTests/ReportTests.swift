import AdapterKit
import Files
import OrderedJSON
import PageModel
import Spreads
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning
@testable import Trim

@Suite struct ReportTests {
    @Test(arguments: [true, false]) func unneededPasswordFileIsReported(_ isNeeded: Bool) async throws {
        var source = FakeSource()
        let effects = OptionEvidence()
        if isNeeded { effects.note(.decrypted) }
        source.book.effects = [effects]
        var stage = try Stage(source)
        stage.job.hasPasswordFile = true
        #expect(try await stage.run().unusedOptions.map(\.name) == (isNeeded ? [] : ["password-file"]))
    }

    /// The format that docs/reference/report.md describes: version 1.
    @Test func theShapeIsThatOfVersion1() async throws {
        let crop = PixelRect(x: 1, y: 2, width: 2, height: 3)
        let pages = [
            Sample.page(1), Sample.page(2, nil), Sample.page(3, Sample.picture(Sample.sampled(pending: [.crop(crop)]))),
        ]
        let stage = try Stage(FakeSource(pages, book: BookMetadata(direction: .rightToLeft), skipped: ["a.txt"]))
        let report = try await stage.run()
        let png = try #require(report.pages.last?.bytes)
        let (input, output) = (stage.job.inputs[0].path, stage.job.destination.path)
        #expect(
            report.json(version: "1.2.3").text == """
                {"jisui": "1.2.3", "report": 1, "input": "\(input)", "output": "\(output)", "from": "fake", \
                "to": "memory", "direction": "rtl", \
                "readingDirection": {"direction": "rtl", "evidence": "source", "reason": "the input states it"}, "book": {"title": "book", "creators": [], "series": null, \
                "volume": null, "number": null, "publisher": null, "date": null, "summary": null, "genres": [], "tags": [], "isbn": null, "rights": null, "language": null, \
                "direction": "rtl"}, "guess": null, "pages": [\
                {"number": 1, "source": "page 1", "output": "1.gif", "treatment": "verbatim", \
                "reason": "the source's own GIF", \
                "reasons": [{"role": "basis", "code": "own-file", "format": "gif"}], "width": 4, "height": 6, "bytes": \(Sample.gif.count), "crop": null}, \
                {"number": 2, "source": "page 3", "output": "2.png", "treatment": "lossless", \
                "reason": "CCITT G4 samples stored as PNG, cropped", \
                "reasons": [{"role": "basis", "code": "samples", "compression": "CCITT G4"}, \
                {"role": "result", "code": "stored", "format": "png"}, \
                {"role": "operation", "code": "cropped"}], "width": 2, "height": 3, "bytes": \(png), \
                "crop": [1, 2, 2, 3]}], \
                "warnings": [{"code": "page-skipped", "page": 2, \
                "message": "page 2: skipped: its data ends too early", "hint": null}], "notes": [], \
                "counts": {"verbatim": 1, "lossless": 1, "patched": 0, "encoded": 0, "rendered": 0}, \
                "changes": {"cropped": 0, "rotated": 0, "scaled": 0, "gray": 0, "operations": {}, "merged": 0, "textRecognized": 0}, \
                "inputBytes": 4, "outputBytes": null, "skippedFiles": ["a.txt"]}
                """)
    }

    private func page(_ number: Int, _ treatment: Treatment, leftOut: String? = nil) -> PageReport {
        let note = leftOut.map { Note(.overlayDropped, text: Message(verbatim: $0)) }
        return PageReport(
            number: number, source: "page \(number)", sourceID: number, treatment: treatment,
            reason: Reason(Note(.ownFile, format: .jpeg)).with(.detail, note))
    }

    @Test func oneLineListsContentOmittedOverScans() {
        let pages = [
            page(1, .verbatim, leftOut: "text"), page(2, .verbatim), page(3, .verbatim, leftOut: "an annotation"),
            page(4, .verbatim, leftOut: "text"),
        ]
        let note = ScanNotes.leftOut(pages)
        #expect(
            note?.message.english
                == "left out text over the scans of pages 1 and 4; an annotation over the scan of page 3")
        #expect(note?.isNote == true)
        #expect(ScanNotes.leftOut([pages[1]]) == nil)
    }

    @Test func oneLineReportsTheGrowthByDrawnPages() {
        var report = Report(
            inputs: ["a.pdf"], output: "a.cbz", from: "pdf", to: "cbz", direction: .leftToRight, isDryRun: false,
            skipped: [])
        report.pages = [page(1, .drawn), page(2, .drawn), page(3, .verbatim)]
        (report.inputBytes, report.outputBytes) = (2_000_000, 10_400_000)
        #expect(
            ScanNotes.growth(report)?.message.english
                == "pages that were rendered, or combined from layers, made the output "
                + "5 times as large as the input")
        report.inputBytes = 5_000_000
        #expect(ScanNotes.growth(report) == nil)
        report.inputBytes = 2_000_000
        report.pages[0].treatment = .verbatim
        #expect(ScanNotes.growth(report) == nil)
    }

    /// A hint names only an option that makes the pages smaller.
    @Test func growthHintDependsOnTheEncoding() {
        func hint(_ encoding: ImageEncoding?, _ note: Note?) -> String? {
            var report = Report(
                inputs: ["a.pdf"], output: "a.cbz", from: "pdf", to: "cbz", direction: .leftToRight, isDryRun: false,
                skipped: [])
            var page = page(1, .drawn)
            page.encoding = encoding
            page.reason = page.reason.with(.addition, note)
            report.pages = [page]
            (report.inputBytes, report.outputBytes) = (2_000_000, 10_400_000)
            let growth = ScanNotes.growth(report)
            #expect(growth != nil)
            return growth?.hint?.english
        }
        let lossless = "use --image-format jpeg to make them smaller, with losses"
        #expect(hint(.png, nil) == lossless)
        #expect(hint(nil, nil) == lossless)
        #expect(hint(.png, Note(.sixteenLevels)) == nil)
        #expect(hint(.png, Note(.fewColors)) == nil)
        #expect(hint(.jpeg, Note(.encodedLikeImage, format: .jpeg)) == nil)
        let quality = Note(.encodedAtQuality, ["format": "jpeg", "quality": "90"])
        #expect(hint(.jpeg, quality) == "use --quality 60 to make them smaller, with more losses")
    }

    /// Requested changes are counted by their result, not by the treatment of the bytes.
    @Test func changesAreCountedByTheirResult() {
        func page(
            _ number: Int, _ treatment: Treatment = .verbatim, because cause: Note? = nil,
            trimming: PageLayout.Trimming? = nil, isDeskewed: Bool = false, made: SpreadFinding.Change? = nil,
            of source: Int? = nil
        ) -> PageReport {
            var page = PageReport(
                number: number, source: "page \(number)", sourceID: source ?? number, treatment: treatment,
                reason: Reason(Note(.kept)).with(.cause, cause))
            if trimming != nil || isDeskewed {
                page.findings.append(
                    PageLayout(content: nil, isDeskewed: isDeskewed, confidence: 1, remark: "", trimming: trimming))
            }
            if let made {
                var finding = SpreadFinding("")
                finding.made = made
                page.findings.append(finding)
            }
            return page
        }
        let text = Note(text: "the page holds text")
        var pages = [
            page(1, trimming: .fullBleed), page(2, trimming: .trimmed), page(3, trimming: .doubtful),
            page(4, trimming: .trimmed, isDeskewed: true),
            page(5, trimming: .doubtful), page(6, .drawn, because: text), page(7, .drawn, because: text),
            page(8, .drawn, because: Note(text: "shapes")), page(9, made: .split, of: 9), page(10, made: .split, of: 9),
        ]
        var changes = ChangeCounts(pages)
        func total(_ key: String, _ pages: [PageReport]) -> Int? { ChangeCounts(pages).findings[key]?.total }
        #expect(["trimmed", "deskewed", "split"].map { total($0, pages) } == [2, 1, 1] && !changes.isEmpty)
        let whole = changes.findings["keptWhole"]?.counts
        #expect(whole?.map(\.kind.reason?.id) == ["full-bleed", "low-confidence"])
        #expect(whole?.last?.pages.numbers == "3 and 5")
        #expect(changes.causes[.drawn]?.map(\.note) == [text, Note(text: "shapes")])
        #expect(changes.causes[.drawn]?.map(\.pages) == [2, 1])
        // A page with too little to crop is kept whole.
        pages = [page(1, because: Note(.tooLittleToCut), trimming: .trimmed)]
        #expect(total("trimmed", pages) == nil)
        #expect(ChangeCounts(pages).findings["keptWhole"]?.counts.map(\.kind.reason?.id) == ["narrow-margins"])
        // A report has the counts of all plug-ins.
        #expect(
            ChangeCounts([], Trim().counts).json.text.hasPrefix(#"{"deskewed": 0, "trimmed": 0, "keptWhole": {}, "#))
        // A page that shows a part of its image has as little to crop, but nobody asked for trimming.
        #expect(ChangeCounts([page(1, because: Note(.tooLittleToCut))]).isEmpty)
        pages = [page(1), page(2, .encoded)]
        changes = ChangeCounts(pages)
        #expect(changes.isEmpty && changes.causes.isEmpty)
    }

    /// The notes name the rotations of the image, which the source may rotate itself.
    @Test func rotationsAreCountedAsTheReaderSeesThem() {
        func rotated(_ edits: [Edit], _ note: Note.Code? = nil, parts: [PageReport.Part] = []) -> Int {
            var page = page(1, .lossless)
            page.reason = page.reason.with(.operation, note.map { Note($0) })
            page.edits = edits.map(PageEdit.move)
            page.parts = parts
            return ChangeCounts([page]).rotated
        }
        #expect(rotated([.turn(quarters: 3)]) == 1 && rotated([.turn(quarters: 1), .mirror], .turned) == 1)
        #expect(rotated([], .turned) == 0)
        #expect(rotated([.turn(quarters: 1), .turn(quarters: 3)], .turned) == 0)
        let parts = [1, 2].map { PageReport.Part(Sample.page($0)) }
        #expect(rotated([.turn(quarters: 2), .turn(quarters: 2)], parts: parts) == 1)
    }

    /// An operation of any plug-in is counted under its name.
    @Test func operationsAreCounted() {
        let inverted = Note(.operation, ["name": "inverted"], text: "made negative")
        let leveled = Note(Note.Code("leveled", "leveled"))
        let tones = [[Note(.gray), inverted], [Note(.scaled), leveled], [inverted], []]
        let pages = tones.enumerated().map { index, notes in
            var page = page(index + 1, .encoded)
            page.reason = notes.reduce(page.reason) { $0.with(.operation, $1) }
            return page
        }
        let changes = ChangeCounts(pages)
        #expect(changes.gray == 1 && changes.scaled == 1)
        #expect(changes.operations.map(\.note) == [inverted, leveled] && changes.operations.map(\.pages) == [2, 1])
        #expect(changes.json["operations"]?.text == #"{"inverted": 2, "leveled": 1}"#)
        #expect(!ChangeCounts([pages[2]]).isEmpty && ChangeCounts([pages[3]]).isEmpty)
    }

    @Test func aDryRunHasNoOutputs() async throws {
        var stage = try Stage(FakeSource())
        stage.job.isDryRun = true
        let text = try await stage.run().json(version: "1").text
        #expect(text.contains("\"output\": null, \"treatment\": \"verbatim\""))
        #expect(text.contains("\"width\": 4, \"height\": 6, \"bytes\": null, \"crop\": null"))
        #expect(text.contains("\"direction\": null"))
    }

    @Test func severalInputsAreAllNamed() async throws {
        var stage = try Stage(FakeSource())
        let input = stage.job.inputs[0]
        stage.job.inputs.append(input)
        let text = try await stage.run().json(version: "1").text
        #expect(text.contains("\"input\": \"\(input.path)\", \"inputs\": [\"\(input.path)\", \"\(input.path)\"], "))
    }
}
