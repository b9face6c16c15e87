internal import Scratch
internal import Testing

/// The program in `Examples` that uses jisui as a library.
@Suite struct ExampleTests {
    @Test func itReadsTrimsAndWrites() throws {
        let scratch = try ScratchFolder()
        let book = "\(BuiltJisui.fixtures)/good/PDFSource/real-leviathan.pdf"
        let outcome = try RunningProgram(
            ["\(BuiltJisui.testsFolder)/TrimBook", book, scratch("book.cbz")], in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch("."))
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.outputText.split(separator: "\n").count == 4)
        #expect(
            outcome.outputText.hasPrefix("1 lossless CCITT G4 samples stored as PNG, cropped"), "\(outcome.outputText)")
        #expect(try scratch.read("book.cbz").starts(with: Array("PK".utf8)))
    }
}
