internal import Glibc
internal import Scratch
internal import Testing

/// A batch that is stopped: finished books are kept, and the report lists them.
@Suite struct BatchInterruptionTests {
    @Test(arguments: [SIGINT, SIGKILL])
    func reportListsTheFinishedBooks(_ signal: CInt) throws {
        let scratch = try ScratchFolder()
        for name in ["target", "temporary"] { mkdir(scratch(name), 0o777) }
        let page = try Files.read("\(BuiltJisui.fixtures)/good/PDFSource/vector.pdf")
        let books = try (100..<400).map { try scratch.write("book\($0).pdf", page) }
        let run = try BuiltJisui.start(
            [scratch("missing.pdf")] + books
                + ["--dpi", "1200", "--to", "cbz", "--report", scratch("report"), "-o", scratch("target/")],
            temporary: scratch("temporary"))
        func lines() -> [Substring] {
            let bytes = (try? scratch.read("report")) ?? []
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }
        for _ in 0..<3000 {
            if lines().count >= 3 { break }
            usleep(2_000)
        }
        run.send(signal)
        let outcome = try run.wait()
        let reported = lines()
        let made = scratch.names(in: "target").filter { $0.hasSuffix(".cbz") }
        #expect(reported.count >= 3 && reported.count < 301, "\(reported.count) lines")
        #expect(reported.first?.contains("\"error\": {\"code\": \"unreadable\"") == true)
        #expect(reported.dropFirst().allSatisfy { $0.contains("\"counts\"") && $0.hasSuffix("}") })
        // A book that has just appeared may not be in the report yet.
        #expect((0...1).contains(made.count - (reported.count - 1)), "\(made.count) books, \(reported.count) lines")
        if signal == SIGINT {
            #expect(outcome.status == 130)
            #expect(
                outcome.errorText.contains("nothing was written of the others; run the same command again to continue"),
                "\(outcome.errorText)")
            #expect(made.count == scratch.names(in: "target").count)
        }
    }
}
