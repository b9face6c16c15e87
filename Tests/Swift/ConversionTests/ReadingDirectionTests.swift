import AdapterKit
import Metadata
import OrderedJSON
import PageModel
import Scratch
import Synchronization
import Testing

@testable import Audit
@testable import Conversion
@testable import Directions

/// A book that does not state its reading direction, and is made into something that depends on it.
@Suite struct ReadingDirectionTests {
    /// Arranges pages, as far as anybody knows.
    private struct Arranger: PageTransform {
        let descriptor = AdapterDescriptor(id: "arranger", summary: "test", extensions: [], settings: [])
        let use: DirectionUse

        func passes(_ settings: Settings) -> [Pass] { [Pass(.split, directionUse: use) { sequence, _ in sequence }] }
    }

    /// The result of a run: the report, the printed lines, and the number of examined pages.
    private struct Outcome {
        let report: Report
        let lines: [Message]
        let direction: Direction?
    }

    private func run(
        _ book: BookMetadata = BookMetadata(), _ pages: [Page] = Sample.pages(12).pages,
        for use: DirectionUse = .arranging, change: (inout Job) -> Void = { _ in }
    ) async throws -> Outcome {
        var stage = try Stage(FakeSource(pages, book: book))
        change(&stage.job)
        let registry = Registry(
            sources: stage.registry.sources, transforms: [Arranger(use: use)], sinks: stage.registry.sinks)
        let lines = Mutex<[Message]>([])
        let report = try await Conversion(registry, stage.job) { event in
            if case .directed(let reading) = event { lines.withLock { $0.append(reading.note.message) } }
        }.run()
        return Outcome(report: report, lines: lines.withLock { $0 }, direction: stage.sink.memory.now.book.direction)
    }

    private func comicInfo(_ text: String) -> [SourceDocument] {
        [SourceDocument(format: "ComicInfo", bytes: Array("<ComicInfo>\(text)</ComicInfo>".utf8), pages: [1])]
    }

    /// Pages of some lines, each with its number in a corner.
    private func pages(
        _ count: Int = 12, _ lines: [TextLine] = [], number: (Int) -> (value: Int, isAtRight: Bool)? = { _ in nil }
    ) -> [Page] {
        (1...count).map { id in
            var page = Sample.page(id)
            var all = lines
            if let (value, isAtRight) = number(id) {
                let left = isAtRight ? 0.9 : 0.06
                all.append(
                    TextLine([TextWord("\(value)", PageArea(left: left, top: 0.94, right: left + 0.04, bottom: 0.96))]))
            }
            page.text = { [all] in all }
            return page
        }
    }

    private func line(_ direction: TextLine.Direction) -> TextLine {
        TextLine(
            [TextWord("吾輩は猫である。名前はまだ無い。どこで生れたか", PageArea(left: 0.5, top: 0.2, right: 0.6, bottom: 0.8))],
            direction: direction)
    }

    /// A page whose picture shows lines of signs.
    private func picture(_ id: Int, isVertical: Bool) -> Page {
        let raster = SyntheticLines(isVertical: isVertical).raster
        return Sample.page(
            id,
            Picture(
                size: raster.size,
                representations: [
                    .sampled(
                        SampledPicture(compression: "raw", size: raster.size, format: raster.format) {
                            DecodedImage(raster: raster)
                        })
                ]))
    }

    @Test func theHintsStandInTheOrderOfTheirStrength() {
        #expect(ReadingDirection.Hint.allCases == ReadingDirection.Hint.allCases.sorted())
        #expect(ReadingDirection.Hint.option < .source && ReadingDirection.Hint.source < .manga)
        #expect(ReadingDirection.Hint.text < .verticalLines && ReadingDirection.Hint.verticalLines < .pageNumbers)
        #expect(ReadingDirection.Hint.pageNumbers < .language && ReadingDirection.Hint.language < .nothing)
    }

    @Test func leftToRightIsReportedWithoutAnyHint() async throws {
        let outcome = try await run()
        #expect(outcome.report.reading?.direction == .leftToRight)
        #expect(outcome.report.reading?.evidence.hint == .nothing)
        // The output states no direction without any evidence.
        #expect(outcome.direction == nil)
        #expect(
            outcome.lines == [
                "took left to right as the reading direction, because nothing says otherwise"
            ])
        #expect(outcome.report.warnings.isEmpty)
        #expect(
            outcome.report.json(version: "1").text.contains(
                #""readingDirection": {"direction": "ltr", "evidence": "nothing", "reason": "nothing says otherwise"}"#)
        )
    }

    @Test func statedDirectionIsNotReported() async throws {
        let bySource = try await run(BookMetadata(language: "ar", direction: .leftToRight))
        #expect(bySource.report.reading?.evidence.hint == .source)
        #expect(bySource.direction == .leftToRight)
        let byOption = try await run(BookMetadata(direction: .leftToRight)) { $0.direction = .rightToLeft }
        #expect(byOption.report.reading?.evidence.hint == .option)
        #expect(byOption.direction == .rightToLeft)
        let byFile = try await run(BookMetadata(direction: .leftToRight)) {
            $0.metadataOptions.file = try? MetadataFile(Array(#"{"direction": "rtl"}"#.utf8))
        }
        #expect(byFile.report.reading?.evidence.hint == .metadataFile)
        #expect(byFile.direction == .rightToLeft)
        #expect((bySource.lines + byOption.lines + byFile.lines).isEmpty)
    }

    /// A sink that has to state a direction gets it and a mark that it was inferred.
    @Test func directionInferredForTheOutputIsMarked() async throws {
        func book(_ book: BookMetadata, arranges: Bool = false, _ option: Direction? = nil) async throws -> BookMetadata
        {
            var output = SinkCapabilities(formats: nil)
            output.directionUse = .arranging
            var stage = try Stage(FakeSource(Sample.pages(12).pages, book: book), sink: FakeSink(output))
            stage.job.direction = option
            let registry = Registry(
                sources: stage.registry.sources, transforms: [Arranger(use: arranges ? .arranging : .none)],
                sinks: stage.registry.sinks)
            _ = try await Conversion(registry, stage.job).run()
            return stage.sink.memory.now.book
        }
        let hinted = BookMetadata(language: "ar")
        var stated = BookMetadata(direction: .rightToLeft)
        #expect(try await book(hinted).isDirectionInferred)
        #expect(try await !book(hinted, arranges: true).isDirectionInferred)
        #expect(try await !book(hinted, .leftToRight).isDirectionInferred)
        #expect(try await !book(stated).isDirectionInferred)
        stated.isDirectionInferred = true
        #expect(try await book(stated).isDirectionInferred)
        #expect(try await !book(stated, .leftToRight).isDirectionInferred)
    }

    @Test func unusedDirectionIsNotReported() async throws {
        let outcome = try await run(BookMetadata(language: "ar"), for: .none)
        #expect(outcome.report.reading == nil && outcome.lines.isEmpty && outcome.direction == nil)
    }

    /// An output that can do without a direction states it if there is evidence.
    @Test(arguments: [
        (BookMetadata(language: "ar"), false, Direction?.some(.rightToLeft)), (BookMetadata(), true, .rightToLeft),
        (BookMetadata(genres: ["Manga"]), false, .rightToLeft), (BookMetadata(), false, nil),
    ])
    func outputStatesTheDirectionOfEvidence(
        _ book: BookMetadata, _ isVertical: Bool, _ direction: Direction?
    ) async throws {
        let outcome = try await run(book, (1...6).map { picture($0, isVertical: isVertical) }, for: .stating)
        #expect(outcome.direction == direction && outcome.lines.count == (direction == nil ? 0 : 1))
        #expect((outcome.report.reading == nil) == (direction == nil))
    }

    /// The copy of a document states what the document states. Another output of it shows what its pages show.
    @Test(arguments: [["pdf"], []] as [Set<String>])
    func copiedDocumentKeepsItsDirection(_ documents: Set<String>) async throws {
        var output = SinkCapabilities(formats: nil, documents: documents)
        output.directionUse = .stating
        let pages = (1...12).map { id in
            var picture = Sample.picture(Sample.encoded())
            picture.document = DocumentPage(format: "pdf", path: "/x.pdf", index: id - 1, width: 200, height: 300)
            var page = Sample.page(id, picture)
            page.text = { [line = line(.vertical)] in [line] }
            return page
        }
        let report = try await Stage(FakeSource(pages), sink: FakeSink(output)).run()
        #expect(report.reading?.direction == (documents.isEmpty ? .rightToLeft : nil))
    }

    @Test func aMangaIsReadFromRightToLeft() async throws {
        let outcome = try await run(
            BookMetadata(language: "en", documents: comicInfo("<Manga>Yes</Manga>")))
        #expect(outcome.report.reading?.evidence.hint == .manga)
        #expect(outcome.direction == .rightToLeft)
        #expect(
            outcome.lines == [
                "took right to left as the reading direction, because its ComicInfo.xml says that it is a manga"
            ])
        let unknown = try await run(BookMetadata(documents: comicInfo("<Manga>Unknown</Manga>")))
        #expect(unknown.report.reading?.evidence.hint == .nothing)
    }

    @Test func aLanguageWhoseScriptRunsFromRightToLeftIsEnough() async throws {
        // Pages with numbers are not asked.
        let outcome = try await run(
            BookMetadata(language: "he"), pages { (value: $0, isAtRight: $0 % 2 == 1) })
        #expect(outcome.report.reading?.evidence == .init(.script, .rightToLeft, language: "he"))
    }

    @Test func japaneseBookDefaultsToRightToLeft() async throws {
        let outcome = try await run(BookMetadata(language: "ja"))
        #expect(outcome.report.reading?.evidence.hint == .language)
        #expect(outcome.direction == .rightToLeft)
        let english = try await run(BookMetadata(language: "en"))
        #expect(english.report.reading?.evidence.hint == .nothing)
    }

    @Test func horizontalLinesOutweighJapanese() async throws {
        let outcome = try await run(BookMetadata(language: "ja"), pages(12, [line(.leftToRight)]))
        #expect(outcome.report.reading?.evidence.hint == .horizontalLines)
        #expect(outcome.direction == .leftToRight)
        #expect(
            outcome.lines == [
                "took left to right as the reading direction, because 10 of 10 pages with lines of text have "
                    + "horizontal ones, although its language is ja"
            ])
        // In another language they are nothing but usual: a comic that was translated has them.
        let english = try await run(BookMetadata(genres: ["Manga"], language: "en"), pages(12, [line(.leftToRight)]))
        #expect(english.report.reading?.evidence.hint == .genre)
        #expect(english.direction == .rightToLeft)
    }

    @Test(arguments: [TextLine.Direction.vertical, .rightToLeft])
    func verticalOrRightToLeftTextMeansRightToLeft(_ direction: TextLine.Direction) async throws {
        let outcome = try await run(BookMetadata(), pages(12, [line(direction)]))
        #expect(outcome.report.reading?.evidence == .init(.text, .rightToLeft, pages: (10, 10)))
        // Two pages are too few.
        let few = try await run(BookMetadata(), pages(2, [line(direction)]))
        #expect(few.report.reading?.evidence.hint == .nothing)
    }

    @Test func verticalLinesMeanRightToLeft() async throws {
        let outcome = try await run(BookMetadata(), (1...6).map { picture($0, isVertical: true) })
        #expect(outcome.report.reading?.evidence == .init(.verticalLines, .rightToLeft, pages: (4, 4)))
        #expect(outcome.direction == .rightToLeft)
        // Of six pages, the inner four are examined, and two of them are too few.
        let mixed = try await run(BookMetadata(), (1...6).map { picture($0, isVertical: $0 < 4) })
        #expect(mixed.report.reading?.evidence.hint == .nothing)
        let horizontal = try await run(BookMetadata(), (1...6).map { picture($0, isVertical: false) })
        #expect(horizontal.report.reading?.evidence.hint == .nothing)
    }

    /// Pages that show lines of signs, and call `body` when their image is decoded.
    private func pictures(
        _ count: Int, isVertical: Bool, body: @escaping @Sendable (Int) -> Void
    ) -> [Page] {
        let raster = SyntheticLines(isVertical: isVertical).raster
        return (1...count).map { id in
            Page(id: id, name: "page \(id)") {
                Picture(
                    size: raster.size,
                    representations: [
                        .sampled(
                            SampledPicture(compression: "raw", size: raster.size, format: raster.format) {
                                body(id)
                                return DecodedImage(raster: raster)
                            })
                    ])
            }
        }
    }

    @Test func pagesThatCannotChangeTheResultAreNotExamined() async throws {
        let looked = Mutex(0)
        let pages = pictures(200, isVertical: false) { _ in looked.withLock { $0 += 1 } }
        let outcome = try await run(BookMetadata(), pages) { ($0.isDryRun, $0.width) = (true, 1) }
        #expect(outcome.report.reading?.evidence.hint == .nothing)
        // 12 of 16 pages would have to agree, which 11 cannot.
        #expect(looked.withLock { $0 } == 5)
    }

    @Test func aBoundedSampleOfALongBookIsLookedAt() async throws {
        let looked = Mutex<[Int]>([])
        let pages = pictures(200, isVertical: true) { id in looked.withLock { $0.append(id) } }
        let outcome = try await run(BookMetadata(), pages) { $0.isDryRun = true }
        #expect(outcome.report.reading?.evidence.hint == .verticalLines)
        let first = looked.withLock { $0 }
        #expect(first.count == DirectionLimits().pages)
        #expect(Set(first.map { $0 / 20 }).count == 10)
        // Nothing is looked at where it is stated.
        looked.withLock { $0 = [] }
        _ = try await run(BookMetadata(direction: .leftToRight), pages) { $0.isDryRun = true }
        let second = looked.withLock { $0 }
        #expect(second.isEmpty)
    }

    @Test func oddNumbersAtTheRightMeanLeftToRight() async throws {
        let outcome = try await run(
            BookMetadata(language: "ja"), pages { (value: $0 + 6, isAtRight: $0 % 2 == 1) })
        #expect(outcome.report.reading?.evidence == .init(.pageNumbers, .leftToRight, pages: (10, 10)))
        #expect(outcome.direction == .leftToRight)
        #expect(
            outcome.lines.first?.english.contains(
                "because odd page numbers are at the right on 10 of 10 pages, although its language is ja") == true)
    }

    @Test func oddNumbersAtTheLeftMeanRightToLeft() async throws {
        let outcome = try await run(BookMetadata(), pages { (value: $0 + 3, isAtRight: $0 % 2 == 1) })
        #expect(outcome.report.reading?.evidence == .init(.pageNumbers, .rightToLeft, pages: (10, 10)))
        #expect(outcome.direction == .rightToLeft)
    }

    @Test func inconsistentNumbersGiveNoHint() async throws {
        // Always at the same side; at either side without a rule; not counting on; on few pages.
        typealias Number = (value: Int, isAtRight: Bool)
        func always(_ id: Int) -> Number? { (value: id, isAtRight: true) }
        func withoutRule(_ id: Int) -> Number? { (value: id, isAtRight: id % 3 == 0) }
        func notCountingOn(_ id: Int) -> Number? { (value: id * 37 % 101, isAtRight: id % 2 == 1) }
        func onFew(_ id: Int) -> Number? { id < 5 ? (value: id, isAtRight: id % 2 == 1) : nil }
        let rules: [(Int) -> Number?] = [always, withoutRule, notCountingOn, onFew]
        for (index, rule) in rules.enumerated() {
            let outcome = try await run(BookMetadata(), pages(number: rule))
            #expect(outcome.report.reading?.evidence.hint == .nothing, "rule \(index)")
        }
    }

    @Test func verticalTextOutweighsPageNumbers() async throws {
        let outcome = try await run(
            BookMetadata(), pages(12, [line(.vertical)]) { (value: $0, isAtRight: $0 % 2 == 1) })
        #expect(outcome.report.reading?.evidence.hint == .text)
        #expect(outcome.report.reading?.contrary?.hint == .pageNumbers)
        #expect(outcome.lines.first?.english.contains("although odd page numbers are at the right") == true)
    }

    @Test func unreadablePageIsIgnored() async throws {
        var pages = (1...8).map { picture($0, isVertical: true) }
        pages[3] = Sample.page(4, nil)
        pages[4].text = { throw Sample.damage }
        let outcome = try await run(BookMetadata(), pages)
        #expect(outcome.report.reading?.evidence.hint == .verticalLines)
    }
}
