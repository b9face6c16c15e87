import AdapterKit
import Conversion
import Files
import PageModel
import Scratch
import Synchronization
import Testing

@testable import Work

/// Small books that are converted side by side.
@Suite struct SideBySideTests {
    private let books: TestBooks

    init() throws {
        books = try TestBooks()
    }

    private func batch(_ paths: [String], width: Int, _ output: String = "out/") throws -> Batch {
        let target = try books.target(books.scratch(output), to: "cbz", for: paths)
        return try Batch(
            TestBooks.registry, try books.jobs(target, paths) { $0.width = width }, folder: target.folder)
    }

    private func paths(_ count: Int, broken: Set<Int> = []) throws -> [String] {
        try (100..<100 + count).map { number in
            let path = try books.image("\(number).png")
            if broken.contains(number) { try books.scratch.write("\(number).png", [1, 2]) }
            return path
        }
    }

    @Test func outcomesAreThoseOfOneAfterTheOther() async throws {
        let paths = try paths(40, broken: [107, 120])
        let (one, other) = (EventList(), EventList())
        let result = try await batch(paths, width: 4).run(onEvent: one.add)
        let inTurn = try await batch(paths, width: 1, "turn/").run(onEvent: other.add)
        #expect(result.tally == inTurn.tally && result.tally == "40 books: 38 done, 2 failed")
        for name in books.scratch.names(in: "turn") {
            #expect(try books.scratch.read("out/\(name)") == books.scratch.read("turn/\(name)"))
        }
        // Each book is told of in its order.
        let told = { (events: EventList) in events.names.filter { $0.hasPrefix("finished") || $0.hasPrefix("failed") } }
        #expect(told(one) == told(other) && told(one).count == 40)
        #expect(one.names.last == "40 books: 38 done, 2 failed")
    }

    /// With few books, processors would be idle.
    @Test(arguments: [(7, false), (8, true)]) func fewBooksTakeTurns(_ count: Int, _ isSideBySide: Bool) throws {
        let batch = try batch(try paths(count), width: 4)
        #expect(BookSchedule(batch.books).isSideBySide == isSideBySide)
    }

    @Test func largeBookIsAloneWithAllPages() async throws {
        let paths = try paths(9)
        try books.scratch.write("104.png", try books.scratch.read("104.png") + [UInt8](repeating: 0, count: 17 << 20))
        let batch = try batch(paths, width: 4)
        let schedule = BookSchedule(batch.books)
        #expect(schedule.isSideBySide)
        let widths = try await withThrowingTaskGroup(of: Int.self) { group in
            for book in batch.books { group.addTask { try await schedule.perform(book) { $0.job.width } } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }.sorted()
        }
        #expect(widths == Array(repeating: 1, count: 8) + [4])
    }

    @Test func warningsWaitForTheirTurn() throws {
        let batch = try batch(try paths(8), width: 4)
        let events = Events()
        let order = EventOrder(events.add)
        func warn(_ place: Int) {
            order.post(.converting(batch.books[place], .warned(Warning(code: "x", message: "w"))), of: place)
        }
        warn(1)
        order.post(.began(batch.books[2]), of: 2)
        warn(0)
        warn(2)
        #expect(events.numbers == [3, 1])
        order.advance()
        #expect(events.numbers == [3, 1, 2])
        order.advance()
        #expect(events.numbers == [3, 1, 2, 3])
    }

    @Test func journalHasALineForEachBook() async throws {
        let paths = try paths(24, broken: [103])
        let batch = try batch(paths, width: 4)
        let journal = try Journal(books.scratch("journal"), recipe: Recipe(), version: "1")
        batch.journal = JournalUse(journal, updates: false, retriesFailed: false)
        _ = try await batch.run()
        let entries = try JournalLines(file: books.scratch("journal")).sorted
        #expect(entries.count == 24 && entries.count { $0.outcome == .failed } == 1)
        let seconds = entries.reduce(0) { $0 + $1.processorSeconds }
        #expect(entries.allSatisfy { $0.processorSeconds >= 0 } && seconds > 0)
    }

    @Test func totalsCountBooksPagesAndTime() async throws {
        let paths = try paths(10, broken: [101])
        let totals = TotalsBox()
        let result = try await batch(paths, width: 4).run(onEvent: totals.add)
        let sums = totals.value
        #expect(sums.books == 10 && sums.done == result.finished && sums.failed == 1 && sums.pages == 9)
        #expect(sums.inputBytes > 0 && sums.outputBytes > 0 && abs(sums.share - 1) < 0.001)
    }
}

@Suite struct CreatedFoldersTests {
    @Test func onlyEmptyFoldersOfItsOwnAreRemoved() throws {
        let scratch = try ScratchFolder()
        try Folder.make(scratch("there"))
        let created = CreatedFolders()
        for name in ["out", "there"] { try created.make(scratch(name)) }
        try created.makeParents(of: scratch("out/a/b/book.cbz"), below: scratch("out/"))
        try created.makeParents(of: scratch("out/c/book.cbz"), below: scratch("out"))
        // An output without a folder of its own, and one elsewhere.
        try created.makeParents(of: scratch("out/book.cbz"), below: scratch("out"))
        try created.makeParents(of: scratch("outside/book.cbz"), below: scratch("out"))
        #expect(scratch.names(in: "out") == ["a", "c"] && scratch.names() == ["out", "there"])
        try scratch.write("out/c/book.cbz", [1])
        created.removeEmpty()
        #expect(scratch.names(in: "out") == ["c"] && scratch.names() == ["out", "there"])
    }
}

private final class Events: Sendable {
    private let list = Mutex<[Int]>([])

    @Sendable func add(_ event: BatchEvent) {
        switch event {
        case .began(let book), .converting(let book, _): list.withLock { $0.append(book.number) }
        default: break
        }
    }

    var numbers: [Int] { list.withLock { $0 } }
}

private final class TotalsBox: Sendable {
    private let totals = Mutex(BatchTotals())

    @Sendable func add(_ event: BatchEvent) { totals.withLock { $0.note(event) } }

    var value: BatchTotals { totals.withLock { $0 } }
}

@Suite struct JournalSummaryTests {
    private func entry(
        _ name: String, _ outcome: JournalEntry.Outcome, seconds: Double = 1, message: String? = nil
    ) -> JournalEntry {
        var entry = JournalEntry(
            finished: 1, outcome: outcome, inputs: [BookFile(path: name, FileStamp(byteCount: 10, modified: 0))],
            output: BookFile(path: name + ".cbz", outcome == .failed ? nil : FileStamp(byteCount: 4, modified: 0)),
            recipe: nil, version: "1")
        entry.seconds = seconds
        if outcome != .failed { (entry.pages, entry.treatments) = (2, ["verbatim": 2]) }
        if outcome == .warnings { (entry.warningCount, entry.warnings) = (1, ["it is torn"]) }
        entry.failure = message.map { JournalEntry.Failure(AdapterError(.damaged, Message(verbatim: $0))) }
        return entry
    }

    @Test func sumsLeaveOutFailures() {
        let summary = JournalSummary([
            entry("/c", .done, seconds: 3), entry("/b", .failed, message: "no"), entry("/a", .warnings),
        ])
        #expect(
            summary.bookCount == 3 && summary.failed.map(\.name) == ["/b"] && summary.withWarnings.map(\.name) == ["/a"]
        )
        #expect(summary.pages == 4 && summary.treatments == ["verbatim": 4])
        #expect(summary.inputBytes == 20 && summary.outputBytes == 8)
        #expect(summary.slowest.first?.name == "/c")
    }

    @Test func pageNamesFailuresFirstAndEscapesNames() {
        let entries = [entry("/ok", .done), entry("/<b>&\"x", .failed, message: "a < b"), entry("/w", .warnings)]
        let html = JournalPage(entries, title: "<j>") { $0.english }.html
        let rows = html.components(of: "<tr class=").dropFirst()
        #expect(rows.map { $0.prefix { $0 != ">" } } == ["failed", "warnings", "done"])
        #expect(
            html.contains("/&lt;b&gt;&amp;&quot;x") && html.contains("a &lt; b") && html.contains("<title>&lt;j&gt;"))
        #expect(!html.contains("<b>") && !html.contains("http"))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
