import AdapterKit
import PageModel
import Scratch
import Synchronization
import Testing

@testable import Spreads

@Suite struct SpreadFileTests {
    private let scratch: ScratchFolder
    private let path: String
    private let book = SyntheticSequence(widths: [20, 20, 20, 50, 20, 20])

    init() throws {
        scratch = try ScratchFolder()
        path = scratch("spreads.json")
    }

    private func replace(_ old: String, _ new: String) throws {
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        #expect(text.contains(old))
        try Files.write(Array(text.replacing(old, with: new).utf8), to: path)
    }

    @Test func pairsAreChangedByHand() async throws {
        let given = ["spreads": "merge", "spread-file": path]
        let planned = try await book.made(given, isDryRun: true)
        #expect(planned.pages.map(\.id) == [1, 2, 4, 5])
        #expect(try await book.made(given).pages.map(\.id) == [1, 2, 4, 5])
        try replace("{\"pages\": [1], \"sources\": [\"page 1\"], \"side\": \"single\"},\n", "")
        try replace("\"pages\": [2, 3]", "\"pages\": [1, 2]")
        try replace("[\"page 2\", \"page 3\"]", "[\"page 1\", \"page 2\"]")
        #expect(
            try await book.made(given).pages.map(\.name) == ["page 1 + page 2", "page 3", "page 4", "page 5 + page 6"])
        try replace("\"join\": true", "\"join\": false")
        #expect(try await book.made(given).pages.map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    /// The pairs of a file can be decided by evidence or by a person, so that no rule explains them.
    @Test func onlyTheRunThatMakesTheFileExplainsThePairs() async throws {
        let given = ["spreads": "merge", "spread-file": path]
        for (isDryRun, count) in [(true, 1), (false, 0)] {
            let warnings = Mutex<[Warning]>([])
            _ = try await book.made(given, isDryRun: isDryRun) { warning in warnings.withLock { $0.append(warning) } }
            #expect(warnings.withLock { $0.count { $0.code == "pairing" } } == count)
        }
    }

    /// An unedited file changes nothing.
    @Test(arguments: [
        ["spreads": "pair", "blanks": "true", "shift": "5"], ["spreads": "merge", "single-on-canvas": "true"],
        ["spreads": "merge", "cover": "paired"], ["spreads": "split", "fold": "40"],
    ])
    func unchangedFileGivesTheSameResult(_ given: [String: String]) async throws {
        let plain = try await book.made(given)
        var withFile = given
        withFile["spread-file"] = path
        _ = try await book.made(withFile, isDryRun: true)
        let followed = try await book.made(withFile)
        #expect(followed.pages.map(\.name) == plain.pages.map(\.name))
        #expect(followed.pages.map(\.side) == plain.pages.map(\.side))
        #expect(followed.pages.map(\.edits) == plain.pages.map(\.edits))
        for (one, other) in zip(followed.pages, plain.pages) {
            #expect(try await one.joined()?.parts.map(\.place) == other.joined()?.parts.map(\.place))
        }
    }

    @Test func foldsAreChangedByHand() async throws {
        let given = ["spreads": "split", "fold": "50", "spread-file": path]
        let planned = try await book.made(given, isDryRun: true)
        #expect(planned.pages.map(\.id) == [1, 2, 3, 4, 7, 5, 6])
        try replace("\"fold\": 24", "\"fold\": 19")
        let changed = try await book.made(given)
        let kept = PixelRect(x: 0, y: 0, width: 19, height: 30)
        #expect(changed.pages[3].edits == [.move(.keep(kept, of: PixelSize(width: 50, height: 30)))])
        try replace("\"split\": true", "\"split\": false")
        #expect(try await book.made(given).pages.count == 6)
    }

    @Test(arguments: [
        ("\"jisui-spreads\": 1", "\"jisui-spreads\": 2", AdapterError.Code.damaged),
        ("\"pages\": [2, 3]", "\"pages\": [2, 3, 4]", .damaged),
        ("\"join\": true", "\"join\": 1", .damaged),
        ("\"pages\": [2, 3]", "\"pages\": [2, 5]", .usage),
        ("\"pages\": [2, 3]", "\"pages\": [3, 4]", .usage),
        ("\"pages\": [2, 3]", "\"pages\": [1, 2]", .usage),
        ("\"side\": \"single\"", "\"size\": [50, 30], \"fold\": 9, \"split\": true", .usage),
        (
            "\"side\": \"single\"", "\"size\": [9007199254740991, 1], \"fold\": 9007199254740990, \"split\": true",
            .damaged
        ),
        ("\"page 2\"", "\"page two\"", .usage),
        ("\"spreads\": \"merge\"", "\"spreads\": \"pair\"", .usage),
        ("]}", "", .damaged),
    ])
    func anotherFileIsRefused(_ old: String, _ new: String, _ code: AdapterError.Code) async throws {
        let given = ["spreads": "merge", "spread-file": path]
        _ = try await book.made(given, isDryRun: true)
        try replace(old, new)
        let error = await #expect(throws: AdapterError.self) { try await book.made(given) }
        #expect(error?.code == code && error?.file == path)
    }

    @Test(arguments: ["merge", "pair", "join-art"])
    func fileForTheOtherDirectionIsReported(_ mode: String) async throws {
        let given = ["spreads": mode, "spread-file": path]
        _ = try await book.made(given, isDryRun: true)
        #expect(String(decoding: try Files.read(path), as: UTF8.self).contains("\"direction\": \"ltr\""))
        var manga = book
        manga.book.direction = .rightToLeft
        for (sequence, codes) in [(book, []), (manga, ["spread-file-direction"])] {
            let warnings = Mutex<[Warning]>([])
            _ = try await sequence.made(given) { warning in warnings.withLock { $0.append(warning) } }
            #expect(warnings.withLock { $0.filter { !$0.isNote }.map(\.code) } == codes)
            let isSaid = warnings.withLock {
                $0.contains { $0.message.english.hasSuffix("reads it from right to left") }
            }
            #expect(isSaid == !codes.isEmpty)
        }
    }

    @Test func pairsOfAChangedPageAreNotMerged() async throws {
        var book = book
        book.digests = ["a", "b", "c", "d", "e", "f"]
        let given = ["spreads": "merge", "spread-file": path]
        _ = try await book.made(given, isDryRun: true)
        #expect(try await book.made(given).pages.map(\.id) == [1, 2, 4, 5])
        book.digests?[2] = "x"
        let warnings = Mutex<[Warning]>([])
        let changed = try await book.made(given) { warning in warnings.withLock { $0.append(warning) } }
        #expect(changed.pages.map(\.id) == [1, 2, 3, 4, 5])
        #expect(warnings.withLock { $0.filter { !$0.isNote }.map(\.page) } == [3])
        book.digests = ["a", "x", "x", "x", "x", "f"]
        let error = await #expect(throws: AdapterError.self) { try await book.made(given) }
        #expect(error?.message == "is of another book: 4 of 6 compared pages differ")
    }

    /// Only wide pages are in the file, but all of them tell whether it is the same book.
    @Test func aChangedPageIsNotSplit() async throws {
        var book = book
        book.digests = ["a", "b", "c", "d", "e", "f"]
        let given = ["spreads": "split", "fold": "50", "spread-file": path]
        _ = try await book.made(given, isDryRun: true)
        #expect(try await book.made(given).pages.count == 7)
        book.digests?[3] = "x"
        let changed = try await book.made(given)
        #expect(changed.pages.count == 6)
        #expect(changed.pages[3].spread?.remark == "kept whole: it has changed since the spread file was made")
    }

    /// The later run does not look at pages, and states the same about those that could not be analyzed.
    @Test func reasonsForUnseenPagesAreKept() async throws {
        var book = SyntheticSequence(widths: [20, 50, 50, 50])
        book.damage = [2: "the JPEG is damaged"]
        book.errors = [3: AdapterError(.tooLarge, "too many pixels"), 4: AdapterError(.unreadable, "no such disk")]
        let given = ["spreads": "split", "spread-file": path]
        let planned = try await book.made(given, isDryRun: true).pages
        (book.damage, book.errors) = ([:], [:])
        let followed = try await book.made(given).pages
        #expect(followed.count == 4 && followed[1...2].map(\.spread) == planned[1...2].map(\.spread))
        #expect(followed.map { $0.spread?.damage?.english } == [nil, "the JPEG is damaged", nil, nil])
        // It may be readable now.
        #expect(followed[3].spread?.remark == "kept whole: it is not in the spread file")
        try replace("\"split\": false", "\"split\": true")
        let cut = try await book.made(given).pages
        #expect(cut.count == 6 && cut.allSatisfy { $0.spread?.damage == nil })
    }

    /// Cuts are places from the left, and the halves are ordered by the direction of the run.
    @Test func cutsAreGoodForBothDirections() async throws {
        let given = ["spreads": "split", "fold": "50", "spread-file": path]
        _ = try await book.made(given, isDryRun: true)
        #expect(!String(decoding: try Files.read(path), as: UTF8.self).contains("direction"))
        // Files of earlier versions state it.
        try replace("\"jisui-spreads\": 1, ", "\"jisui-spreads\": 1, \"direction\": \"ltr\", ")
        var manga = book
        manga.book.direction = .rightToLeft
        let warnings = Mutex<[Warning]>([])
        let cut = try await manga.made(given) { warning in warnings.withLock { $0.append(warning) } }
        #expect(warnings.withLock { $0.allSatisfy(\.isNote) })
        let right = PixelRect(x: 24, y: 0, width: 26, height: 30)
        #expect(cut.pages[3].edits == [.move(.keep(right, of: PixelSize(width: 50, height: 30)))])
    }

    @Test func withoutADryRunThereMustBeOne() async throws {
        let error = await #expect(throws: AdapterError.self) {
            try await book.made(["spreads": "merge", "spread-file": path])
        }
        #expect(error?.code == .unreadable && error?.hint == "use --dry-run to create it")
    }
}
