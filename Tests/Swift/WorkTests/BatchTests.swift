import AdapterKit
import Conversion
import PageModel
import Scratch
import Testing
import Work

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
                "began 1 of 3", "finished 1", "ended 1", "began 2 of 3", "ended 2", "failed 2", "began 3 of 3",
                "finished 3", "ended 3", "3 books: 2 done, 1 failed",
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
        let paths = [try books.image("one.png"), try books.image("two.png")]
        try books.scratch.write("out/one.cbz")
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let batch = try Batch(TestBooks.registry, try books.jobs(target, paths) { $0.isDryRun = true })
        let events = EventList()
        let result = try await batch.run(onEvent: events.add)
        #expect(result.tally == "2 books: 2 planned, 1 of them blocked")
        #expect(events.reports.map(\.blocker) == ["it already exists; use --force to replace it", nil])
        #expect(books.scratch.names(in: "out") == ["one.cbz"])
    }

    @Test func booksWithTheSameOutputAreRejected() throws {
        let paths = [try books.image("a/one.png"), try books.image("b/one.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths)
        let error = #expect(throws: AdapterError.self) { try Batch(TestBooks.registry, jobs) }
        #expect(
            error?.message.english == "\(paths[0]) and \(paths[1]) would both become \(books.scratch("out/one.cbz"))")
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
