internal import Glibc
internal import Scratch
internal import Testing

/// A fault that ends the program is not silent, and gives nothing away.
@Suite struct CrashTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        for name in ["target", "temporary"] { mkdir(scratch(name), 0o777) }
    }

    /// Ends a run with a signal when it writes its output.
    ///
    /// - Parameter first: what the shell does before it becomes jisui.
    private func crash(_ signal: CInt, _ output: String, first: String = "true") throws -> Program.Outcome {
        // A run of many seconds; it is stopped long before.
        let page = "\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf"
        let pages = Array(repeating: page, count: 400).joined(separator: " ")
        let environment = BuiltJisui.environment(temporary: scratch("temporary"))
        let run = try RunningProgram(
            [
                "/bin/sh", "-c",
                "\(first); exec \(BuiltJisui.path) \(pages) --combine --dpi 2400 -j 1 -o target/\(output)",
            ],
            in: scratch("."), environment: environment)
        for _ in 0..<15_000 {
            if run.holdsOpen(aFileIn: scratch("target")) { break }
            usleep(1_000)
        }
        run.send(signal)
        return try run.wait()
    }

    // The sanitizer, under which these tests run as well, listens to the other signals itself.
    @Test(arguments: [("SIGTRAP", SIGTRAP), ("SIGABRT", SIGABRT)])
    func theBookIsNamed(_ name: String, _ signal: CInt) throws {
        let outcome = try crash(signal, "book/")
        #expect(outcome.status == 128 + signal)
        #expect(outcome.errorText.hasPrefix("jisui: error: crashed (\(name)) at work on "), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("/vector.pdf"))
        #expect(outcome.errorText.split(separator: "\n").count == 1)
        #expect(outcome.output.isEmpty)
        // Leftovers are hidden, and the next run removes them.
        #expect(!scratch.names(in: "target").contains("book"))
        let next = try BuiltJisui.run(
            ["\(BuiltJisui.fixtures)/good/PDFSource/mixed.pdf", "-q", "-o", scratch("target/book/")],
            temporary: scratch("temporary"))
        #expect(next.status == 0)
        #expect(scratch.names(in: "target") == ["book"])
    }

    /// It would hold the password.
    @Test func withAPasswordThereIsNoCoreDump() throws {
        let outcome = try crash(SIGTRAP, "book.cbz", first: "ulimit -c unlimited; export JISUI_PASSWORD=secret")
        #expect(outcome.status == 128 + SIGTRAP)
        #expect(!outcome.dumpedCore)
        #expect(!scratch.names().contains { $0.hasPrefix("core") })
    }
}

/// Resources that a machine may lack.
@Suite struct PoorMachineTests {
    private let scratch: ScratchFolder
    private let fixtures = "\(BuiltJisui.fixtures)/good"

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Swift's runtime cannot do without it, and its crash would not report it. Nor can the sanitizer: the release is
    /// asked.
    @Test(
        .needs(line: "unshare -rm true", "no file system may be mounted here"),
        .enabled(if: Program.environment["JISUI_UNDER_TEST"] != nil, "for the release"))
    func aMissingProcIsNamed() throws {
        let outcome = try Program.outcome(
            """
            unshare -rm sh -c 'mount -t tmpfs none /proc || exit 9
            jisui \(fixtures)/PDFSource/mixed.pdf -o book.cbz'
            """, in: scratch("."), environment: BuiltJisui.environment(temporary: scratch(".")))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("jisui: error: /proc is not mounted, "), "\(outcome.errorText)")
        #expect(scratch.names().isEmpty)
    }

    /// The message explains TMPDIR to users who have never set it.
    @Test func aMissingFolderForTemporaryFilesIsNamed() throws {
        let outcome = try BuiltJisui.run(
            ["\(fixtures)/ArchiveSource/rar5.rar", "-o", scratch("book.cbz")], temporary: scratch("missing"))
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText == """
                jisui: error: \(fixtures)/ArchiveSource/rar5.rar: a temporary file in \(scratch("missing")) cannot be \
                made: no such file or folder; set TMPDIR to a folder with enough free space

                """)
        #expect(scratch.names().isEmpty)
    }

    /// The books are written, and the error explains why the report is not.
    @Test func unwritableReportFileIsReportedOnce() throws {
        let page = "\(fixtures)/PDFSource/jpeg.pdf"
        try scratch.write("other.pdf", try Files.read(page))
        mkdir(scratch("target"), 0o777)
        let outcome = try BuiltJisui.run(
            [page, scratch("other.pdf"), "--to", "cbz", "-q", "-f", "--report", "/dev/full", "-o", scratch("target/")],
            temporary: scratch("."))
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText
                == "jisui: error: /dev/full: the report cannot be written: the disk is full; the books are still converted\n"
        )
        #expect(scratch.names(in: "target") == ["jpeg.cbz", "other.cbz"])
    }

    /// Before anything is made.
    @Test func aReportWithoutAFolderIsRefused() throws {
        let outcome = try BuiltJisui.run(
            ["\(fixtures)/PDFSource/jpeg.pdf", "--report", scratch("missing/report"), "-o", scratch("book.cbz")],
            temporary: scratch("."))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("the report cannot be written: no such file or folder"))
        #expect(scratch.names().isEmpty)
    }
}
