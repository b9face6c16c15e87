internal import Glibc
internal import Scratch
internal import Testing

/// The command that converts the books that arrive in a folder. `Tests/Programs/Queue/watch.py` fills one while it runs.
@Suite struct WatchTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        for name in ["temporary", "in"] { mkdir(scratch(name), 0o777) }
    }

    private func jisui(_ arguments: String) throws -> Program.Outcome {
        try Program.outcome(
            "'\(BuiltJisui.path)' watch \(arguments)", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch("temporary")))
    }

    @Test(arguments: [
        ("in", "no output is given"), ("in -o -", "not standard output"), ("-o out/", "no folder is given"),
        ("in -o in --to cbz", "is the watched folder"), ("in -o in/../in/ --to cbz", "is the watched folder"),
        ("in -o out --to cbz --done in", "is the watched folder"),
        ("in -o out --to cbz --failed out", "is the folder of the outputs"),
        ("missing -o out --to cbz", "is not a folder"), ("in -o out --to cbz --title X", "--title is for one book"),
        ("in -o out --to nothing", "unknown format"), ("in -o out --to cbz --combine", "unknown option --combine"),
        ("in -o out --to cbz --settle 0", "--settle"),
    ])
    func faultsAreReportedAtOnce(_ arguments: String, _ words: String) throws {
        let outcome = try jisui(arguments)
        #expect(outcome.status == 64 && outcome.errorText.contains(words), "\(outcome.errorText)")
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsItAndTheNextStartContinues(_ signal: CInt) throws {
        let page = try Files.read("\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf")
        for (place, name) in ["one", "two"].enumerated() {
            try scratch.write("in/\(name).pdf", page)
            let run = try BuiltJisui.start(
                [
                    "watch", scratch("in"), "-o", scratch("out"), "--to", "cbz", "--settle", "1",
                    "--done", scratch("done"),
                ],
                temporary: scratch("temporary"))
            for _ in 0..<3000 where scratch.names(in: "done").count <= place { usleep(10_000) }
            run.send(signal)
            let outcome = try run.wait()
            #expect(outcome.status == 0 && outcome.errorText.hasSuffix("stopped; the next start continues\n"))
        }
        #expect(scratch.names(in: "done") == ["one.pdf", "two.pdf"] && scratch.names(in: "in").isEmpty)
        #expect(scratch.names(in: "out") == [".jisui.journal.jsonl", "one.cbz", "two.cbz"])
        #expect(scratch.names(in: "temporary").isEmpty)
    }
}
