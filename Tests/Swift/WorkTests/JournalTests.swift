import Audit
import Conversion
import Files
import Glibc
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Work

@Suite struct JournalTests {
    private let books: TestBooks
    private let recipe = Recipe(["to": ["cbz"]])

    init() throws {
        books = try TestBooks()
    }

    private func journal(_ recipe: Recipe? = nil, version: String = "1.0") throws(AdapterError) -> Journal {
        try Journal(books.scratch("journal"), recipe: recipe ?? self.recipe, version: version)
    }

    /// Runs a batch over inputs, with a journal that the next run can open.
    private func run(
        _ names: [String], recipe: Recipe? = nil, version: String = "1.0", updates: Bool = false,
        retriesFailed: Bool = false, configure: (inout Job) -> Void = { _ in }
    ) async throws -> BatchResult {
        let paths = names.map { books.scratch($0) }
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let batch = try Batch(
            TestBooks.registry, try books.jobs(target, paths, configure: configure), folder: target.folder)
        batch.journal = JournalUse(
            try journal(recipe, version: version), updates: updates, retriesFailed: retriesFailed)
        return try await batch.run()
    }

    private var entries: [JournalEntry] {
        get throws {
            try JournalLines(file: books.scratch("journal")).entries.values.sorted { $0.output.path < $1.output.path }
        }
    }

    @Test func lineContainsFilesOutcomeAndTime() async throws {
        try books.image("one.png")
        try books.scratch.write("two.png", [1, 2, 3])
        _ = try await run(["one.png", "two.png"])
        let (one, two) = (try entries[0], try entries[1])
        #expect([one.outcome, two.outcome] == [.done, .failed])
        let bytes = try books.scratch.read("out/one.cbz")
        #expect(one.output.bytes == bytes.count && one.output.sha256?.count == 64 && one.output.isUnchanged)
        #expect(one.inputs.count == 1 && one.inputs[0].sha256 != nil && one.inputs[0].isUnchanged)
        #expect(one.recipe == recipe.digest && one.version == "1.0")
        #expect(one.pages == 1 && one.treatments == ["verbatim": 1] && one.seconds > 0 && one.processorSeconds > 0)
        #expect(two.failure?.code == "unsupported" && two.failure?.isTemporary == false)
        #expect(two.output.bytes == nil)
        let text = String(decoding: try books.scratch.read("journal"), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 3 && text.hasSuffix("\n"))
    }

    @Test func repeatedRunContinues() async throws {
        try books.image("one.png")
        try books.scratch.write("two.png", [1, 2, 3])
        _ = try await run(["one.png", "two.png"])
        try books.image("three.png")
        let again = try await run(["one.png", "two.png", "three.png"])
        #expect(again.tally == "3 books: 1 done, 1 done before, 1 failed before")
        #expect(again.failedBefore.map(\.failure?.code) == ["unsupported"])
        let retried = try await run(["one.png", "two.png", "three.png"], retriesFailed: true)
        #expect(retried.tally == "3 books: 0 done, 2 done before, 1 failed")
    }

    @Test func failedBookIsTriedAgainAfterAChange() async throws {
        try books.image("one.png")
        try books.scratch.write("two.png", [1, 2, 3])
        _ = try await run(["one.png", "two.png"])
        try books.image("two.png")
        #expect(try await run(["one.png", "two.png"]).tally == "2 books: 1 done, 1 done before")
    }

    enum Change: CaseIterable {
        case none, input, touchedInput, recipe, version, damagedOutput, missingOutput
    }

    @Test(arguments: Change.allCases) func updateConvertsChangedBooks(_ change: Change) async throws {
        try books.image("one.png")
        try books.image("two.png")
        _ = try await run(["one.png", "two.png"])
        let original = try books.scratch.read("out/one.cbz")
        var (other, version) = (recipe, "1.0")
        switch change {
        case .none: break
        case .input: try books.image("one.png", "animated.png")
        case .touchedInput: try books.image("one.png")
        case .recipe: other = Recipe(["to": ["cbz"], "strict": ["true"]])
        case .version: version = "1.1"
        case .damagedOutput:
            var bytes = original
            bytes[bytes.count / 2] ^= 1
            try books.scratch.write("out/one.cbz", bytes)
        case .missingOutput: try Folder.removeFile(books.scratch("out/one.cbz"))
        }
        // Without --update, a run only continues.
        let continued = try await run(["one.png", "two.png"], recipe: other, version: version)
        #expect(continued.tally == "2 books: 0 done, 2 done before")
        #expect(continued.doneOtherwise == ([.recipe, .version].contains(change) ? 2 : 0))
        let result = try await run(["one.png", "two.png"], recipe: other, version: version, updates: true)
        let converted =
            switch change {
            case .none, .touchedInput: 0
            case .input, .damagedOutput, .missingOutput: 1
            case .recipe, .version: 2
            }
        #expect(result.finished == converted && result.failed == 0)
        if change != .input { #expect(try books.scratch.read("out/one.cbz") == original) }
        #expect(try await run(["one.png", "two.png"], recipe: other, version: version, updates: true).finished == 0)
    }

    /// The line of a book that became volumes has all of them, and each is checked.
    @Test func volumesAreOutputsOfOneBook() async throws {
        for name in ["a", "b", "c"] { try books.image("one/\(name).png") }
        func run(updates: Bool) async throws -> BatchResult {
            try await self.run(["one"], updates: updates) { $0.volumes = .pages(1) }
        }
        // The second and the third page are a spread.
        #expect(try await run(updates: false).finished == 1)
        #expect(books.scratch.names(in: "out") == ["one 1.cbz", "one 2.cbz"])
        let entry = try #require(try entries.first)
        #expect(entry.volumes.map(\.path).map(FileName.last) == ["one 1.cbz", "one 2.cbz"])
        #expect(entry.output.bytes == entry.volumes.reduce(0) { $0 + ($1.bytes ?? 0) } && entry.isOutputUnchanged)
        #expect(JournalEntry(entry.json) == entry)
        #expect(try await run(updates: true).finished == 0)
        var known = KnownOutputs()
        try known.add(file: books.scratch("journal"))
        #expect(known.output(at: books.scratch("out/one 2.cbz")) != nil)
        try Folder.removeFile(books.scratch("out/one 2.cbz"))
        #expect(try await run(updates: true).finished == 1)
        #expect(books.scratch.names(in: "out") == ["one 1.cbz", "one 2.cbz"])
    }

    /// A file that has not changed need not be opened to be recognized.
    @Test func knownBooksAreUnchangedInputs() async throws {
        try books.image("one.png")
        try books.image("two.png")
        let result = try await run(["one.png", "two.png"])
        #expect(result.finished == 2)
        try books.scratch.write("two.png", [1, 2, 3])
        let known = KnownBooks(try journal())
        #expect(known.contains(books.scratch("one.png")) && known.contains(books.scratch("./one.png")))
        #expect(!known.contains(books.scratch("two.png")) && !known.contains(books.scratch("journal")))
        #expect(!KnownBooks(nil).contains(books.scratch("one.png")))
    }

    /// An output that the journal states for another input is not that of a new one.
    @Test func outputOfAnotherBookIsNotFound() async throws {
        try books.image("one.png")
        _ = try await run(["one.png"])
        try books.image("one.jpg", "baseline.jpg")
        try books.image("two.png")
        let result = try await run(["one.jpg", "two.png"])
        #expect(result.found.isEmpty && result.existingError != nil && result.finished == 1)
    }

    @Test func booksThatAreDoneBeforeAreNamed() async throws {
        try books.image("one.png")
        #expect(try await run(["one.png"]).doneBefore.isEmpty)
        #expect(try await run(["one.png"]).doneBefore == [books.scratch("out/one.cbz")])
    }

    /// Each of them is a failed book, which a run without the other one converts.
    @Test func booksWithOneOutputAreFailedBooks() async throws {
        try books.image("a/one.png")
        for name in ["b/one.png", "two.png"] { try books.image(name) }
        let result = try await run(["a/one.png", "b/one.png", "two.png"])
        #expect(result.failed == 2 && result.finished == 1)
        let summary = JournalSummary(try entries)
        #expect(summary.bookCount == 3 && summary.failed.count == 2)
        #expect(summary.failed.allSatisfy { $0.failure?.code == "usage" && $0.failure?.isTemporary == true })
        let alone = try await run(["a/one.png", "two.png"])
        #expect(alone.finished == 1 && alone.doneBefore.count == 1)
        // A book that is done stays so when another one of its name appears.
        #expect(try await run(["a/one.png", "b/one.png", "two.png"]).failed == 2)
        #expect(JournalSummary(try entries).failed.map(\.name) == [books.scratch("b/one.png")])
    }

    /// A run that is killed may leave an output without a line. Before the first run, an output is someone else's.
    @Test func completeOutputWithoutALineIsAdded() async throws {
        for name in ["one.png", "two.png"] { try books.image(name) }
        try books.scratch.write("out/one.cbz", [1])
        let first = try await run(["one.png", "two.png"])
        #expect(first.existingError != nil && first.found.isEmpty)
        #expect(try entries.map(\.failure?.code) == ["exists", nil])
        try books.image("three.png")
        try books.scratch.write("out/three.cbz", [1])
        let next = try await run(["one.png", "two.png", "three.png"])
        #expect(next.found == [books.scratch("out/three.cbz")])
        #expect(next.tally == "3 books: 0 done, 2 done before, 1 failed before")
        #expect(try entries.map(\.outcome) == [.failed, .found, .done])
        // Nothing is known about its recipe.
        #expect(try await run(["two.png", "three.png"], updates: true).finished == 1)
    }

    @Test func tornLastLineIsDropped() async throws {
        for name in ["one.png", "two.png"] { try books.image(name) }
        _ = try await run(["one.png", "two.png"])
        let whole = try books.scratch.read("journal")
        try books.scratch.write("journal", whole.dropLast(7))
        try Folder.removeFile(books.scratch("out/two.cbz"))
        let result = try await run(["one.png", "two.png"])
        #expect(result.tally == "2 books: 1 done, 1 done before")
        let text = String(decoding: try books.scratch.read("journal"), as: UTF8.self)
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    @Test func lockedJournalIsATemporaryError() throws {
        let first = try journal()
        let error = #expect(throws: AdapterError.self) { try journal() }
        #expect(error?.isTemporary == true && error?.message == "another run of jisui uses the journal")
        withExtendedLifetime(first) {}
    }

    @Test(arguments: ["a list\nof things\n", "a line without an end", "{\"jisui\": \"1.0\", \"report\": 1}\n"])
    func otherFileIsRefusedAndKept(_ text: String) throws {
        try books.scratch.write("journal", Array(text.utf8))
        let error = #expect(throws: AdapterError.self) { try journal() }
        #expect(error?.code == .exists)
        #expect(try books.scratch.read("journal") == Array(text.utf8))
    }

    /// A file of another program may have no lines at all.
    @Test func fileWithATooLongLineIsRefusedAndKept() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20)
        try books.scratch.write("journal", bytes)
        let error = #expect(throws: AdapterError.self) { try journal() }
        #expect(error?.code == .unreadable && error?.message == "a line is too long")
        #expect(try books.scratch.read("journal") == bytes)
    }

    /// The value is that of `sha256sum f sub/g | sha256sum`.
    @Test func folderHasTheDigestOfItsFiles() throws {
        for name in ["book", "book/sub"] { try Folder.make(books.scratch(name)) }
        try books.scratch.write("book/f", Array("a".utf8))
        try books.scratch.write("book/sub/g", Array("b".utf8))
        var file = BookFile(at: books.scratch("book"))
        file.readDigest()
        #expect(file.sha256 == "fa63f8b52b1a79314d93077f8781dca24d1ad060a143103444a34378c20a5315")
        // Links may form circles.
        try #require(symlink("..", books.scratch("book/sub/up")) == 0)
        file = BookFile(at: books.scratch("book"))
        file.readDigest()
        #expect(file.sha256 != nil)
    }

    @Test func newerJournalIsRefused() throws {
        try books.scratch.write("journal", Array("{\"jisui\": \"9\", \"journal\": 2, \"began\": 1}\n".utf8))
        let error = #expect(throws: AdapterError.self) { try journal() }
        #expect(error?.code == .unsupported)
    }

    @Test func unreadableLineIsCounted() async throws {
        try books.image("one.png")
        try books.image("two.png")
        _ = try await run(["one.png"])
        let whole = try books.scratch.read("journal")
        try books.scratch.write("journal", whole + Array("nonsense\n".utf8))
        let journal = try journal()
        #expect(journal.unreadableLines == 1 && journal.isContinued)
    }

    @Test func dryRunOnlyReads() throws {
        let journal = try Journal(books.scratch("journal"), recipe: recipe, version: "1.0", isReadOnly: true)
        #expect(!journal.isContinued && books.scratch.names().isEmpty)
    }

    @Test func entryIsReadBackAsWritten() throws {
        var entry = JournalEntry(
            finished: 7, outcome: .warnings, inputs: [BookFile(path: "/a b", FileStamp(byteCount: 3, modified: 4))],
            output: BookFile(path: "/o", nil, sha256: "x"), recipe: nil, version: "1")
        (entry.pages, entry.treatments) = (2, ["lossless": 1, "verbatim": 1])
        (entry.warningCount, entry.warnings) = (30, ["one", "two"])
        (entry.processorSeconds, entry.seconds) = (0.5, 1.25)
        entry.failure = JournalEntry.Failure(AdapterError(.damaged, "no", hint: "try"))
        #expect(JournalEntry(entry.json) == entry)
    }

    /// Of two journals, the later line about a book counts; in one, the last, whatever the clock says.
    @Test func laterLineCounts() throws {
        func line(_ finished: Int, _ outcome: JournalEntry.Outcome) -> String {
            JournalEntry(
                finished: finished, outcome: outcome, inputs: [BookFile(path: "/a", nil)],
                output: BookFile(path: "/b", nil), recipe: nil, version: "1"
            ).json.text + "\n"
        }
        try books.scratch.write("j1", Array((line(9, .failed) + line(5, .done)).utf8))
        try books.scratch.write("j2", Array(line(3, .warnings).utf8))
        var lines = try JournalLines(file: books.scratch("j1"))
        #expect(lines.entries.values.map(\.outcome) == [.done])
        try lines.add(file: books.scratch("j2"))
        #expect(lines.entries.values.map(\.outcome) == [.done])
    }
}
