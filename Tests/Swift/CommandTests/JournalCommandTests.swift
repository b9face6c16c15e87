internal import Glibc
internal import OrderedJSON
internal import Scratch
internal import Testing

/// The commands that read journals, and what a run tells other programs.
@Suite struct JournalCommandTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        mkdir(scratch("temporary"), 0o777)
        let page = try Files.read("\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf")
        for name in ["one", "two", "<three>"] { try scratch.write("shelf/\(name).pdf", page) }
        try scratch.write("shelf/broken.pdf", [1, 2, 3])
    }

    private func jisui(_ arguments: String) throws -> Program.Outcome {
        try Program.outcome(
            "'\(BuiltJisui.path)' \(arguments)", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch("temporary")))
    }

    private func convert(_ options: String, status: CInt = 1) throws -> Program.Outcome {
        let outcome = try jisui("shelf -o out/ --to cbz --recursive \(options)")
        #expect(outcome.status == status, "\(outcome.errorText)")
        return outcome
    }

    private func events(_ bytes: [UInt8]) -> [JSON] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { JSON(parsing: Array($0)) }
    }

    @Test func summaryNamesFailuresFirst() throws {
        _ = try convert("-q --journal j")
        let outcome = try jisui("journal summary j")
        let lines = outcome.outputText.split(separator: "\n")
        #expect(outcome.status == 0 && lines.first?.hasPrefix("\(scratch("shelf/broken.pdf")): failed: ") == true)
        #expect(lines.contains("4 books: 3 done, 0 of them with warnings, 1 failed"))
        #expect(lines.contains("3 pages: 3 rendered"))
        let json = try #require(JSON(parsing: try jisui("journal summary j --json").output))
        #expect(json["failed"]?.elements?.count == 1 && json["pages"]?.asInteger == 3)
    }

    @Test func mergedJournalOfShardsContinues() throws {
        for shard in 1...2 {
            _ = try jisui("shelf -o out/ --to cbz --recursive -q --shard \(shard)/2 --journal j\(shard)")
        }
        #expect(try jisui("journal merge j1 j2 -o j").status == 0)
        #expect(String(decoding: try scratch.read("j"), as: UTF8.self).split(separator: "\n").count == 4)
        #expect(try jisui("journal merge j1 j2 -o j").status == 1)
        #expect(try jisui("journal merge j1 j2 -o j --force").status == 0)
        #expect(try convert("--journal j").errorText.contains("4 books: 0 done, 3 done before, 1 failed before"))
    }

    @Test func pageIsOneFile() throws {
        _ = try convert("-q --journal j")
        #expect(try jisui("journal html j -o j.html").status == 0)
        let page = String(decoding: try scratch.read("j.html"), as: UTF8.self)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("&lt;three&gt;.pdf") && !page.contains("<three>"))
    }

    @Test func otherFilesAreRefused() throws {
        try scratch.write("notes", [65, 10])
        for command in ["summary notes", "merge notes -o j", "html notes -o j", "summary missing", "merge notes"] {
            let outcome = try jisui("journal \(command)")
            #expect([1, 64].contains(outcome.status) && outcome.errorText.split(separator: "\n").count == 1)
        }
        #expect(!scratch.names().contains("j"))
    }

    @Test(arguments: ["json", "json:events", "json:3"]) func eventsAreLinesOfJSON(_ value: String) throws {
        let outcome = try convert("-q --progress \(value) \(value == "json:3" ? "3>events" : "")")
        let events = events(value == "json" ? outcome.output : try scratch.read("events"))
        let names = events.compactMap { $0["event"]?.asString }
        #expect(names.count { $0 == "began" } == 4 && names.count { $0 == "finished" } == 3)
        #expect(names.count { $0 == "failed" } == 1 && names.last == "completed")
        let failed = try #require(events.first { $0["event"]?.asString == "failed" })
        #expect(failed["error"]?["code"]?.asString == "unsupported" && failed["temporary"]?.asBoolean == false)
        #expect(events.last?["done"]?.asInteger == 3 && events.last?["of"]?.asInteger == 4)
        // A second run replaces its own file only.
        #expect(try jisui("shelf/one.pdf -o x.cbz -q --progress json:events").status == 0)
        try scratch.write("notes", [65, 10])
        #expect(try jisui("shelf/one.pdf -o y.cbz -q --progress json:notes").status == 1)
        #expect(try scratch.read("notes") == [65, 10])
    }

    @Test func metricsAreThoseOfPrometheus() throws {
        _ = try convert("-q --metrics m.prom")
        let text = String(decoding: try scratch.read("m.prom"), as: UTF8.self)
        for line in [
            "# TYPE jisui_books_total counter", "jisui_books_total{outcome=\"done\"} 3",
            "jisui_books_total{outcome=\"failed\"} 1", "jisui_books 4", "jisui_pages_total 3", "jisui_running 0",
        ] {
            #expect(text.contains(line + "\n"), "\(text)")
        }
        #expect(try jisui("shelf/one.pdf -o x.cbz -q --metrics m.prom").status == 0)
        #expect(try jisui("shelf/one.pdf -o x.cbz -q -f --metrics shelf/two.pdf").status != 0)
    }
}
