internal import Glibc
internal import Scratch
internal import Testing

/// What a system may not give: threads and processes, memory, descriptors. jisui ends, says so, and leaves nothing hidden.
@Suite struct ScarcityTests {
    private let scratch: ScratchFolder
    /// Only there does jisui hear that no thread can be had: the sanitizer has the call to itself, and no room below a limit on memory.
    private static let isRelease = Program.environment["JISUI_UNDER_TEST"] != nil
    /// The status of `timeout` when the program ended by SIGTERM, and when it did not.
    private static let (terminated, killed): (CInt, CInt) = (124, 137)

    init() throws {
        scratch = try ScratchFolder()
        chmod(scratch("."), 0o777)
        try scratch.write("book.pdf", Files.read("\(BuiltJisui.fixtures)/good/PDFSource/mixed.pdf"))
    }

    /// Who no other process belongs to, so that a limit on them is one on jisui's; root has none.
    private static let other = "setpriv --reuid 54321 --regid 54321 --clear-groups"
    private static let nobody = Program.run("\(other) '\(BuiltJisui.path)' --version") == 0 ? other : ""

    private func jisui(limits: String, _ arguments: String) throws -> Program.Outcome {
        try Program.outcome(
            "exec timeout -k 60 60 \(limits) '\(BuiltJisui.path)' \(arguments)", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch(".")))
    }

    private var hidden: [String] { scratch.names().filter { $0.contains(".jisui-") } }

    private func expectEnd(_ outcome: Program.Outcome, _ name: String) {
        #expect(outcome.status != Self.killed, "no signal ended it")
        #expect(hidden.isEmpty)
        guard Self.isRelease else { return }
        #expect(outcome.status != Self.terminated, "it ended by a signal only")
        // With warnings, where no process could be had that draws a page.
        #expect([0, 3].contains(outcome.status) || !scratch.names().contains(name))
        #expect(outcome.status == 0 || !outcome.error.isEmpty)
    }

    // The sanitizer never hears that it has no threads, and would be ended by `timeout` alone.
    @Test(.enabled(if: isRelease, "for the release"), arguments: 1...4)
    func withoutThreadsItEnds(_ processes: Int) throws {
        let outcome = try jisui(limits: "\(Self.nobody) prlimit --nproc=\(processes)", "book.pdf -o book.cbz")
        expectEnd(outcome, "book.cbz")
        if processes == 1 {
            #expect(
                outcome.errorText.hasPrefix("jisui: error: no more threads can be started: "), "\(outcome.errorText)")
            #expect(outcome.errorText.split(separator: "\n").count == 1)
        }
    }

    /// In KiB; the program itself needs 70,000, and each thread several thousand more.
    @Test(arguments: [60_000, 75_000, 80_000, 90_000, 100_000, 120_000]) func withoutMemoryItEnds(_ size: Int) throws {
        expectEnd(try jisui(limits: "prlimit --as=\(size * 1024)", "book.pdf -o book.cbz"), "book.cbz")
    }

    @Test(arguments: ["out.cbz", "out.pdf", "out.epub", "out/", "web/ --to web"])
    func withFewDescriptorsNothingHiddenStays(_ output: String) throws {
        for descriptors in [32, 33, 36, 40, 48] {
            let outcome = try jisui(limits: "prlimit --nofile=\(descriptors)", "book.pdf -q -f -o \(output)")
            #expect(outcome.status == 0, "\(descriptors): \(outcome.errorText)")
            #expect(hidden.isEmpty, "\(descriptors): \(outcome.status)")
        }
    }

    /// Fewer than that libdispatch does not always survive: it is said at once.
    @Test(arguments: [8, 12, 31]) func withTooFewDescriptorsItEnds(_ descriptors: Int) throws {
        let outcome = try jisui(limits: "prlimit --nofile=\(descriptors)", "book.pdf -q -f -o out.cbz")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("at most \(descriptors) files can be open at once"))
        #expect(hidden.isEmpty && !scratch.names().contains("out.cbz"))
    }

    /// A limit that may be raised is.
    @Test func aLimitOnDescriptorsIsRaised() throws {
        let outcome = try jisui(limits: "prlimit --nofile=12:1024", "book.pdf -q -f -o out.cbz")
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }
}
