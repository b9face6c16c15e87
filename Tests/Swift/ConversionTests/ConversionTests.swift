import AdapterKit
import Conversion
import Files
import Glibc
import PageModel
import Scratch
import Synchronization
import Testing
@testable import Audit
@testable import Trim

@Suite struct ConversionTests {
    /// Losses in a sink are reported, and end a strict run before any output appears.
    @Test func sinksWarn() async throws {
        var sink = FakeSink()
        sink.warnings = [Warning(code: "lost", message: "something is lost")]
        var stage = try Stage(FakeSource(), sink: sink)
        #expect(try await stage.run().warnings.map(\.code) == ["lost"])
        #expect(sink.memory.now.finished == 1)
        stage.job.isStrict = true
        #expect(await stage.error()?.message == "something is lost")
        #expect(sink.memory.now.finished == 1)
    }

    @Test func everyPageArrives() async throws {
        var stage = try Stage(FakeSource(Sample.pages(30).pages))
        stage.job.width = 4
        let report = try await stage.run()
        #expect(report.warnings.isEmpty)
        #expect(report.count(.verbatim) == 30)
        #expect(report.pages.map(\.number) == Array(1...30))
        #expect(report.pages.map(\.source) == (1...30).map { "page \($0)" })
        #expect(report.pages.map(\.output) == (1...30).map { "\($0).gif" })
        #expect(report.pages.allSatisfy { $0.bytes == Sample.gif.count && $0.size == Sample.size })
        let now = stage.sink.memory.now
        #expect(now.pages.map(\.page.id) == Array(1...30))
        #expect(now.pages.allSatisfy { (try? $0.encoded().bytes) == Sample.gif })
        #expect(now.finished == 1 && now.pageCount == 30 && now.asked == 1)
    }

    /// A memory limit is a limit on work: copying takes almost no memory.
    @Test func pagesThatTakeTooMuchMemoryAreRefused() async throws {
        let size = PixelSize(width: 10_000, height: 10_000)
        let large = Page(id: 1, name: "large") {
            Picture(size: size, representations: [Sample.encoded(.png, size: size)])
        }
        var stage = try Stage(FakeSource([large]))
        stage.edits = [.gray]
        stage.job.limits.memory = 300_000_000
        let error = await stage.error()
        #expect(error?.message.english.contains("more than the 300 allowed") == true)
        #expect(error?.hint == "use --max-memory to allow more")
        stage.edits = []
        #expect(await stage.error() == nil)
    }

    /// One bit per pixel becomes 8, or 24, when pixels are changed.
    @Test(arguments: [(PageEdit.gray, 200), (.fit(FitBox(width: 9000, height: nil)), 300)])
    func changedBilevelPixelsCountAsFullBytes(_ edit: PageEdit, _ megabytes: Int) async throws {
        let size = PixelSize(width: 15_000, height: 15_000)
        let large = Page(id: 1, name: "large") {
            let picture = EncodedPicture(encoding: .png, size: size, bitsPerPixel: 1) { Sample.gif }
            return Picture(size: size, representations: [.encoded(picture)])
        }
        var stage = try Stage(FakeSource([large]))
        stage.edits = [edit]
        stage.job.limits.memory = megabytes * 1_000_000
        let error = await stage.error()
        #expect(
            error?.message.english.contains("more than the \(megabytes) allowed") == true, "\(error?.message ?? "")")
    }

    /// One reason is reported once, for any number of affected pages.
    @Test func reasonSharedByAllPagesIsReportedOnce() async throws {
        let events = Mutex(0)
        let stage = try Stage(FakeSource((1...40).map { Sample.page($0, nil) }))
        do {
            _ = try await stage.run { event in
                if case .warned = event { events.withLock { $0 += 1 } }
            }
            Issue.record("there is no page")
        } catch let error as AdapterError {
            #expect(error.message == "no page of it can be read: all 40 were skipped: its data ends too early")
        }
        #expect(events.withLock { $0 } == 0)
    }

    @Test func bookMetadataReachesTheSink() async throws {
        let book = BookMetadata(title: "機巧図彙", authors: ["細川半蔵"], direction: .rightToLeft)
        let stage = try Stage(FakeSource(book: book, skipped: ["Thumbs.db"]))
        let report = try await stage.run()
        #expect(stage.sink.memory.now.book == book)
        #expect(report.direction == .rightToLeft)
        #expect(report.from == "fake" && report.to == "memory")
        #expect(report.skipped == ["Thumbs.db"])
    }

    @Test func jobOptionsOverrideTheBook() async throws {
        var stage = try Stage(FakeSource(Sample.pages(5).pages, book: BookMetadata(direction: .rightToLeft)))
        stage.job.direction = .leftToRight
        stage.job.selection = try PageSelection("4,2")
        let report = try await stage.run()
        #expect(report.direction == .leftToRight)
        #expect(report.pages.map(\.source) == ["page 4", "page 2"])
        #expect(stage.sink.memory.now.book.direction == .leftToRight)
        // A book without a title is called by its file.
        #expect(stage.sink.memory.now.book.title == "book")
    }

    @Test func progressIsReported() async throws {
        let events = Mutex<[String]>([])
        let pages = [Sample.page(1), Sample.page(2, nil)]
        _ = try await Stage(FakeSource(pages)).run { event in
            events.withLock { events in
                switch event {
                case .began(let page): events.append("began \(page)")
                case .ended(let page): events.append("ended \(page)")
                case .previewed(let count, let total): events.append("looked at \(count) of \(total)")
                case .analyzing(let step, let steps, _): events.append("analysis \(step) of \(steps)")
                case .opened(let count): events.append("opened \(count)")
                case .finished(let count): events.append("finished \(count)")
                case .directed: events.append("directed")
                case .completing: events.append("completing")
                case .readingBack: events.append("reading back")
                case .warned(let warning): events.append("warned \(warning.code)")
                }
            }
        }
        #expect(
            events.withLock { $0 } == [
                "opened 2", "began page 1", "ended page 1", "finished 1", "began page 2", "ended page 2", "finished 2",
                "warned page-skipped", "completing",
            ])
    }

    @Test func aDamagedPageIsLeftOutAndNamed() async throws {
        let stage = try Stage(FakeSource([Sample.page(1), Sample.page(2, nil), Sample.page(3)]))
        let report = try await stage.run()
        #expect(report.pages.map(\.source) == ["page 1", "page 3"])
        #expect(report.pages.map(\.number) == [1, 2])
        #expect(stage.sink.memory.now.pages.map(\.number) == [1, 2])
        #expect(report.warnings.map(\.code) == ["page-skipped"] && report.warnings.map(\.page) == [2])
        #expect(report.warnings.map(\.explanation) == ["page 2: skipped: its data ends too early"])
    }

    /// Both halves of a split page are the source's page, regardless of the second half's own number.
    @Test func warningsNameThePageOfTheSource() async throws {
        let damaged = Sample.picture(Sample.encoded(), defects: ["its checksum is wrong"])
        var pages = [Sample.page(1), Sample.page(2, damaged), Sample.page(7, damaged), Sample.page(8, nil)]
        for index in 1...3 { pages[index].sourceID = 2 }
        let report = try await Stage(FakeSource(pages)).run()
        #expect(report.warnings.map(\.page) == [2, 2, 2])
        #expect(report.warnings.map(\.code) == ["damaged-page", "damaged-page", "page-skipped"])
    }

    @Test func aPictureThatCannotBeReadIsLeftOutToo() async throws {
        let stage = try Stage(
            FakeSource([Sample.page(1), Sample.page(2, Sample.picture(Sample.encoded(error: Sample.damage)))]))
        let report = try await stage.run()
        #expect(report.pages.count == 1)
        #expect(report.warnings.map(\.code) == ["page-skipped"])
    }

    @Test func damagedSamplesAreDrawnInstead() async throws {
        let picture = Sample.picture(Sample.sampled(error: Sample.damage), Sample.drawn())
        let stage = try Stage(FakeSource([Sample.page(1, picture)]))
        let report = try await stage.run()
        #expect(report.count(.drawn) == 1 && report.pages.count == 1)
        #expect(report.warnings.count == 1)
        #expect(report.warnings.first?.code == "damaged-page")
        #expect(report.warnings.first?.page == 1)
        #expect(
            report.warnings.first?.message.english.contains("its data ends too early; rendered instead") == true)
    }

    /// A picture that PNG cannot hold is not damaged.
    @Test func unsupportedSamplesAreDrawnWithoutAWarning() async throws {
        let unsupported = AdapterError(.unsupported, "PNG cannot hold it")
        let picture = Sample.picture(Sample.sampled(error: unsupported), Sample.drawn())
        let report = try await Stage(FakeSource([Sample.page(1, picture)])).run()
        #expect(report.count(.drawn) == 1)
        #expect(report.warnings.isEmpty)
    }

    @Test func defectsAndDiagnosticsAreWarnings() async throws {
        let pages = [
            Sample.page(1, Sample.picture(Sample.encoded(), defects: ["its checksum is wrong"])),
            Sample.page(2, Sample.picture(Sample.drawn(["a font is missing", "a font is missing", "and a form"]))),
        ]
        let report = try await Stage(FakeSource(pages)).run()
        #expect(report.pages.count == 2)
        #expect(report.warnings.allSatisfy { $0.code == "damaged-page" })
        #expect(report.warnings.first?.explanation.english == "page 1: its checksum is wrong")
        #expect(report.warnings.count { $0.message.english.contains("a font is missing") } == 1)
    }

    /// A wrong checksum is known only after the bytes were read, and not in a dry run.
    @Test func defectFoundWhileReadingIsAWarning() async throws {
        let isRead = Mutex(false)
        var encoded = EncodedPicture(encoding: .gif, size: Sample.size) {
            isRead.withLock { $0 = true }
            return Sample.gif
        }
        encoded.reportDefect { isRead.withLock { $0 } ? "its checksum is wrong" : nil }
        let picture = Sample.picture(.encoded(encoded))
        let report = try await Stage(FakeSource([Sample.page(1, picture)])).run()
        #expect(report.warnings.map(\.explanation) == ["page 1: its checksum is wrong"])
    }

    /// The source knows the cause of damage, such as an error of the disk. The image shows only its effect.
    @Test func causeOfDamageComesBeforeItsEffect() async throws {
        func warnings(_ defect: Message?) async throws -> [String] {
            var encoded = EncodedPicture(encoding: .gif, size: Sample.size) { Array(Sample.gif.dropLast(4)) }
            encoded.reportDefect { defect }
            let page = Sample.page(1, Sample.picture(.encoded(encoded)))
            return try await Stage(FakeSource([page])).run().warnings.map(\.explanation.english)
        }
        let effect = try await warnings(nil)
        #expect(effect.count == 1)
        #expect(try await warnings("its checksum is wrong") == ["page 1: its checksum is wrong"])
    }

    /// Another warning about the page does not replace the one about its damage, and one about damage is enough.
    @Test func damageIsReportedWithOtherWarnings() async throws {
        let bytes = try Files.read("\(BuiltJisui.fixtures)/good/TIFFSource/book.tif")
        let isRead = Mutex(false)
        var tiff = EncodedPicture(encoding: .tiff, size: PixelSize(width: 24, height: 16)) {
            isRead.withLock { $0 = true }
            return bytes
        }
        tiff.reportDefect { isRead.withLock { $0 } ? "its checksum is wrong" : nil }
        var looked = Sample.page(2, Sample.picture(Sample.encoded(), defects: ["its checksum is wrong"]))
        looked.layout = PageLayout(content: nil, confidence: 0, remark: "", damage: "the GIF is damaged")
        var stage = try Stage(FakeSource([Sample.page(1, Sample.picture(.encoded(tiff))), looked]))
        stage.edits = [.gray]
        let warnings = try await stage.run().warnings
        #expect(
            warnings.filter { $0.page == 1 }.map(\.code) == ["damaged-page", "first-image-only"],
            "\(warnings.map(\.explanation))")
        #expect(warnings.filter { $0.page == 2 }.map(\.explanation) == ["page 2: its checksum is wrong"])
    }

    @Test func strictFailsAtTheFirstWarning() async throws {
        var stage = try Stage(FakeSource([Sample.page(1), Sample.page(2, nil)]))
        stage.job.isStrict = true
        let error = await stage.error()
        #expect(error?.page == "page 2" && error?.message == "its data ends too early")
        #expect(error?.hint?.english.contains("--strict") == true)
        #expect(stage.sink.memory.now.finished == 0)
        var warned = try Stage(FakeSource(warnings: [Warning(code: "odd", message: "the book is odd")]))
        warned.job.isStrict = true
        #expect(await warned.error()?.message == "the book is odd")
        #expect(warned.sink.memory.now.begun == 0)
    }

    /// Damage that a sink finds only with all pages is reported before the output appears.
    @Test func damageFoundByTheSinkIsReported() async throws {
        for isStrict in [false, true] {
            var stage = try Stage(FakeSource([Sample.page(1), Sample.page(2)]))
            stage.job.isStrict = isStrict
            stage.sink.memory.change {
                $0.compositions = [1: Composition(.encoded, []), 2: Composition(.encoded, [])]
                $0.compositions[2]?.defect = "the JPEG is damaged"
            }
            if isStrict {
                let error = await stage.error()
                #expect(error?.page == "page 2" && error?.message == "the JPEG is damaged")
                #expect(stage.sink.memory.now.finished == 0)
            } else {
                let report = try await stage.run()
                #expect(report.warnings.map(\.explanation) == ["page 2: the JPEG is damaged"])
                #expect(report.warnings.map(\.page) == [2] && stage.sink.memory.now.finished == 1)
            }
        }
    }

    @Test func aDryRunWritesNothing() async throws {
        let neverRead = Sample.picture(Sample.encoded(error: AdapterError(.damaged, "was read")))
        var stage = try Stage(FakeSource([Sample.page(1, neverRead), Sample.page(2, Sample.picture(Sample.drawn()))]))
        stage.job.isDryRun = true
        let report = try await stage.run()
        #expect(report.pages.map(\.treatment) == [.verbatim, .drawn])
        #expect(report.pages.allSatisfy { $0.output == nil && $0.bytes == nil && $0.size == Sample.size })
        #expect(report.warnings.isEmpty)
        #expect(stage.sink.memory.now.begun == 0)
        #expect(stage.scratch.names() == ["book.fake"])
    }

    @Test func allPagesBadIsAnError() async throws {
        for isDryRun in [false, true] {
            var stage = try Stage(FakeSource([Sample.page(1, nil), Sample.page(2, nil)]))
            stage.job.isDryRun = isDryRun
            let error = await stage.error()
            #expect(error?.code == .damaged)
            #expect(error?.message.english.contains("no page of it can be read") == true)
            #expect(error?.file == stage.job.inputs.first?.path)
            #expect(stage.sink.memory.now.finished == 0)
        }
    }

    @Test func theInputIsNotOverwritten() async throws {
        var stage = try Stage(FakeSource())
        let input = stage.job.inputs[0].path
        // The same file by other names.
        let link = stage.scratch("link.mem")
        try #require(symlink(input, link) == 0)
        for path in [
            input, "\(stage.scratch.path)/./book.fake", link,
        ] {
            stage.job.destination = Destination(path: path, mayReplace: true)
            let error = await stage.error()
            #expect(error?.code == .usage)
            #expect(error?.message == "the output is the input itself")
        }
        #expect(stage.sink.memory.now.begun == 0)
    }

    /// Even with permission to replace files, an output is never around an input, nor inside one.
    @Test func anOutputIsNeitherAroundAnInputNorInOne() async throws {
        var stage = try Stage(FakeSource(), sink: FakeSink(form: .folder))
        try stage.scratch.write("scans/inner/0002.fake", Array("FAKE".utf8))
        try stage.scratch.write("elsewhere/x")
        try #require(symlink(stage.scratch("scans"), stage.scratch("link")) == 0)
        func message(_ input: String, _ output: String) async -> Message? {
            stage.job.inputs = [Input(path: stage.scratch(input))]
            stage.job.destination = Destination(path: stage.scratch(output), mayReplace: true)
            return await stage.error()?.message
        }
        for output in ["scans", "scans/", "scans/inner", "link", "link/inner", "./scans/../scans/inner", "."] {
            #expect(
                await message("scans/inner/0002.fake", output)?.english.hasPrefix("lies inside the output folder")
                    == true,
                "\(output)")
        }
        for output in ["scans/new/", "scans/inner/new", "link/new.cbz"] {
            #expect(
                await message("scans", output)?.english.hasSuffix("would lie inside this input") == true, "\(output)")
        }
        #expect(await message("scans/inner/0002.fake", "elsewhere") == nil)
        #expect(await message("scans/inner/0002.fake", "scans/new") == nil)
        // The other books of a batch are read later.
        stage.job.protected = ProtectedInputs([stage.scratch("elsewhere/x")])
        #expect(await message("scans/inner/0002.fake", "elsewhere")?.english.hasPrefix("lies inside") == true)
    }

    @Test func settingsReachTheirAdapters() async throws {
        let dpi = Setting("dpi", .integer(10...600), default: "300", valueName: "N", help: "test")
        let name = Setting("name", .text, valueName: "X", help: "test")
        var stage = try Stage(FakeSource(settings: [dpi]), sink: FakeSink(settings: [dpi, name]))
        stage.job.settings = ["name": "x"]
        _ = try await stage.run()
        #expect(stage.sink.memory.now.settings["name"] == "x")
        #expect(stage.sink.memory.now.settings.integer("dpi") == 300)
        stage.job.settings = ["dpi": "5"]
        #expect(await stage.error()?.message == "--dpi takes a whole number from 10 to 600, not '5'")
    }

    @Test func aSettingOfNoAdapterIsAnError() async throws {
        let dpi = Setting("dpi", .integer(10...600), valueName: "N", help: "test")
        var stage = try Stage(FakeSource(settings: [dpi], error: AdapterError(.damaged, "it is opened")))
        stage.job.settings = ["dip": "300"]
        let error = await stage.error()
        #expect(error?.code == .usage && error?.message == "unknown setting 'dip'")
        #expect(error?.hint == "did you mean 'dpi'?")
        stage.job.settings = ["something-else": "300"]
        #expect(await stage.error()?.hint == nil)
    }

    @Test func aSettingThatDoesNotApplyIsAnError() async throws {
        let dpi = Setting("dpi", .integer(10...600), valueName: "N", help: "test")
        let stage = try Stage(FakeSource())
        let other = FakeSource(id: "other", settings: [dpi], word: "OTHER")
        var job = stage.job
        (job.source, job.settings) = ("fake", ["dpi": "300"])
        let registry = Registry(sources: stage.registry.sources + [other], sinks: stage.registry.sinks)
        let error = await #expect(throws: AdapterError.self) { try await Conversion(registry, job).run() }
        #expect(error?.code == .usage)
        #expect(error?.message == "--dpi has no effect when converting fake to memory")
    }

    @Test func anUnknownFormatIsNamed() async throws {
        var stage = try Stage(FakeSource())
        stage.job.sink = "cbz"
        #expect(await stage.error()?.message == "unknown format 'cbz'")
        stage.job.sink = "memory"
        stage.job.source = "pdf"
        let error = await stage.error()
        #expect(error?.message == "unknown format 'pdf'")
        #expect(error?.hint == "--from takes fake")
    }

    @Test func errorsNameTheInput() async throws {
        let stage = try Stage(FakeSource(error: AdapterError(.encrypted, "needs a password")))
        let error = await stage.error()
        #expect(error?.code == .encrypted)
        #expect(error?.file == stage.job.inputs[0].path)
        #expect(stage.sink.memory.now.begun == 0)
    }
}
