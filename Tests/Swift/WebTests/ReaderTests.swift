import OrderedJSON
import Scratch
import Testing

/// The reader in real browsers, from the file system and from a server.
///
/// The tests are in `Tests/Programs/Browser/tests`, which make books with jisui and read them with fingers, mouse and
/// keys. The browser's clock stands still but for what a test moves it, so that none depends on how fast a machine is.
@Suite struct ReaderTests {
    @Test(
        .needs("chromium", "chromedriver"), .needsSelenium,
        .needs(line: "PATH=$PATH:/usr/sbin command -v nginx", "needs nginx"), arguments: ["file", "nginx"])
    func readsAsPeopleDo(over server: String) throws {
        try read(in: "chromium", over: server, atLeast: 80)
    }

    /// All tests that do nothing which only chromium's driver can do. What a server changes is seen in chromium.
    @Test(.needs("WebKitWebDriver", "Xvfb"), .needsSelenium)
    func readsInWebKit() throws {
        try read(in: "webkit", over: "file", atLeast: 55)
    }

    private func read(in browser: String, over server: String, atLeast count: Int) throws {
        let scratch = try ScratchFolder()
        let script = "\(BuiltJisui.repository)/Tests/Programs/Browser/reader_tests.py"
        let outcome = try Program.outcome(
            "'\(script)' '\(BuiltJisui.path)' '\(scratch.path)' --over \(server) --in \(browser)",
            in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let lines = outcome.outputText.split(separator: "\n").compactMap { JSON(parsing: Array($0.utf8)) }
        for line in lines {
            guard let name = line["test"]?.asString, let fault = line["fault"]?.asString else { continue }
            Issue.record("\(name) in \(browser) over \(server): \(fault)")
        }
        // A run that found no tests proves nothing.
        #expect(lines.count >= count)
    }
}
