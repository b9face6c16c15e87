import AdapterKit
import Files
import Imaging
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Clean

/// The sheet and the file of decisions about cleaning.
@Suite struct CleanSheetTests {
    /// Pages with lines of strokes and a speck, each on paper of one level.
    private struct Book: PreviewProvider {
        static let size = PixelSize(width: 620, height: 880)
        let papers: [UInt8]

        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
            var samples = [UInt8](repeating: papers[page.id - 1], count: Book.size.area)
            for y in 100..<600 where y % 18 < 10 {
                for x in 80..<540 where x % 12 < 4 { samples[y * Book.size.width + x] = 20 }
            }
            for y in 780..<782 { for x in 300..<302 { samples[y * Book.size.width + x] = 20 } }
            var raster = Raster(size: Book.size, format: .gray(bits: 8), samples: samples)
            for edit in page.edits {
                if case .change(let operation) = edit { raster = try await operation.preview(of: raster) }
            }
            return PagePreview(raster: raster, size: Book.size)
        }

        func cleaned(_ given: [String: String], title: String? = nil, isDryRun: Bool = false) async throws -> [Page] {
            let pages = papers.indices.map { index in
                Page(id: index + 1, name: "<\(index + 1)>.png") { throw AdapterError(.damaged, "only for looking at") }
            }
            let given = ["whiten": "auto", "despeckle": "true"].merging(given) { $1 }
            let clean = Clean()
            let request = TransformRequest(previews: self, width: 2, isDryRun: isDryRun)
            let sequence = PageSequence(book: BookMetadata(title: title), pages: pages)
            let settings = try Settings(clean.descriptor.settings, given: given)
            return try await clean.apply(to: sequence, settings, request).pages
        }
    }

    private let book = Book(papers: [255, 200, 200])
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func changes(_ pages: [Page]) -> [[String]] {
        pages.map { page in
            page.edits.map { edit in
                if case .change(let operation) = edit { type(of: operation).id } else { "" }
            }
        }
    }

    @Test func aDryRunWritesTheDecisionsThatALaterRunFollows() async throws {
        let path = scratch("cleaning.json")
        let made = try await book.cleaned(["clean-file": path], isDryRun: true)
        #expect(changes(made) == [["despeckle"], ["whiten", "despeckle"], ["whiten", "despeckle"]])
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        #expect(text.contains(#"{"page": 1, "source": "<1>.png", "whiten": false, "despeckle": true}"#))
        #expect(text.contains(#"{"page": 2, "source": "<2>.png", "whiten": true, "despeckle": true}"#))

        let edited = text.replacing(#"<2>.png", "whiten": true"#, with: #"<2>.png", "whiten": false"#)
            .replacing(#""whiten": true, "despeckle": true"#, with: #""whiten": true, "despeckle": false"#)
        let file = try scratch.write("edited.json", Array(edited.utf8))
        let followed = try await book.cleaned(["clean-file": file])
        #expect(changes(followed) == [["despeckle"], ["despeckle"], ["whiten"]])
        #expect(followed[1].findings[PaperFinding.self]?.remark == "not whitened, as --clean-file says")
        #expect(followed[2].findings[SpeckFinding.self]?.remark == "not despeckled, as --clean-file says")
    }

    @Test func aPageThatTheFileLacksIsLeftAlone() async throws {
        let path = scratch("cleaning.json")
        _ = try await book.cleaned(["clean-file": path], isDryRun: true)
        let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n")
        let without = [lines[0], lines[1], lines[2].dropLast()] + lines[4...]
        let file = try scratch.write("less.json", Array(without.joined(separator: "\n").utf8))
        #expect(changes(try await book.cleaned(["clean-file": file])).last == [])
    }

    @Test(arguments: [
        ("\"whiten\": true", "\"whiten\": 1", "page 2 of the list is invalid"),
        ("\"page\": 3", "\"page\": 2", "has page 2 twice"),
    ])
    func aDamagedFileIsRefused(_ old: String, _ new: String, _ message: String) async throws {
        let path = scratch("cleaning.json")
        _ = try await book.cleaned(["clean-file": path], isDryRun: true)
        let text = String(decoding: try Files.read(path), as: UTF8.self).replacing(old, with: new)
        let file = try scratch.write("damaged.json", Array(text.utf8))
        let error = await #expect(throws: AdapterError.self) { try await book.cleaned(["clean-file": file]) }
        #expect(error?.message.english == message && error?.code == .damaged)
    }

    @Test func theSheetShowsPagesBeforeAndAfter() async throws {
        let path = scratch("sheet.html")
        _ = try await book.cleaned(["clean-sheet": path], title: "</title><script>")
        let html = String(decoding: try Files.read(path), as: UTF8.self)
        // Page 1 loses a speck, but is not whitened.
        #expect(
            html.split(separator: "class=\"before\"").count == 4 && html.split(separator: "class=\"after\"").count == 3)
        #expect(html.split(separator: "<i style=\"left:").count == 4, "each page has one speck")
        #expect(html.contains("<h2>Cleaned pages (") && html.contains("<i style=\"background:#c8c8c8\">"))
        #expect(html.contains("&lt;1&gt;.png") && html.split(separator: "<script").count == 2)
        // The script takes every text from there.
        let keys = Set(html.matches(of: /\btext\("([a-z]+)"/).map { String($0.1) })
        #expect(keys == Set(CleanSheet.texts.map(\.key)))
    }

    @Test(arguments: ["clean-sheet", "clean-file"])
    func aSheetOfNothingIsRefused(_ option: String) throws {
        let clean = Clean()
        let settings = try Settings(clean.descriptor.settings, given: [option: "x", "bilevel": "text"])
        let error = #expect(throws: AdapterError.self) { try clean.passes(settings) }
        #expect(error?.message.english == "--\(option) has no effect without --whiten, --despeckle or --borders")
    }
}
