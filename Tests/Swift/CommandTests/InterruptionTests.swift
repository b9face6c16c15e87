internal import Glibc
internal import Scratch
internal import Testing

/// A run that is stopped leaves nothing that looks like a book, and nothing in the way of the next run.
@Suite struct InterruptionTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        for name in ["target", "temporary"] { mkdir(scratch(name), 0o777) }
    }

    /// A run of many seconds: pages that have to be drawn, hundreds of them. It is stopped long before.
    private func start(_ output: String) throws -> RunningProgram {
        let page = "\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf"
        return try BuiltJisui.start(
            Array(repeating: page, count: 400) + ["--combine", "--dpi", "2400", "-o", scratch("target/\(output)")],
            temporary: scratch("temporary"))
    }

    /// Waits until the run writes its output.
    private func waitForOutput(of run: RunningProgram) throws {
        for _ in 0..<15_000 {
            if run.holdsOpen(aFileIn: scratch("target")) { return }
            usleep(2_000)
        }
        throw NotBegun()
    }

    private struct NotBegun: Error {}

    /// - Parameter signal: only a person sends SIGINT. Systems that send others run the command again.
    private func expectNothingLeft(of outcome: Program.Outcome, _ signal: CInt = SIGINT) {
        #expect(outcome.status == (signal == SIGINT ? 130 : 75))
        #expect(outcome.output.isEmpty)
        // A slow run may have printed a note before.
        #expect(outcome.errorText.hasSuffix("jisui: error: interrupted; nothing was written\n"))
        let left = scratch.names(in: "target") + scratch.names(in: "temporary")
        #expect(left.isEmpty)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], ["book.cbz", "book.cb7", "book/"])
    func aSignalLeavesNothing(_ signal: CInt, _ output: String) throws {
        let run = try start(output)
        try waitForOutput(of: run)
        run.send(signal)
        expectNothingLeft(of: try run.wait(), signal)
    }

    /// Right at the start, when hardly anything is set up.
    @Test func anEarlySignalLeavesNothing() throws {
        let run = try start("book/")
        usleep(60_000)
        run.send(SIGTERM)
        let outcome = try run.wait()
        // Before jisui has begun to listen, the signal ends it at once.
        #expect([75, 128 + SIGTERM].contains(outcome.status))
        let left = scratch.names(in: "target") + scratch.names(in: "temporary")
        #expect(left.isEmpty)
    }

    /// poppler does not return in the middle of a page; jisui does not wait for it.
    @Test func aPageThatTakesLongIsNotWaitedFor() throws {
        // Forms in forms in forms, of which poppler would draw ten thousand million.
        let inner = String(repeating: "/F Do ", count: 10)
        let box = "/Type/XObject/Subtype/Form/BBox[0 0 100 150]"
        let forms = (0..<10).map { level in
            let next = "/Resources<</XObject<</F \(level + 5) 0 R>>>>"
            let entries = "\(box)\(next)/Length \(inner.utf8.count)"
            return "\(level + 4) 0 obj<<\(entries)>>stream\n\(inner)\nendstream endobj"
        }
        let stamp = "<</Type/Annot/Subtype/Stamp/Rect[0 0 100 150]/AP<</N 4 0 R>>>>"
        let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 150]/Annots[\(stamp)]>>"
        try scratch.write(
            "slow.pdf",
            Array(
                """
                %PDF-1.4
                1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
                2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
                3 0 obj\(page)endobj
                \(forms.joined(separator: "\n"))
                14 0 obj<<\(box)/Length 12>>stream
                0 0 9 9 re f
                endstream endobj
                trailer<</Root 1 0 R/Size 15>>
                """.utf8))
        let run = try BuiltJisui.start(
            [
                scratch("slow.pdf"), "--page-timeout", "\(Patience.secondsOfDrawing)", "-o", scratch("target/slow.cbz"),
                "-q",
            ],
            temporary: scratch("temporary"))
        try waitForOutput(of: run)
        usleep(300_000)
        let begin = ContinuousClock.now
        run.send(SIGINT)
        let outcome = try run.wait()
        #expect(ContinuousClock.now - begin < .seconds(Patience.secondsOfEnding))
        #expect(outcome.status == 130)
        let left = scratch.names(in: "target") + scratch.names(in: "temporary")
        #expect(left.isEmpty)
    }

    @Test(arguments: ["book.cbz", "book/"])
    func theNextRunClearsUpAfterAKilledOne(_ output: String) throws {
        let killed = try start(output)
        try waitForOutput(of: killed)
        killed.send(SIGKILL)
        #expect(try killed.wait().status == 128 + SIGKILL)
        #expect(!scratch.names(in: "target").contains("book"))
        #expect(!scratch.names(in: "target").contains("book.cbz"))

        let input = "\(BuiltJisui.fixtures)/good/PDFSource/mixed.pdf"
        let next = try BuiltJisui.run(
            [input, "-q", "-o", scratch("target/\(output)")], temporary: scratch("temporary"))
        #expect(next.status == 0)
        #expect(next.errorText.isEmpty)
        #expect(scratch.names(in: "target") == [output.hasSuffix("/") ? "book" : output])
    }
}

/// A full disk: one line, exit status 75, and nothing where the output was to be.
@Suite(.needs(line: "unshare -rm true", "no file system may be mounted here"))
struct FullDiskTests {
    private static let comic = "\(BuiltJisui.fixtures)/good/PDFSource/real-bobby-make-believe.pdf"

    /// Runs lines of shell where `small` is a disk that the comic does not fit on.
    private func outcome(_ lines: String) throws -> Program.Outcome {
        let scratch = try ScratchFolder()
        for name in ["small", "temporary"] { mkdir(scratch(name), 0o777) }
        return try Program.outcome(
            "unshare -rm sh -c 'mount -t tmpfs -o size=600k none small && { \(lines)\n}'", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch("temporary")))
    }

    @Test(arguments: ["book.cbz", "book.cb7", "book.cbt", "book/"])
    func leavesNothing(_ output: String) throws {
        let outcome = try outcome(
            "jisui \(FullDiskTests.comic) -q -o small/\(output); echo $?; ls -A small; df --output=used small")
        #expect(outcome.outputText.split(separator: "\n").map { $0.drop { $0 == " " } } == ["75", "Used", "0"])
        #expect(outcome.errorText == "jisui: error: small/\(output): cannot be written: the disk is full\n")
    }

    @Test func theOldFileStays() throws {
        let outcome = try outcome(
            "echo old > small/book.cbz; jisui \(FullDiskTests.comic) -q -f -o small/book.cbz; cat small/book.cbz; ls -A small"
        )
        #expect(outcome.outputText == "old\nbook.cbz\n")
    }
}
