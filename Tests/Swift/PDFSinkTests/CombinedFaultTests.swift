import Scratch
import SyntheticPDF
import Testing

/// Errors about one of several documents that become one.
@Suite struct CombinedFaultTests {
    /// The reference to the highest possible number leaves none for a copy.
    @Test(arguments: [["damaged.pdf", "sound.pdf"], ["sound.pdf", "damaged.pdf"]])
    func errorNamesItsDocument(_ inputs: [String]) throws {
        let scratch = try ScratchFolder()
        let page = "/MediaBox[0 0 72 90]/Contents 3 0 R"
        let content = SyntheticPDF.stream("", "0 0 9 9 re f")
        _ = try scratch.write("sound.pdf", SyntheticPDF.bytes(pages: [page], [content]))
        _ = try scratch.write(
            "damaged.pdf", SyntheticPDF.bytes(pages: ["\(page)/Annots[2147483647 0 R]"], [content]))
        let outcome = try BuiltJisui.run(
            inputs + ["--order", "given", "--combine", "-o", "copy.pdf"], in: scratch.path)
        #expect(outcome.status == 1)
        let error = outcome.errorText.split(separator: "\n").first { $0.hasPrefix("jisui: error:") }
        #expect(
            error == "jisui: error: damaged.pdf: a page cannot be copied: the PDF is damaged", "\(outcome.errorText)")
    }
}
