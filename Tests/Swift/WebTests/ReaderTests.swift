import Scratch
import Testing

/// The reader in real browsers, from the file system and from a server.
///
/// The tests are in `Tests/Programs/Browser/tests`, which make books with jisui and read them with fingers, mouse and
/// keys. The browser's clock stands still but for what a test moves it, so that none depends on how fast a machine is.
@Suite struct ReaderTests {
    @Test(
        .needs("chromium", "chromedriver"), .needs(modules: "pytest, selenium"),
        .needs(line: "PATH=$PATH:/usr/sbin command -v nginx", "needs nginx"), arguments: ["file", "nginx"])
    func readsAsPeopleDo(over server: String) throws {
        try expectPytest("Browser/reader_tests.py --over \(server)")
    }

    /// All tests that do nothing which only chromium's driver can do. What a server changes is seen in chromium.
    @Test(.needs("WebKitWebDriver", "Xvfb"), .needs(modules: "pytest, selenium"))
    func readsInWebKit() throws {
        try expectPytest("Browser/reader_tests.py --in webkit")
    }
}
