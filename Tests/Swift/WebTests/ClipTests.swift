import OrderedJSON
import PageModel
import Scratch
import Testing

/// `--clips` cuts the clips that the reader's file lists; the reader's own tests check that it writes such a file.
@Suite struct ClipTests {
    private let scratch: ScratchFolder
    private let page = "\(BuiltJisui.fixtures)/good/Imaging/gray.png"

    init() throws { scratch = try ScratchFolder() }

    private func cut(_ clips: String, _ input: String, to output: String = "clips") throws -> Program.Outcome {
        try scratch.write("clips.json", Array("{\"jisui\": \"clips\", \"clips\": [\(clips)]}".utf8))
        return try BuiltJisui.run(
            [input, "--clips", scratch("clips.json"), "-o", scratch(output), "--to", "folder", "-q", "--force"])
    }

    @Test func clipsAreTheirPixels() throws {
        #expect(try BuiltJisui.run([page, "-o", scratch("web"), "--to", "web", "-q"]).status == 0)
        let book = try #require(JSON(parsing: try scratch.read("web/book.json")))
        let entry = try #require(book["pages"]?.elements?.first?.elements)
        let (width, height) = (try #require(entry[1].asInteger), try #require(entry[2].asInteger))
        let clip = "{\"page\": 1, \"size\": [\(width), \(height)], \"rect\": [1, 2, 2, 1]}"
        let outcome = try cut("\(clip), \(clip)", scratch("web"))
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(scratch.names(in: "clips") == ["0001.png", "0002.png"])
        // The same part cut off the sides.
        let insets = "2,\(width - 3),\(height - 3),1"
        #expect(try BuiltJisui.run([page, "-o", scratch("cropped/"), "--crop", insets, "-q"]).status == 0)
        #expect(try scratch.read("clips/0001.png") == scratch.read("cropped/0001.png"))
    }

    /// Clips are parts of the pages as the reader shows them: of a turned and cropped page in its own pixels, cut
    /// losslessly.
    @Test(.needs("djpeg")) func clipsOfTurnedAndCroppedPagesAreTheirPixels() throws {
        let turned = "\(BuiltJisui.fixtures)/good/Imaging/orientation-6.jpg"
        #expect(
            try BuiltJisui.run([turned, "-o", scratch("web"), "--to", "web", "--crop", "8,0,0,16", "-q"]).status == 0)
        let book = try #require(JSON(parsing: try scratch.read("web/book.json")))
        let page = try #require(book["pages"]?.elements?.first?.elements)
        let part = (page[5].elements ?? []).compactMap(\.asInteger)
        let (width, height) = (part[2], part[3])
        let outcome = try cut(
            "{\"page\": 1, \"size\": [\(width), \(height)], \"rect\": [0, 0, \(width), 8]}", scratch("web"))
        #expect(outcome.status == 0, "\(outcome.errorText)")
        // Cut from the source in one go.
        let insets = "8,0,\(height - 8),16"
        #expect(try BuiltJisui.run([turned, "-o", scratch("cropped/"), "--crop", insets, "-q"]).status == 0)
        #expect(try scratch.read("clips/0001.jpg") == scratch.read("cropped/0001.jpg"))
    }

    @Test(arguments: [
        ("", "holds no clips"),
        (
            "{\"page\": 2, \"size\": [5, 5], \"rect\": [0, 0, 1, 1]}",
            "clip 1 is of page 2, which is not among the pages"
        ),
        (
            "{\"page\": 1, \"size\": [9999, 5], \"rect\": [0, 0, 1, 1]}",
            "clip 1 is from a page of 9999x5 pixels, but page 1 has"
        ),
        ("{\"page\": 1, \"size\": [5, 5], \"rect\": [0, 0, 6, 1]}", "has an impossible value for clip 1"),
        ("{\"page\": 1, \"size\": [5, 5], \"rect\": [0, \"x\", 0, 1, 1]}", "has an impossible value for clip 1"),
        (
            "{\"page\": 1, \"size\": [5, 5], \"rect\": [-1, 0, 9223372036854775807, 1]}",
            "has an impossible value for clip 1"
        ),
    ])
    func invalidClipsAreRejected(_ clips: String, _ message: String) throws {
        let outcome = try cut(clips, page)
        #expect(outcome.status != 0 && outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(scratch.names(in: "clips").isEmpty)
    }
}
