import AdapterKit
import ComicSink
import Conversion
import Files
import FolderSource
import Glibc
import PageModel
import Scratch
import Testing

@testable import Work

/// The books of a folder that other programs fill.
@Suite struct HotFolderTests {
    private static let registry = Registry(
        sources: [FolderSource(), PictureSource(), TIFFSource()], sinks: [CBZSink()])
    private let books: TestBooks
    private let settling = Duration.seconds(10)

    init() throws {
        books = try TestBooks()
        mkdir(books.scratch("in"), 0o777)
    }

    private func journal(updates: Bool = false) throws -> JournalUse {
        let journal = try Journal(books.scratch("journal"), recipe: Recipe(["to": ["cbz"]]), version: "1.0")
        return JournalUse(journal, updates: updates, retriesFailed: false)
    }

    private func hot(_ journal: JournalUse, done: String? = nil, failed: String? = nil) -> HotFolder {
        let folders = SourceFolders(
            done: done.map { books.scratch($0) }, failed: failed.map { books.scratch($0) }, TemporaryFiles())
        return HotFolder(
            books.scratch("in"), Self.registry, PathPatterns(),
            excluding: ["in/out", done, failed].compactMap { $0.map { books.scratch($0) } }, settling: settling,
            journal,
            folders)
    }

    /// The names of the books that are settled after some seconds.
    private func names(_ hot: inout HotFolder, after seconds: Double) -> [String] {
        hot.look(start + .seconds(seconds)).books.map { String($0.path.dropFirst(books.scratch("in/").count)) }.sorted()
    }

    private let start = ContinuousClock.now

    /// Converts settled books, and returns the errors.
    private func convert(_ hot: inout HotFolder, _ settled: [FoundBooks.Book]) async throws -> [AdapterError] {
        var errors: [AdapterError] = []
        for group in hot.groups(of: settled) {
            let paths = group.map(\.path)
            let target = try Target(
                Self.registry, output: books.scratch("out/"), to: "cbz", settings: [:], format: nil, inputs: paths,
                several: true)
            let batch = try Batch(
                Self.registry, try books.jobs(target, paths), folder: target.folder, isContinued: true)
            batch.journal = hot.journalUse(for: group)
            errors += hot.note(group, batch, try await batch.run())
        }
        return errors
    }

    /// Looks until everything is settled, and converts it.
    private func run(_ hot: inout HotFolder, from seconds: Double) async throws -> [AdapterError] {
        _ = hot.look(start + .seconds(seconds))
        let view = hot.look(start + .seconds(seconds + 10))
        return try await convert(&hot, view.books)
    }

    @Test func aBookIsSettledOnceNothingChanges() throws {
        var hot = hot(try journal())
        try books.image("in/scan/1.png")
        try books.image("in/page.tif", "fax.tif")
        #expect(names(&hot, after: 0) == [])
        #expect(names(&hot, after: 9) == [])
        try books.image("in/scan/2.png")
        #expect(names(&hot, after: 10) == ["page.tif"])
        #expect(names(&hot, after: 19) == ["page.tif"])
        #expect(names(&hot, after: 20) == ["page.tif", "scan"])
    }

    @Test func unfinishedNamesAreLeftOut() async throws {
        var hot = hot(try journal())
        for name in ["a.tif.part", "b.tif~", ".c.tif.x8Zq", "d.crdownload", "e.tmp", "empty.tif"] {
            try books.image("in/\(name)", "fax.tif")
        }
        try books.image("in/scan/1.png")
        try books.image("in/scan/2.png.part")
        try books.image("in/empty.tif.part", "fax.tif")
        #expect(names(&hot, after: 0) == [])
        let settled = hot.look(start + .seconds(10)).books
        #expect(settled.count == 2)
        // Neither a file nor a folder is complete while a program keeps the rest of it next to it or in it.
        #expect(await hot.complete(settled, start + .seconds(10)) { _ in true }.isEmpty)
        try Folder.removeFile(books.scratch("in/scan/2.png.part"))
        #expect(names(&hot, after: 21) == ["empty.tif"])
        #expect(names(&hot, after: 31) == ["empty.tif", "scan"])
    }

    @Test func aDamagedBookIsTakenLater() async throws {
        var hot = hot(try journal())
        try books.image("in/a.tif", "fax.tif")
        _ = hot.look(start)
        let settled = hot.look(start + .seconds(10)).books
        #expect(await hot.complete(settled, start + .seconds(10)) { _ in false }.isEmpty)
        #expect(names(&hot, after: 15).isEmpty && names(&hot, after: 20) == ["a.tif"])
        #expect(await hot.complete(settled, start + .seconds(99)) { _ in false }.isEmpty)
        #expect(await hot.complete(settled, start + .seconds(100)) { _ in false }.count == 1)
    }

    @Test func imagesInTheFolderItselfAreReportedOnce() throws {
        var hot = hot(try journal())
        try books.image("in/1.png")
        #expect(hot.look(start).images.count == 1)
        #expect(hot.look(start + .seconds(20)).images.isEmpty && names(&hot, after: 40).isEmpty)
    }

    @Test func sourcesAreMovedWithoutReplacingAnything() async throws {
        var hot = hot(try journal(), done: "done", failed: "failed")
        try books.image("in/a.tif", "fax.tif")
        try books.image("in/sub/scan/1.png")
        try books.scratch.write("in/broken.tif", [1, 2, 3])
        for name in ["a.tif", "sub/scan"] { try books.scratch.write("done/\(name)", [9]) }
        #expect(try await run(&hot, from: 0).isEmpty)
        #expect(books.scratch.names(in: "in") == ["sub"] && books.scratch.names(in: "in/sub").isEmpty)
        #expect(books.scratch.names(in: "done") == ["a (2).tif", "a.tif", "sub"])
        #expect(books.scratch.names(in: "done/sub") == ["scan", "scan (2)"])
        #expect(try books.scratch.read("done/a.tif") == [9] && books.scratch.read("done/sub/scan") == [9])
        #expect(books.scratch.names(in: "failed") == ["broken.tif"])
        #expect(books.scratch.names(in: "out") == ["a.cbz", "scan.cbz"])
    }

    @Test func eachBookIsConvertedOnce() async throws {
        for _ in 0..<2 {
            // The second one is that of a restart.
            var hot = hot(try journal())
            try books.image("in/a.tif", "fax.tif")
            #expect(try await run(&hot, from: 0).isEmpty)
            #expect(names(&hot, after: 100).isEmpty)
        }
        #expect(books.scratch.names(in: "out") == ["a.cbz"])
        let text = String(decoding: try books.scratch.read("journal"), as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains("\"finished\"") } == 1)
        // Its name alone does not make another file the same book.
        var hot = hot(try journal(), done: "done")
        #expect(try await run(&hot, from: 0).isEmpty)
        #expect(books.scratch.names(in: "done") == ["a.tif"] && books.scratch.names(in: "in").isEmpty)
    }

    @Test(arguments: [false, true]) func aChangedBookIsConvertedWithUpdateOnly(_ updates: Bool) async throws {
        var hot = hot(try journal(updates: updates), failed: "failed")
        try books.image("in/a.tif", "fax.tif")
        #expect(try await run(&hot, from: 0).isEmpty)
        let first = try books.scratch.read("out/a.cbz")
        try books.image("in/a.tif", "big.tif")
        let errors = try await run(&hot, from: 20)
        #expect(errors.map(\.message) == (updates ? [] : ["changed after it was converted"]))
        #expect((try books.scratch.read("out/a.cbz") == first) != updates)
        #expect(books.scratch.names(in: "failed") == (updates ? [] : ["a.tif"]))
    }

    @Test func aBookThatChangesWhileItIsReadIsConvertedAgain() async throws {
        let use = try journal()
        var hot = hot(use, done: "done")
        try books.image("in/a.tif", "fax.tif")
        #expect(try await run(&hot, from: 0).isEmpty)
        try books.image("in/a.tif", "fax.tif")
        // The line about a file that changed while it was read has no digest.
        var entry = try #require(try JournalLines(file: books.scratch("journal")).entries.values.first)
        let path = BookFile.absolute(books.scratch("in/a.tif"))
        entry.inputs = [BookFile(path: path, FileStamp(byteCount: 1, modified: 1))]
        try use.journal.append(entry)
        #expect(try await run(&hot, from: 20).isEmpty && books.scratch.names(in: "in") == ["a.tif"])
        try books.image("in/a.tif", "big.tif")
        #expect(try await run(&hot, from: 40).isEmpty && books.scratch.names(in: "in").isEmpty)
    }

    @Test func aBookOfAnotherInputIsNotTakenForItsOwn() async throws {
        var hot = hot(try journal(), failed: "failed")
        try books.image("in/a.tif", "fax.tif")
        #expect(try await run(&hot, from: 0).isEmpty)
        try books.image("in/a/1.png")
        _ = try await run(&hot, from: 20)
        #expect(books.scratch.names(in: "failed") == ["a"])
    }

    @Test func aFailureForNowIsTriedAgainLaterAndLater() throws {
        var last: HotFolder.Delay?
        var seconds: [Int] = []
        for _ in 0..<9 {
            let begin = ContinuousClock.now
            let next = HotFolder.Delay.next(after: last, settling)
            seconds.append(Int(((next.end - begin) / .seconds(1)).rounded()))
            last = next
        }
        #expect(seconds == [20, 40, 80, 160, 320, 640, 1280, 1800, 1800])
    }

    @Test func outputsAreNoInputs() async throws {
        let use = try journal()
        var first = hot(use)
        try books.image("in/a.tif", "fax.tif")
        #expect(try await run(&first, from: 0).isEmpty)
        // The folder of the outputs is left out, and what the journal names as an output.
        try books.image("in/out/b.tif", "fax.tif")
        var entry = try #require(try JournalLines(file: books.scratch("journal")).entries.values.first)
        try books.image("in/c.tif", "fax.tif")
        entry.output = BookFile(at: books.scratch("in/c.tif"))
        try use.journal.append(entry)
        var second = hot(use)
        _ = second.look(start)
        #expect(names(&second, after: 10) == ["a.tif"])
    }
}
