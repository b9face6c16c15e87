internal import Scratch
internal import SyntheticPDF
internal import Testing

/// The hint of an error names an option that the command has.
@Suite struct InfoMemoryTests {
    /// A page with more objects than 100 megabytes hold.
    private static let page = SyntheticPDF.bytes([
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]/Annots 4 0 R>>",
        "[\(String(repeating: "<</A 1>>", count: 200_000))]",
    ])

    @Test func infoTakesTheOptionOfItsHint() throws {
        let scratch = try ScratchFolder()
        try scratch.write("a.pdf", Self.page)
        let limited = try BuiltJisui.run(["info", "a.pdf", "--max-memory", "100"], in: scratch.path)
        #expect(limited.status == 1)
        let message = "a.pdf: its structure needs more memory than allowed; use --max-memory to allow more"
        #expect(limited.errorText == "jisui: error: \(message)\n")
    }
}
