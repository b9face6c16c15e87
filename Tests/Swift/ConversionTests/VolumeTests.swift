import AdapterKit
import Files
import FolderSource
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning

/// `--split-volumes`: a book as several outputs.
@Suite struct VolumeTests {
    @Test(arguments: [
        ("200MB", VolumeSplit.bytes(200_000_000)), ("1.5 gb", .bytes(1_500_000_000)), ("95MiB", .bytes(99_614_720)),
        ("100pages", .pages(100)), ("Chapters", .chapters), ("200", nil), ("0pages", nil), ("1MBs", nil),
        ("nanMB", nil),
    ])
    func rulesAreRead(_ text: String, _ split: VolumeSplit?) {
        #expect(VolumeSplit(text) == split)
        if let split { #expect(VolumeSplit(split.text) == split) }
    }

    @Test func numbersSortLikeNames() {
        let paths = VolumePaths("a.b/book.kepub.epub", fileExtension: "kepub.epub")
        #expect(paths.path(2, of: 9) == "a.b/book 2.kepub.epub" && paths.path(2, of: 10) == "a.b/book 02.kepub.epub")
        #expect(VolumePaths("Book.CBZ", fileExtension: "cbz").path(1, of: 2) == "Book 1.CBZ")
        #expect(VolumePaths("pages/", fileExtension: nil).path(1, of: 2) == "pages 1/")
        #expect(VolumePaths.whole(ofVolume: "x/book 12.kepub.epub") == "x/book.kepub.epub")
        #expect(VolumePaths.whole(ofVolume: "book 1x.cbz") == nil && VolumePaths.whole(ofVolume: "book.cbz") == nil)
    }

    private func sequence(_ count: Int, sides: [Int: Side] = [:], outline: [OutlineItem] = []) -> PageSequence {
        let pages = (1...count).map { number in
            var page = Sample.page(number)
            page.side = sides[number] ?? .single
            return page
        }
        var book = BookMetadata(title: "Book")
        book.outline = outline
        return PageSequence(book: book, pages: pages)
    }

    /// Page 1 is a cover; then every two pages face each other.
    @Test func spreadsStayTogether() async throws {
        let units = try await VolumeUnits(sequence(6))
        #expect(units.volumes(ofPages: 2) == [0..<1, 1..<3, 3..<5, 5..<6])
        #expect(units.volumes(ofPages: 3) == [0..<3, 3..<6])
        let stated = try await VolumeUnits(sequence(4, sides: [1: .left, 2: .right, 3: .right, 4: .left]))
        #expect(stated.ranges == [0..<2, 2..<3, 3..<4])
        // A group above the limit is a volume by itself, and every page is in one.
        #expect(stated.volumes(ofBytes: 10, [8, 8, 4, 6]) == [0..<2, 2..<4])
        #expect(units.volumes(from: [2, 4]) == [0..<3, 3..<6])
    }

    /// A book that states no sides, combined with one that does, is paired as usual.
    @Test func eachBookHasSpreadsOfItsOwn() async throws {
        var combined = sequence(7, sides: [1: .left, 2: .right, 3: .left])
        for place in 3..<7 { combined.pages[place].book = 1 }
        #expect(try await VolumeUnits(combined).ranges == [0..<2, 2..<3, 3..<4, 4..<6, 6..<7])
    }

    /// Only then do options that change the sides take effect in an output that does not store them.
    @Test func volumesCanDependOnSides() async throws {
        let outline = [OutlineItem(title: "One", page: 1, level: 0), OutlineItem(title: "Two", page: 3, level: 0)]
        func depends(_ sides: [Int: Side], _ split: VolumeSplit) async throws -> Bool {
            let whole = sequence(4, sides: sides, outline: outline)
            return try VolumeDivider(units: try await VolumeUnits(whole), split: split).dependsOnSides(of: whole)
        }
        #expect(try await depends([1: .left, 2: .right, 3: .left, 4: .right], .chapters))
        #expect(try await !depends([2: .left, 3: .right, 4: .left], .chapters))
        #expect(try await !depends([1: .left, 2: .right, 3: .left, 4: .right], .pages(4)))
        #expect(try await !depends([:], .chapters))
    }

    @Test func theLastVolumeIsNoTinyRest() async throws {
        #expect(try await VolumeUnits(sequence(35)).volumes(ofPages: 12) == [0..<11, 11..<23, 23..<35])
        #expect(try await VolumeUnits(sequence(36)).volumes(ofPages: 12) == [0..<9, 9..<19, 19..<29, 29..<36])
        // A quarter of the limit is no tiny rest.
        let single = VolumeUnits((0..<27).map { $0..<$0 + 1 })
        #expect(single.volumes(ofPages: 12) == [0..<12, 12..<24, 24..<27])
        #expect(single.volumes(ofBytes: 1300, [Int](repeating: 100, count: 27)) == [0..<9, 9..<18, 18..<27])
        // No other division has as few volumes.
        #expect(VolumeUnits([0..<12, 12..<13]).volumes(ofPages: 12) == [0..<12, 12..<13])
    }

    @Test func volumesHaveTheirTableOfContents() throws {
        let outline = [
            OutlineItem(title: "One", page: 1, level: 0), OutlineItem(title: "1a", page: 2, level: 1),
            OutlineItem(title: "1b", page: 4, level: 1), OutlineItem(title: "Two", page: 5, level: 0),
        ]
        let whole = sequence(6, outline: outline)
        let volumes = Volume.all(of: whole, [0..<2, 2..<4, 4..<6])
        #expect(
            volumes.map { $0.sequence.book.outline.map(\.title) } == [["One", "1a"], ["One", "1a", "1b"], ["Two"]])
        // The chapter that goes on begins with the volume.
        #expect(volumes[1].sequence.book.outline.map(\.page) == [3, 3, 4])
        #expect(volumes.map { $0.sequence.book.title } == ["Book [1/3]", "Book [2/3]", "Book [3/3]"])
        #expect(volumes.map { $0.sequence.book.number } == ["1", "2", "3"])
        #expect(volumes[0].sequence.book.series == "Book")
        #expect(Volume.chapters(of: whole) == [0, 4])
        #expect(Volume.all(of: whole, [0..<6])[0].sequence.book == whole.book)
    }

    /// Library apps show books of one number as duplicates.
    @Test(
        arguments: [
            ("7", nil, 2, ["7.1", "7.2"]), ("12.5", "3", 2, ["12.51", "12.52"]), (nil, "3", 2, ["3.1", "3.2"]),
            (nil, nil, 2, ["1", "2"]), ("7", nil, 10, (1...10).map { $0 < 10 ? "7.0\($0)" : "7.10" }),
        ] as [(String?, String?, Int, [String])])
    func volumesHaveNumbersOfTheirOwn(_ number: String?, _ volume: String?, _ count: Int, _ numbers: [String]) {
        var whole = sequence(count)
        (whole.book.series, whole.book.number, whole.book.volume) = ("X", number, volume)
        let books = Volume.all(of: whole, (0..<count).map { $0..<$0 + 1 }).map(\.sequence.book)
        #expect(books.compactMap(\.number) == numbers)
        #expect(books.allSatisfy { $0.series == "X" && $0.volume == volume })
    }

    private struct Run {
        let scratch: ScratchFolder
        private let registry: Registry
        var job: Job

        init(
            pages: Int, book: BookMetadata = BookMetadata(), unreadable: Set<Int> = [],
            fault: @escaping @Sendable (String) throws -> Void = { _ in }
        ) throws {
            scratch = try ScratchFolder()
            registry = Registry(
                sources: [
                    FakeSource(
                        (1...pages).map { unreadable.contains($0) ? Sample.page($0, nil) : Sample.page($0) },
                        book: book), FolderSource(), PictureSource(),
                ], sinks: [FaultySink(fault: fault)])
            job = Job(
                inputs: [Input(path: try scratch.write("book.fake", Array("FAKE".utf8)))], sink: "folder",
                destination: Destination(path: scratch("out")))
        }

        func report() async throws -> Report { try await Conversion(registry, job).run() }
    }

    @Test func bookBecomesVolumes() async throws {
        var run = try Run(pages: 5)
        run.job.volumes = .pages(3)
        (run.job.verifies, run.job.findsDigests) = (true, true)
        let report = try await run.report()
        #expect(run.scratch.names() == ["book.fake", "out 1", "out 2"])
        #expect(run.scratch.names(in: "out 2") == ["0001.gif", "0002.gif"])
        #expect(report.pages.map(\.volume) == [1, 1, 1, 2, 2] && report.pages.map(\.number) == [1, 2, 3, 4, 5])
        #expect(report.volumes.map(\.pageCount) == [3, 2] && report.outputBytes == 5 * Sample.gif.count)
        #expect(report.verification?.text == "Verified: 5 pages read back, 5 identical to the source bytes")
        #expect(report.volumes.map { $0.outputFiles?.count } == [3, 2])
        let json = report.json(version: "1")
        #expect(json["volumes"]?.elements?.map { $0["pages"]?.asInteger } == [3, 2] && json["outputFiles"] == nil)
        let again = await #expect(throws: AdapterError.self) { try await run.report() }
        #expect(again?.code == .exists && again?.file?.hasSuffix("out 1/") == true)
    }

    /// Spreads of two images and the file names of 400 bytes fit twice.
    @Test func volumesFitTheirSize() async throws {
        var run = try Run(pages: 5)
        run.job.volumes = .bytes(1500)
        let report = try await run.report()
        #expect(
            report.volumes.map(\.pageCount) == [3, 2]
                && report.volumes.allSatisfy { $0.bytes.map { $0 <= 1500 } == true })
        run.job.volumes = .bytes(1_000_000)
        run.job.destination.mayReplace = true
        let whole = try await run.report()
        #expect(whole.volumes.isEmpty && run.scratch.names(in: "out").count == 5)
        #expect(whole.unusedOptions.map(\.name) == ["split-volumes"])
    }

    /// All volumes or none.
    @Test func failureLeavesNoVolume() async throws {
        // The first volume has only the cover.
        var run = try Run(pages: 5) { if try FolderListing.names(in: $0).count > 1 { throw Sample.damage } }
        run.job.volumes = .pages(2)
        await #expect(throws: AdapterError.self) { try await run.report() }
        #expect(run.scratch.names() == ["book.fake"])
    }

    private static func chapters(_ count: Int) -> BookMetadata {
        var book = BookMetadata(title: "Book")
        // Page 1 is alone, and a chapter begins with each spread.
        book.outline = (1...count).map { OutlineItem(title: "\($0)", page: 2 * $0 - ($0 == 1 ? 1 : 2), level: 0) }
        return book
    }

    /// The chapters have the pages 1, 2 and 3, 4 and 5.
    @Test(arguments: [([2, 3], [1, 2]), ([1], [2, 2]), ([4, 5], [1, 2])])
    func aVolumeWithoutReadablePagesIsLeftOut(_ unreadable: [Int], _ counts: [Int]) async throws {
        var run = try Run(pages: 5, book: Self.chapters(3), unreadable: Set(unreadable))
        run.job.volumes = .chapters
        let report = try await run.report()
        #expect(run.scratch.names() == ["book.fake", "out 1", "out 2"])
        #expect(report.volumes.map(\.pageCount) == counts)
        #expect(report.warnings.map(\.page) == unreadable && report.warnings.allSatisfy { $0.code == "page-skipped" })
    }

    @Test func aBookWithoutReadablePagesFails() async throws {
        var run = try Run(pages: 5, book: Self.chapters(3), unreadable: [1, 2, 3, 4, 5])
        run.job.volumes = .chapters
        let error = await #expect(throws: AdapterError.self) { try await run.report() }
        #expect(error?.message.english.hasPrefix("no page of it can be read: all 5 were skipped") == true)
        #expect(run.scratch.names() == ["book.fake"])
    }

    @Test func aSpreadAboveTheNumberOfPagesIsWarnedAbout() async throws {
        var run = try Run(pages: 3)
        run.job.volumes = .pages(1)
        let report = try await run.report()
        #expect(report.volumes.map(\.pageCount) == [1, 2] && report.warnings.map(\.subject) == ["out 2"])
        #expect(report.warnings.map(\.message) == ["has 2 pages, because they stay together"])
    }

    /// The title is the name of the input, and the series is that of the volumes: an output without them loses nothing.
    @Test func volumesLoseNothingThatTheBookDoesNotHave() async throws {
        var run = try Run(pages: 5)
        run.job.volumes = .pages(3)
        #expect(!(try await run.report()).notes.contains { $0.code.hasPrefix("metadata-") })
        run = try Run(pages: 5, book: BookMetadata(title: "Book"))
        run.job.volumes = .pages(3)
        let notes = try await run.report().notes.filter { $0.code.hasPrefix("metadata-") }
        #expect(notes.map(\.message) == ["the output cannot store the book's title"])
    }

    /// Whatever the number of their digits, and if the book is one volume now.
    @Test(arguments: [(3, ["out 3", "out 01", "out 02"]), (9, ["out 1", "out 2", "out 3", "out 01", "out 02"])])
    func oldVolumesAreNoted(_ pages: Int, _ old: [String]) async throws {
        var run = try Run(pages: 5)
        for name in ["out 1", "out 2", "out 3", "out 01", "out 02"] { try run.scratch.write("\(name)/0001.gif", [1]) }
        (run.job.volumes, run.job.destination.mayReplace) = (.pages(pages), true)
        let note = try #require(try await run.report().notes.first { $0.code == "old-volume" })
        #expect(note.message == "\(old.count) outputs, such as \(old[0]), are not volumes of this run")
        let paths = VolumePaths(run.job.destination.path, fileExtension: nil)
        #expect(paths.others(than: pages == 3 ? 2 : 1).count == old.count)
    }

    /// An output may have an attachment in place of the image.
    @Test func attachmentsAreStored() throws {
        let scratch = try ScratchFolder()
        for replaces in [true, false] {
            let stored = try StoredPages(
                beside: Destination(path: scratch("out")), replacesImages: replaces)
            var page = ConvertedPage(PlannedPage(Sample.page()))
            page.result = PageResult(
                .encoded(EncodedPage(encoding: .gif, bytes: Sample.gif, size: Sample.size)))
            page.attachment = [1, 2, 3]
            try stored.add([page], of: 1)
            #expect(stored.byteCount(of: 1) == (replaces ? 3 : Sample.gif.count + 3))
            let read = try #require(try stored.pages(of: 1)?.first)
            #expect(read.attachment == [1, 2, 3] && read.result?.content.byteCount == Sample.gif.count)
            // A raster is converted again, and its size in the output is known.
            page.result = PageResult(.raster(RasterPage(Sample.raster())))
            try stored.add([page], of: 2)
            #expect(stored.byteCount(of: 2) == (replaces ? 3 : nil))
            #expect(try stored.pages(of: 2) == nil)
        }
    }

    private func written(_ bytes: [Int]) -> [WrittenVolume] {
        let job = Job(inputs: [], sink: "", destination: Destination(path: ""))
        let auditor = Auditor(Registry(sources: [], sinks: []), job) { _ in }
        return bytes.map { bytes in
            WrittenVolume(
                destination: job.destination, log: RunLog(job, auditor) { _ in }, tally: WriteTally(),
                bytes: bytes, unitCount: 2)
        }
    }

    /// The output has a tenth of the bytes of the images.
    @Test func smallOutputsNeedFewerVolumes() async throws {
        let whole = sequence(6)
        var divider = VolumeDivider(units: VolumeUnits((0..<6).map { $0..<$0 + 1 }), split: .bytes(100_000))
        divider.sizes = [Int?](repeating: 50_000, count: 4) + [nil, nil]
        #expect(try divider.ranges(of: whole).count == 6)
        let isCorrected = divider.correct(by: written([Int](repeating: 5400, count: 6)))
        #expect(try isCorrected && divider.ranges(of: whole) == [0..<6])
        // Only once: further corrections make volumes smaller.
        let isLarger = divider.correct(by: written([10_000]))
        #expect(try !isLarger && divider.ranges(of: whole) == [0..<6])
        let isSmaller = divider.correct(by: written([400_000]))
        #expect(try isSmaller && divider.ranges(of: whole).count > 1)
    }

    @Test func bookWithoutChaptersIsRefused() async throws {
        var run = try Run(pages: 2)
        run.job.volumes = .chapters
        let error = await #expect(throws: AdapterError.self) { try await run.report() }
        #expect(error?.message == "--split-volumes chapters needs a table of contents, and the book has none")
        run.job.destination = .standardOutput(mayReplace: false)
        let stream = await #expect(throws: AdapterError.self) { try await run.report() }
        #expect(stream?.message == "--split-volumes cannot be used: standard output is one file")
    }
}
