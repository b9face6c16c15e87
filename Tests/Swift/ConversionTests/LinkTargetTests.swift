import PageModel
import Testing

@testable import Conversion

/// The targets of a table of contents on pages that were cut and joined again.
@Suite struct LinkTargetTests {
    private static let size = PixelSize(width: 10, height: 100)

    /// Some rows of a source page, as a page of their own.
    private static func part(_ id: Int, of source: Int, _ rows: Range<Int>) -> Page {
        let rect = PixelRect(x: 0, y: rows.lowerBound, width: size.width, height: rows.count)
        var page = Page(id: id, name: "\(source)", edits: [.move(.keep(rect, of: size))]) {
            Picture(
                size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { [] })])
        }
        page.sourceID = source
        return page
    }

    private static func joined(_ parts: [Page]) -> Page {
        var page = Page(id: parts[0].id, name: "joined") { Picture(size: nil, representations: []) }
        page.sourceID = parts[0].sourceID
        page.parts = parts
        return page
    }

    @Test func anEntryTargetsThePageThatShowsItsPoint() async throws {
        // Page 1 ends within the first page of the source, and page 2 shows the end of it and the beginning of the second.
        let pages = [
            Self.joined([Self.part(1, of: 1, 0..<60)]),
            Self.joined([Self.part(3, of: 1, 60..<100), Self.part(2, of: 2, 0..<30)]),
            Self.joined([Self.part(4, of: 2, 30..<100)]),
        ]
        let outline = [
            OutlineItem(title: "top of 1", page: 1, level: 0),
            OutlineItem(title: "end of 1", page: 1, at: PagePoint(across: 0.5, down: 0.8), level: 0),
            OutlineItem(title: "top of 2", page: 2, level: 0),
            OutlineItem(title: "end of 2", page: 2, at: PagePoint(across: 0.5, down: 0.9), level: 0),
            OutlineItem(title: "heading", page: nil, level: 0),
        ]
        let found = try await LinkTargets(pages).retargeted(outline)
        #expect(found.map(\.page) == [1, 3, 3, 4, nil])
    }
}
