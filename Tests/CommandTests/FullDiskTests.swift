internal import Glibc
internal import Scratch
internal import Testing

/// A full disk: one line, exit status 1, and nothing where the output was to be.
@Suite(.enabled(if: Program.run("unshare -rm true") == 0, "no file system may be mounted here"))
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
            "jisui \(FullDiskTests.comic) -o small/\(output); echo $?; ls -A small; df --output=used small")
        #expect(outcome.outputText.split(separator: "\n").map { $0.drop { $0 == " " } } == ["1", "Used", "0"])
        #expect(outcome.errorText == "jisui: error: small/\(output): cannot be written: the disk is full\n")
    }

    @Test func theOldFileStays() throws {
        let outcome = try outcome(
            "echo old > small/book.cbz; jisui \(FullDiskTests.comic) -q -f -o small/book.cbz; cat small/book.cbz; ls -A small"
        )
        #expect(outcome.outputText == "old\nbook.cbz\n")
    }
}
