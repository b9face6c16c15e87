import AdapterKit
import FoundationEssentials
import Imaging
import PageModel
import Scratch
import Synchronization
import Testing

@testable import Trim

@Suite struct TrimFileTests {
    private let scratch: ScratchFolder
    private let path: String
    private let book: SyntheticBook

    init() throws {
        scratch = try ScratchFolder()
        path = scratch("boxes.json")
        book = SyntheticBook(
            (0..<3).map { index in
                var page = SyntheticPage.paper(seed: UInt64(index))
                if index != 1 { page.text() }
                return page
            })
    }

    private func text() throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }

    private func error(_ given: [String: String], isDryRun: Bool = false) async -> AdapterError? {
        await #expect(throws: AdapterError.self) { try await book.trimmed(given, isDryRun: isDryRun) }
    }

    @Test func writtenBoxesRoundTrip() async throws {
        let given = ["trim": "page", "trim-file": path]
        let looked = try await book.trimmed(given, isDryRun: true)
        // Nothing can be looked at any more.
        let read = try await SyntheticBook([]).trimmed(given, pages: 3)
        #expect(read.map(\.edits) == looked.map(\.edits))
        #expect(read.map(\.layout) == looked.map(\.layout))
    }

    @Test func manualChangesAreKept() async throws {
        let given = ["trim": "page", "trim-margin": "0px", "trim-file": path]
        _ = try await book.trimmed(given, isDryRun: true)
        let changed = try text().replacing(
            "\"box\": [80, 100, 460, 620]", with: "\"box\": [70, 90, 480, 640]", maxReplacements: 1)
        try Files.write(Array(changed.utf8), to: path)
        let again = try await book.trimmed(given, isDryRun: true)
        #expect(again[0].kept == PixelRect(x: 70, y: 90, width: 480, height: 640))
        #expect(again[0].layout?.remark == "trimmed as the file of boxes says")
        #expect(again[1].kept == nil)
        #expect(again[2].layout?.remark == "trimmed to its own content")
        #expect(again[2].kept == SyntheticPage.textBox)
        #expect(try text() == changed)
        // Manual work is not lost to a --force that was meant for the book.
        _ = try await book.trimmed(given, isDryRun: true, mayReplace: true)
        #expect(try text() == changed)
    }

    /// A mistyped name removes no box; and some editors write a byte order mark.
    @Test func byteOrderMarkIsAcceptedAndTyposAreRejected() async throws {
        let given = ["trim": "page", "trim-file": path]
        let looked = try await book.trimmed(given, isDryRun: true)
        let written = try text()
        try Files.write(Array("\u{FEFF}\(written)".utf8), to: path)
        #expect(try await book.trimmed(given).map(\.edits) == looked.map(\.edits))
        try Files.write(
            Array(written.replacing("\"box\"", with: "\"Box\"", maxReplacements: 1).utf8), to: path)
        #expect(await error(given)?.message == "page 1 of the list is invalid")
    }

    @Test func aFileThatIsNotThereIsWrittenOnlyByADryRun() async throws {
        let error = await error(["trim": "page", "trim-file": path])
        #expect(error?.code == .unreadable && error?.hint == "use --dry-run to create it")
        #expect(scratch.names(in: "").isEmpty)
    }

    @Test func boxesForAnotherScreenAreRefused() async throws {
        let given = ["trim": "page", "trim-aspect": "device", "trim-file": path, "fit": "3x4"]
        _ = try await book.trimmed(given, isDryRun: true)
        _ = try await book.trimmed(given)
        let other = given.merging(["fit": "4x4"]) { $1 }
        let error = await #expect(throws: AdapterError.self) { try await book.trimmed(other) }
        #expect(error?.message == "was made with --trim page --trim-aspect 3:4")
    }

    @Test func otherOptionsAreRefused() async throws {
        _ = try await book.trimmed(["trim": "page", "trim-numbers": "true", "trim-file": path], isDryRun: true)
        let options = await error(["trim": "page", "trim-file": path])
        #expect(options?.code == .usage && options?.message == "was made with --trim page --trim-numbers")
    }

    /// A person chose the box, so the page no longer counts as one without the box of the book.
    @Test func boxesChangedByHandAreNoOutliers() async throws {
        let given = ["trim": "page", "trim-file": path]
        let made = try await book.trimmed(given, isDryRun: true)
        let box = try #require(made[0].kept)
        let marked = try text().replacing("\"outlier\": false", with: "\"outlier\": true")
        try Files.write(Array(marked.utf8), to: path)
        #expect(try await book.trimmed(given).map { $0.layout?.isOutlier } == [true, true, true])
        let changed = marked.replacing(
            "\"box\": [\(box.x), ", with: "\"box\": [\(box.x + 1), ", maxReplacements: 1)
        try Files.write(Array(changed.utf8), to: path)
        #expect(try await book.trimmed(given).map { $0.layout?.isOutlier } == [false, true, true])
    }

    @Test func boxOfAChangedPageIsNotApplied() async throws {
        let given = ["trim": "page", "trim-file": path, "trim-sheet": scratch("s.html")]
        var book = book
        book.digests = ["a", "b", "c"]
        let made = try await book.trimmed(given, isDryRun: true)
        #expect(try text().contains("], \"book\": {\"pages\": 3, \"digests\": {\n\"1\": \"image:a\",\n"))
        book.digests = ["x", "b", "c"]
        let warnings = Mutex<[Warning]>([])
        let changed = try await book.trimmed(given, mayReplace: true) { warning in
            warnings.withLock { $0.append(warning) }
        }
        #expect(changed[0].edits.isEmpty && changed[0].layout?.trimming == .filed)
        #expect(changed[0].layout?.remark == "kept whole: it has changed since the file of boxes was made")
        #expect(changed[2].edits == made[2].edits)
        #expect(warnings.withLock { $0.filter { !$0.isNote }.map(\.page) } == [1])
        // The sheet shows the page whole, and a file that is saved there does not have the box.
        let html = String(decoding: try Files.read(scratch("s.html")), as: UTF8.self)
        #expect(!html.contains("{&quot;page&quot;: 1,") && html.contains("{&quot;page&quot;: 2,"))
        #expect(!html.contains("<svg data-page=\"1\" ") && html.contains("<svg data-page=\"3\" "))
        #expect(html.contains("&quot;book&quot;: {&quot;pages&quot;: 3"))
    }

    @Test func boxesOfAnotherBookAreRefused() async throws {
        let given = ["trim": "page", "trim-file": path]
        var book = book
        book.digests = ["a", "b", "c"]
        _ = try await book.trimmed(given, isDryRun: true)
        book.digests = ["x", "y", "c"]
        let error = await #expect(throws: AdapterError.self) { try await book.trimmed(given) }
        #expect(error?.code == .usage && error?.message == "is of another book: 2 of 3 compared pages differ")
    }

    /// Without a file of boxes, the sheet is what a person saves one from.
    @Test func contactSheetStatesTheBook() async throws {
        var book = book
        book.digests = ["a", "b", "c"]
        _ = try await book.trimmed(["trim": "page", "trim-sheet": scratch("s.html")])
        let html = String(decoding: try Files.read(scratch("s.html")), as: UTF8.self)
        #expect(html.contains("&quot;book&quot;: {&quot;pages&quot;: 3"))
    }

    @Test func contactSheetShowsTheBoxesOfTheFile() async throws {
        let given = ["trim": "page", "trim-margin": "0px", "trim-file": path]
        _ = try await book.trimmed(given, isDryRun: true)
        let changed = try text().replacing(
            "\"box\": [80, 100, 460, 620]", with: "\"box\": [70, 90, 480, 640]", maxReplacements: 1)
        try Files.write(Array(changed.utf8), to: path)
        let pages = try await book.trimmed(given.merging(["trim-sheet": scratch("s.html")]) { $1 })
        #expect(pages[0].kept == PixelRect(x: 70, y: 90, width: 480, height: 640))
        let html = String(decoding: try Files.read(scratch("s.html")), as: UTF8.self)
        #expect(html.contains("class=\"kept\" x=\"70\" y=\"90\" width=\"480\" height=\"640\""))
        #expect(html.contains("trimmed as the file of boxes says") && html.contains(" data-file=\"boxes.json\""))
        #expect((1...3).allSatisfy { html.contains("<svg data-page=\"\($0)\" ") })
    }

    /// The file states another angle than the analysis would find, or that the page is not rotated at all.
    @Test(arguments: [("\"skew\": ", "\"skew\": 1", true), ("\"deskewed\": true", "\"deskewed\": false", false)])
    func contactSheetShowsPagesAsTheFileRotatesThem(_ old: String, _ new: String, isRotated: Bool) async throws {
        var page = SyntheticPage.paper()
        page.text(slope: 3 * .pi / 180)
        let given = ["trim": "page", "deskew": "true", "trim-file": path]
        _ = try await SyntheticBook([page]).trimmed(given, isDryRun: true)
        #expect(try text().contains(old))
        try Files.write(Array(try text().replacing(old, with: new).utf8), to: path)
        let trimmed = try await SyntheticBook([page]).trimmed(given.merging(["trim-sheet": scratch("s.html")]) { $1 })
        let layout = try #require(trimmed[0].layout)
        #expect(layout.isDeskewed == isRotated)
        let skew = isRotated ? try #require(layout.skew) : 0
        #expect(!isRotated || skew > 10)
        let shown = isRotated ? page.raster.deskewed(by: skew) : page.raster
        let jpeg = try #require(Thumbnail.jpeg(of: shown))
        let html = String(decoding: try Files.read(scratch("s.html")), as: UTF8.self)
        #expect(html.contains("base64,\(Data(jpeg).base64EncodedString())"))
    }

    @Test(arguments: [
        ("\"page 1\"", "\"page 9\"", AdapterError.Code.usage), ("\"box\": [", "\"box\": [-", .damaged),
        ("\"box\": [", "\"box\": [1", .damaged), ("\"jisui-trim\": 1", "\"jisui-trim\": 2", .damaged),
        // Only the writer knows which of the two is meant.
        ("\"box\": [", "\"box\": null, \"box\": [", .damaged),
        ("]}", "]", .damaged), ("\"size\": [", "\"size\": [0, ", .damaged), ("{", "[[[[[[[[[[[[[[[[[[[[[[[{", .damaged),
    ])
    func aBrokenFileIsRefused(_ old: String, _ new: String, _ code: AdapterError.Code) async throws {
        let given = ["trim": "page", "trim-file": path]
        _ = try await book.trimmed(given, isDryRun: true)
        try Files.write(Array(try text().replacing(old, with: new, maxReplacements: 1).utf8), to: path)
        let error = await error(given)
        #expect(error?.code == code && error?.file == path)
    }

    /// Such as a later version may write.
    @Test func unknownKeysAreIgnored() async throws {
        let given = ["trim": "page", "trim-file": path]
        let looked = try await book.trimmed(given, isDryRun: true)
        let more = try text().replacing("\"box\": ", with: "\"note\": {\"by\": \"hand\"}, \"box\": ")
        try Files.write(Array(more.utf8), to: path)
        #expect(try await book.trimmed(given).map(\.edits) == looked.map(\.edits))
    }

    @Test func aPageThatTheFileLacksStaysWhole() async throws {
        let given = ["trim": "page", "trim-file": path]
        _ = try await book.trimmed(given, isDryRun: true)
        let pages = try await SyntheticBook([]).trimmed(given, pages: 4)
        #expect(pages[3].edits.isEmpty && pages[3].layout?.isOutlier == true)
    }

    /// Boxes of the former pages do not apply to pages that were turned or cut since.
    @Test func pagesThatHaveChangedAreRefused() async throws {
        let given = ["trim": "page", "trim-file": path]
        _ = try await book.trimmed(given, isDryRun: true)
        func error(_ size: PixelSize) async throws -> AdapterError? {
            let trim = Trim()
            let pages = (1...3).map { id in
                Page(id: id, name: "page \(id)") {
                    Picture(size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { [] })])
                }
            }
            let settings = try Settings(trim.descriptor.settings, given: given)
            do {
                _ = try await trim.apply(
                    to: PageSequence(book: BookMetadata(), pages: pages), settings,
                    TransformRequest(previews: SyntheticBook([])))
                return nil
            } catch { return error as? AdapterError }
        }
        #expect(try await error(SyntheticPage.size) == nil)
        let turned = try await error(PixelSize(width: SyntheticPage.size.height, height: SyntheticPage.size.width))
        #expect(turned?.code == .usage && turned?.page == "page 1")
    }
}
