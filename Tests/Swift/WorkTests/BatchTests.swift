import AdapterKit
import Audit
import Conversion
import PageModel
import Scratch
import Testing

@testable import Work

@Suite struct BatchTests {
    private let books: TestBooks

    init() throws {
        books = try TestBooks()
    }

    @Test func batchContinuesAfterAFailedBook() async throws {
        let paths = [try books.image("one.png"), books.scratch("missing.png"), try books.image("two.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let batch = try Batch(TestBooks.registry, try books.jobs(target, paths), folder: target.folder)
        batch.reports = try ReportStream(books.scratch("reports"), mayReplace: false, version: "1.2.3")
        let events = EventList()
        let result = try await batch.run(onEvent: events.add)
        #expect(books.scratch.names(in: "out") == ["one.cbz", "two.cbz"])
        #expect([result.finished, result.failed, result.withWarnings] == [2, 1, 0])
        #expect(
            events.names == [
                "began 1 of 3", "ended 1", "finished 1", "began 2 of 3", "ended 2", "failed 2", "began 3 of 3",
                "ended 3", "finished 3", "3 books: 2 done, 1 failed",
            ])
        #expect(events.errors.map(\.file) == [books.scratch("missing.png")])
        let lines = String(decoding: try books.scratch.read("reports"), as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains("\"error\"") } == [false, true, false])
        #expect(lines.allSatisfy { $0.hasPrefix("{\"jisui\": \"1.2.3\"") })
    }

    @Test func notesAreSummedOverBooks() async throws {
        let paths = [try books.image("one.png"), try books.image("two.png"), try books.image("three.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths) {
            $0.notes = [Warning(code: "input-order", message: "about the whole run", isNote: true)]
        }
        let result = try await Batch(TestBooks.registry, jobs, folder: target.folder).run()
        #expect(
            result.notes.lines == ["took the input's name as the title, because nothing states one (3 books)"])
    }

    /// The folder that was created for the output is removed, because it is empty.
    @Test func errorOfTheOnlyBookIsThrown() async throws {
        let paths = [books.scratch("missing.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let batch = try Batch(TestBooks.registry, try books.jobs(target, paths), folder: target.folder)
        try batch.prepare()
        #expect(books.scratch.names() == ["out"])
        let events = EventList()
        do {
            _ = try await batch.run(onEvent: events.add)
            Issue.record("The batch succeeded.")
        } catch let error as AdapterError {
            #expect(error.code == .unreadable)
        }
        #expect(events.names == ["began 1 of 1", "ended 1"])
        #expect(books.scratch.names().isEmpty)
    }

    @Test func closedBatchLeavesNoFolder() throws {
        let paths = [try books.image("one.png"), try books.image("two.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let batch = try Batch(TestBooks.registry, try books.jobs(target, paths), folder: target.folder)
        try batch.prepare()
        batch.close()
        #expect(books.scratch.names() == ["one.png", "two.png"])
    }

    @Test func dryRunStatesTheBlocker() async throws {
        let path = try books.image("one.png")
        try books.scratch.write("one.cbz")
        let target = try books.target(books.scratch("one.cbz"), for: [path])
        let batch = try Batch(
            TestBooks.registry, try books.jobs(target, [path]) { $0.isDryRun = true })
        let events = EventList()
        _ = try await batch.run(onEvent: events.add)
        #expect(events.reports.map(\.blocker) == ["it already exists; use --force to replace it"])
    }

    /// The three books of which the first two exist, one of them as an empty file.
    private func repeated(_ skipsExisting: Bool, isDryRun: Bool = false) throws -> (Batch, EventList) {
        let paths = [try books.image("one.png"), try books.image("two.png"), try books.image("three.png")]
        try books.scratch.write("out/one.cbz", [1])
        try books.scratch.write("out/two.cbz")
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths) { $0.isDryRun = isDryRun }
        let batch = try Batch(TestBooks.registry, jobs, folder: target.folder, skipsExisting: skipsExisting)
        batch.reports = try ReportStream(books.scratch("reports"), mayReplace: true, version: "1.2.3")
        return (batch, EventList())
    }

    @Test func outputsThatExistAreReportedOnce() async throws {
        let (batch, events) = try repeated(false)
        let result = try await batch.run(onEvent: events.add)
        // No earlier run made an empty file.
        #expect(events.errors.map(\.file) == [books.scratch("out/two.cbz")])
        #expect(result.tally == "3 books: 1 done, 1 done before, 1 failed")
        #expect(result.existingError?.file == books.scratch("out/one.cbz"))
        #expect(events.names.first == "began 2 of 3")
        let lines = String(decoding: try books.scratch.read("reports"), as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains("\"code\": \"exists\"") } == [true, true, false])
        #expect(try books.scratch.read("out/one.cbz") == [1])
    }

    @Test func skippedBooksAreNoError() async throws {
        let (batch, events) = try repeated(true)
        let result = try await batch.run(onEvent: events.add)
        #expect(result.existingError == nil && result.existing == [books.scratch("out/one.cbz")])
        #expect(result.tally == "3 books: 1 done, 1 done before, 1 failed")
        let lines = String(decoding: try books.scratch.read("reports"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(events.names.first == "began 2 of 3")
    }

    @Test func dryRunSkipsAsTheRealRunDoes() async throws {
        let (batch, events) = try repeated(false, isDryRun: true)
        let result = try await batch.run(onEvent: events.add)
        #expect(result.tally == "3 books: 2 planned, 1 of them blocked, 1 done before")
    }

    @Test func planNamesTheReasonsOfRefusals() throws {
        let (batch, _) = try repeated(false, isDryRun: true)
        let plan = batch.plan()
        #expect(plan.lines.map(\.action) == [.refuse, .convert, .convert])
        #expect(plan.errors.map(\.message.english) == ["done before, because the output exists"])
        #expect(plan.errors.map(\.file) == [books.scratch("out/one.cbz")])
        #expect(try repeated(true, isDryRun: true).0.plan().errors.isEmpty)
        try books.image("a/1.png")
        let own = [books.scratch("a"), try books.image("b.png")]
        let target = try books.target(nil, to: "folder", for: own)
        let refused = try Batch(TestBooks.registry, try books.jobs(target, own), isNextToInputs: true).plan()
        #expect(refused.errors.map(\.message.english) == ["the output is the input itself"])
        #expect(refused.errors.map(\.file) == [own[0]])
    }

    /// A folder with hidden files only may come from another program.
    @Test(arguments: [("0001.png", true), (".hidden", false)]) func foldersAreSkipped(_ name: String, _ isDone: Bool)
        async throws
    {
        let paths = [try books.image("one.png"), try books.image("two.png")]
        try books.scratch.write("out/one/\(name)", [1])
        let target = try books.target(books.scratch("out/"), for: paths)
        let batch = try Batch(
            TestBooks.registry, try books.jobs(target, paths), folder: target.folder, skipsExisting: true)
        let result = try await batch.run()
        #expect(result.existing.count == (isDone ? 1 : 0))
    }

    @Test func onlyBookIsSkippedOrRefused() async throws {
        let path = try books.image("one.png")
        try books.scratch.write("one.cbz", [1])
        let target = try books.target(nil, to: "cbz", for: [path])
        let jobs = try books.jobs(target, [path])
        let result = try await Batch(TestBooks.registry, jobs, skipsExisting: true).run()
        #expect(result.existing == [books.scratch("one.cbz")] && result.finished == 0)
        let error = await #expect(throws: AdapterError.self) {
            try await Batch(TestBooks.registry, jobs, isNextToInputs: true).run()
        }
        #expect(error?.code == .exists && error?.hint == "use -o to write to another path")
    }

    @Test func shelvesSkipNothing() throws {
        let paths = [try books.image("one.png"), try books.image("two.png")]
        let target = try books.target(books.scratch("shelf/"), to: "web", for: paths)
        let jobs = try books.jobs(target, paths)
        #expect(throws: AdapterError.self) { try Batch(TestBooks.registry, jobs, skipsExisting: true) }
    }

    @Test func booksWithTheSameOutputAreRejected() async throws {
        let paths = [try books.image("a/one.png"), try books.image("two.png"), try books.image("b/one.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths)
        let message = "\(paths[0]) and \(paths[2]) would both become \(books.scratch("out/one.cbz"))"
        // There is nothing else to do.
        let error = #expect(throws: AdapterError.self) { try Batch(TestBooks.registry, [jobs[0], jobs[2]]) }
        #expect(error?.code == .usage && error?.message.english == message)
        let events = EventList()
        let result = try await Batch(TestBooks.registry, jobs, folder: target.folder).run(onEvent: events.add)
        #expect(events.errors.map(\.message.english) == [message])
        #expect(events.errors.map(\.hint) == ["convert these books alone, with --name '{folder} {name}.{ext}'"])
        #expect(
            events.names == ["refused 1 and 3", "began 2 of 3", "ended 2", "finished 2", "3 books: 1 done, 2 failed"])
        #expect(result.failed == 2)
        #expect(events.totals.failed == 2 && events.totals.done == 1 && events.totals.books == 3)
        #expect(books.scratch.names(in: "out") == ["two.cbz"])
    }

    @Test(arguments: [
        (["a/one.png", "one.tiff"], "use --name '{folder} {name}.{ext}'"),
        (["one.png", "one.tiff"], "use --name '{file}.{ext}'"),
        (["a/one.png", "a/one.tiff", "b/one.png"], "use --name '{folder} {file}.{ext}'"),
        (["a/c/one.png", "b/c/one.png"], "convert them into different folders"),
        (["one.png", "one.png"], "give each input once"),
    ])
    func hintGivesDifferentNames(_ names: [String], _ hint: String) throws {
        let paths = try names.map { try books.image($0) }
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths)
        let error = #expect(throws: AdapterError.self) { try Batch(TestBooks.registry, jobs) }
        #expect(error?.hint?.english == hint)
    }

    /// The new names must differ from those of the other books, which are converted.
    @Test func hintGivesNamesThatNoOtherBookHas() async throws {
        let names = ["a/one.png", "one.tiff", "a one.png"]
        let paths = try names.map { try books.image($0) }
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let events = EventList()
        _ = try await Batch(TestBooks.registry, try books.jobs(target, paths), folder: target.folder)
            .run(onEvent: events.add)
        #expect(events.errors.map(\.hint) == ["convert these books alone, with --name '{file}.{ext}'"])
    }

    /// The second run of the same command finds the outputs among its inputs.
    @Test func outputsAmongTheInputsAreSkipped() async throws {
        let paths = [try books.image("one.png"), try books.image("one.cbz")]
        let target = try books.target(nil, to: "cbz", for: paths)
        var jobs = try books.jobs(target, paths)
        jobs[1].destination = jobs[0].destination
        let result = try await Batch(TestBooks.registry, jobs, skipsExisting: true).run()
        #expect(result.existing.count == 2 && result.failed == 0)
        // Otherwise both would become that file.
        #expect(throws: AdapterError.self) { try Batch(TestBooks.registry, jobs) }
    }

    @Test func partsFollowTheSizesOfFiles() throws {
        try books.image("small.png")
        let size = try books.scratch.read("small.png").count
        try books.scratch.write("large.png", Array(repeating: 0, count: 3 * size + 2))
        try books.image("done.png")
        try books.scratch.write("out/done.cbz", [1])
        let paths = ["small.png", "done.png", "large.png"].map { books.scratch($0) }
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        var all = try books.jobs(target, paths).enumerated().map { BatchBook($1, at: $0, of: 3, TestBooks.registry) }
        BatchBook.setParts(of: &all)
        #expect(all.map(\.part.lowerBound) == [0, 0.25, 0.25])
        #expect(all.map(\.part.upperBound) == [0.25, 0.25, 1])
        try books.image("folder/1.png")
        let others = [books.scratch("folder"), books.scratch("small.png")]
        all = try books.jobs(target, others).enumerated().map { BatchBook($1, at: $0, of: 2, TestBooks.registry) }
        BatchBook.setParts(of: &all)
        #expect(all.map(\.part.upperBound) == [0.5, 1])
    }

    @Test func collectionGetsAllBooks() async throws {
        let paths = [try books.image("a/one.png"), try books.image("two.jpg", "baseline.jpg")]
        let target = try books.target(books.scratch("shelf/"), to: "web", for: paths)
        let collection = try target.collection(mayReplace: false)
        let batch = try Batch(
            TestBooks.registry, try books.jobs(target, paths), collection: collection, folder: target.folder)
        let result = try await batch.run()
        #expect(result.finished == 2)
        let written = try #require(try target.collection(mayReplace: true))
        #expect(try written.books().map(\.title) == ["one", "two"])
    }

    /// A book that failed may have been opened with the password.
    @Test(arguments: [true, false]) func optionWithoutEffectIsReportedOnce(_ allExist: Bool) async throws {
        let paths = [
            try books.image("one.png"), allExist ? try books.image("two.png") : books.scratch("missing.png"),
        ]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths) { $0.hasPasswordFile = true }
        let result = try await Batch(TestBooks.registry, jobs, folder: target.folder).run()
        #expect(result.unusedOptions.map(\.name) == (allExist ? ["password-file"] : []))
    }

    @Test func fullDiskOfTheReportsStopsNoBook() async throws {
        let paths = [try books.image("one.png"), try books.image("two.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let batch = try Batch(TestBooks.registry, try books.jobs(target, paths), folder: target.folder)
        batch.reports = try ReportStream("/dev/full", mayReplace: false, version: "1.2.3")
        let events = EventList()
        let result = try await batch.run(onEvent: events.add)
        #expect(result.finished == 2)
        #expect(result.reportFailed)
        #expect(events.names.filter { $0 == "report failed" }.count == 1)
    }

    @Test func outputsAreNeverInputsOfOtherBooks() async throws {
        let paths = [try books.image("one.png"), try books.image("out/one.cbz")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, [paths[0]], mayReplace: true) { $0.protected = ProtectedInputs(paths) }
        let batch = try Batch(TestBooks.registry, jobs)
        do {
            _ = try await batch.run()
            Issue.record("The batch succeeded.")
        } catch let error as AdapterError {
            #expect(error.message == "the output is the input itself")
        }
    }
}
