import AdapterKit
import Scratch
import Testing

/// The reader in a real browser, from the file system and from a server.
///
/// The tests are in `Tests/Browser/reader_tests.py`, which makes books with jisui and reads them with fingers, mouse and
/// keys. The browser's clock stands still but for what a test moves it, so that none depends on how fast a machine is.
@Suite(.needs("chromium", "chromedriver", "python3")) struct ReaderTests {
    @Test(arguments: ["file", "http"]) func readsAsPeopleDo(over protocolName: String) throws {
        let scratch = try ScratchFolder()
        let script = "\(BuiltJisui.repository)/Tests/Browser/reader_tests.py"
        let outcome = try Program.outcome(
            "python3 '\(script)' '\(BuiltJisui.path)' '\(scratch.path)' --over \(protocolName)", in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let lines = outcome.outputText.split(separator: "\n").compactMap { JSON(parsing: Array($0.utf8)) }
        for line in lines {
            guard let name = line["test"]?.asString, let fault = line["fault"]?.asString else { continue }
            Issue.record("\(name) over \(protocolName): \(fault)")
        }
        // A run that found no tests proves nothing.
        #expect(lines.count > 35)
    }
}
