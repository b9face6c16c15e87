import OrderedJSON
import Scratch
import Testing

/// The reader in real browsers, from the file system and from a server.
///
/// The tests are in `Tests/Programs/Browser/tests`, which make books with jisui and read them with fingers, mouse and
/// keys. The browser's clock stands still but for what a test moves it, so that none depends on how fast a machine is.
@Suite struct ReaderTests {
    @Test(.needs("chromium", "chromedriver"), .needsSelenium, arguments: ["file", "http"])
    func readsAsPeopleDo(over protocolName: String) throws {
        try read(in: "chromium", over: protocolName, atLeast: 45)
    }

    /// All tests that do nothing which only chromium's driver can do. What a server changes is seen in chromium.
    @Test(.needs("WebKitWebDriver", "Xvfb"), .needsSelenium, arguments: ["file"])
    func readsInWebKit(over protocolName: String) throws {
        try read(in: "webkit", over: protocolName, atLeast: 25)
    }

    /// What a server has to do with: books, shelves, texts and clips from Debian's nginx, which gives other headers.
    @Test(
        .needs("chromium", "chromedriver"), .needsSelenium,
        .needs(line: "PATH=$PATH:/usr/sbin command -v nginx", "needs nginx"))
    func readsFromNginx() throws {
        let tests = [
            "opens_with_an_empty_console", "no_request_leaves_the_folder", "the_whole_way_by_keyboard",
            "words_lie_over_their_places", "marks_are_saved_loaded_and_merged", "printed_pages_have_their_text",
        ]
        try read(in: "chromium", over: "nginx", tests, atLeast: tests.count - 1)
    }

    private func read(
        in browser: String, over protocolName: String, _ tests: [String] = [], atLeast count: Int
    ) throws {
        let scratch = try ScratchFolder()
        let script = "\(BuiltJisui.repository)/Tests/Programs/Browser/reader_tests.py"
        let outcome = try Program.outcome(
            "'\(script)' '\(BuiltJisui.path)' '\(scratch.path)' --over \(protocolName) --in \(browser) \(tests.joined(separator: " "))",
            in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let lines = outcome.outputText.split(separator: "\n").compactMap { JSON(parsing: Array($0.utf8)) }
        for line in lines {
            guard let name = line["test"]?.asString, let fault = line["fault"]?.asString else { continue }
            Issue.record("\(name) in \(browser) over \(protocolName): \(fault)")
        }
        // A run that found no tests proves nothing.
        #expect(lines.count > count)
    }
}
