internal import Glibc
internal import Scratch
internal import Testing

/// Books through pipes: "-" as an input and as an output.
@Suite struct StandardStreamTests {
    private let scratch: ScratchFolder
    private let book = "\(BuiltJisui.fixtures)/good/PDFSource/real-bobby-make-believe.pdf"

    init() throws {
        scratch = try ScratchFolder()
        mkdir(scratch("temporary"), 0o777)
    }

    /// The output of a shell line, in which "$book" is a book of a megabyte.
    private func shell(_ line: String) throws -> Program.Outcome {
        try Program.outcome("book='\(book)'; \(line)", in: scratch.path, environment: environment)
    }

    private var environment: [String: String] { BuiltJisui.environment(temporary: scratch("temporary")) }

    /// A reader that streams has to do with the local headers; one that seeks reads the directory at the end.
    @Test(
        .needs("bsdtar", "unzip", "python3"),
        arguments: [
            "jisui $book --to cbz -o - -q | bsdtar -tf -", "jisui $book --to cbt -o - -q | tar -tf -",
            "jisui $book --to cbz -o - -q > saved; unzip -tqq saved && unzip -Z1 saved",
            "jisui $book --to cbz -o - -q | cat > saved; python3 -m zipfile -t saved >/dev/null; python3 -c "
                + "'import zipfile; print(*zipfile.ZipFile(\"saved\").namelist(), sep=\"\\n\")'",
        ])
    func othersReadTheStream(_ line: String) throws {
        let outcome = try shell(line)
        #expect(outcome.outputText == "0001.jpg\n0002.jpg\n0003.jpg\n0004.jpg\nComicInfo.xml\n")
        #expect(outcome.errorText.isEmpty && outcome.status == 0)
    }

    @Test(arguments: ["cbz", "cbt", "strip"]) func theStreamIsTheFile(_ format: String) throws {
        let outcome = try shell(
            "jisui $book --to \(format) -o - | cat > piped; jisui $book --to \(format) -o file -q; cmp piped file")
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errorText.contains("standard output: 4 pages, "))
    }

    /// Other users of a pipe may have set it not to wait; its reader may be slow.
    @Test(.needs("python3")) func aPipeThatDoesNotWaitGetsEverything() throws {
        let program = """
            import os, subprocess, sys, time
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            run = subprocess.Popen(["jisui", sys.argv[1], "--to", "cbz", "-o", "-", "-q"], stdout=writer)
            os.close(writer)
            time.sleep(1)
            count = 0
            while piece := os.read(reader, 5000): count += len(piece)
            print(run.wait(), count)
            """
        try scratch.write("slow.py", Array(program.utf8))
        let outcome = try shell("jisui $book -o whole.cbz -q; python3 slow.py $book; wc -c < whole.cbz")
        let lines = outcome.outputText.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == lines.last.map { "0 \($0)" }, "\(outcome.outputText)")
    }

    /// One clear line and a status, where a signal would end the program without a word.
    @Test func aReaderThatGoesAwayIsAnError() throws {
        let outcome = try shell("{ jisui $book --to cbz -o -; echo $? >&2; } | head -c 1000 > /dev/null")
        #expect(
            outcome.errorText
                == "jisui: error: standard output: cannot be written: the process that reads it has exited\n1\n")
        let report = try shell("mkfifo fifo; true < fifo & { jisui $book -o x.cbz --report - -q; echo $? >&2; } > fifo")
        #expect(
            report.errorText.hasSuffix("the process that reads it has exited; the books are still converted\n1\n"),
            "\(report.errorText)")
    }

    @Test func interruptedStreamIsReportedAsIncomplete() throws {
        let page = "\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf"
        let pages = Array(repeating: "'\(page)'", count: 400).joined(separator: " ")
        let run = try RunningProgram(
            ["/bin/sh", "-c", "exec jisui \(pages) --combine --title T --dpi 2400 --to cbz -o - > out"],
            in: scratch.path, environment: environment)
        for _ in 0..<15_000 {
            if (try? scratch.read("out").isEmpty) == false { break }
            usleep(2_000)
        }
        run.send(SIGINT)
        let outcome = try run.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errorText == "jisui: error: interrupted; the data on standard output is incomplete\n")
        #expect(scratch.names(in: "temporary").isEmpty)
    }

    /// The program that should write into the pipe may never do so.
    @Test func readingCanBeInterrupted() throws {
        mkfifo(scratch("fifo"), 0o600)
        // Open for both, it is never at its end.
        let pipe = open(scratch("fifo"), O_RDWR)
        defer { close(pipe) }
        write(pipe, "PK", 2)
        let run = try RunningProgram(
            ["/bin/sh", "-c", "exec jisui - -o out.cbz < fifo"], in: scratch.path, environment: environment)
        for _ in 0..<15_000 {
            if run.holdsOpen(aFileIn: scratch("temporary")) { break }
            usleep(2_000)
        }
        run.send(SIGINT)
        let outcome = try run.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errorText == "jisui: error: interrupted; nothing was written\n")
        #expect(scratch.names(in: "temporary").isEmpty && !scratch.names().contains("out.cbz"))
    }

    @Test(.needs("script"), arguments: ["jisui $book --to cbz -o -", "jisui - -o x.cbz"])
    func terminalsAreRefused(_ line: String) throws {
        let outcome = try shell("export book; script -qec '\(line)' typed > /dev/null")
        #expect(outcome.status == 64)
        #expect(String(decoding: try scratch.read("typed"), as: UTF8.self).contains("is a terminal"))
    }
}
