import AdapterKit
import PageModel
import Testing

@testable import Trim

/// Pages of PDFs whose scan has objects over it, or paper around it.
@Suite struct ScanTests {
    private static let stamp = PixelRect(x: 40, y: 860, width: 300, height: 12)
    private static let note = PixelRect(x: 500, y: 30, width: 60, height: 12)

    private func contents(_ objects: [[PixelRect]]) async throws -> [PixelRect?] {
        var book = SyntheticBook(
            objects.indices.map { index in
                var page = SyntheticPage.paper(seed: UInt64(index + 1))
                page.text()
                return page
            })
        for (index, objects) in objects.enumerated() {
            var page = RenderedPage(words: [])
            (page.isScan, page.objects) = (true, objects)
            book.rendered[index + 1] = page
        }
        return try await book.trimmed(["trim": "page"]).map { $0.layout?.content }
    }

    /// A line of the library is on every page, and a page number of a viewer differs in width. A note is on one page.
    @Test func onlyObjectsOfOnePageCount() async throws {
        func number(_ width: Int) -> PixelRect { PixelRect(x: 580, y: 860, width: width, height: 12) }
        let found = try await contents([
            [Self.stamp, number(6)], [Self.stamp, number(9), Self.note], [Self.stamp, number(12)],
        ])
        for index in [0, 2] {
            #expect(SyntheticPage.textBox.isNear(found[index]), "\(String(describing: found[index]))")
        }
        let box = try #require(found[1])
        #expect(box.y <= Self.note.y && box.y > Self.note.y - 10)
        #expect(box.x == SyntheticPage.textBox.x || abs(box.x - SyntheticPage.textBox.x) <= 2)
        #expect(box.y + box.height < Self.stamp.y)
    }

    @Test func objectsOnAllPagesAreNone() {
        func objects(_ left: Double) -> [ScanObject] {
            [ScanObject(area: PageArea(left: left, top: 0.9, right: left + 0.2, bottom: 0.92))]
        }
        #expect(ScanObject.single([objects(0.5), objects(0.51), objects(0.2)]).map(\.count) == [0, 0, 1])
        #expect(ScanObject.single([objects(0.5)]).map(\.count) == [1])
    }

    /// White bands around a photograph in a PDF go as the table in the photograph does.
    @Test func paperAroundTheScanIsNoPartOfIt() async throws {
        let (size, sheet) = (PixelSize(width: 960, height: 720), PixelRect(x: 150, y: 70, width: 660, height: 510))
        let text = PixelRect(x: 210, y: 130, width: 540, height: 374)
        var photograph = SyntheticPage.paper(165, size: size)
        photograph.fill(PixelRect(x: 0, y: 640, width: 960, height: 24), 225)
        for x in stride(from: 4, to: 956, by: 8) {
            photograph.fill(PixelRect(x: x, y: 642, width: 2, height: 10), 40)
        }
        photograph.fill(sheet, 215)
        photograph.text(text)
        let (above, whole) = (280, PixelSize(width: 960, height: 1280))
        var page = SyntheticPage.clean(size: whole)
        page.lay(photograph, at: above)
        var book = SyntheticBook([page])
        book.scans[1] = PageArea(
            left: 0, top: Double(above) / 1280, right: 1, bottom: Double(above + size.height) / 1280)
        let alone = try await SyntheticBook([photograph]).trimmed(["trim": "page"])[0].layout
        let found = try #require(try await book.trimmed(["trim": "page"])[0].layout)
        let expected = try #require(alone?.content)
        #expect(
            PixelRect(x: expected.x, y: expected.y + above, expected.size).isNear(found.content),
            "\(String(describing: found.content))")
        #expect(found.confidence == alone?.confidence)
    }
}
