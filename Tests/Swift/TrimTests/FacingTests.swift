import AdapterKit
import PageModel
import Testing
import Trim

/// Pages that are seen as one are trimmed as one.
@Suite struct FacingTests {
    private static func trimmed(_ pages: [SyntheticPage], facing: [Int], _ mode: String) async throws -> [Page] {
        let book = SyntheticBook(pages)
        let trim = Trim()
        var sequence = PageSequence(
            book: BookMetadata(),
            pages: pages.indices.map { index in
                Page(id: index + 1, name: "page \(index + 1)") { throw AdapterError(.damaged, "only for looking at") }
            })
        for first in facing {
            sequence.pages[first].side = .left
            sequence.pages[first].facesNextPage = true
            sequence.pages[first + 1].side = .right
        }
        let settings = try Settings(trim.descriptor.settings, given: ["trim": mode, "trim-margin": "0px"])
        return try await trim.apply(to: sequence, settings, TransformRequest(previews: book, width: 2)).pages
    }

    @Test(arguments: ["page", "auto"])
    func theyEndAtTheSameRowsAndKeepTheirFold(_ mode: String) async throws {
        let boxes = [(80, 100, 460, 620), (90, 140, 440, 380), (60, 80, 440, 700)].map { x, y, width, height in
            PixelRect(x: x, y: y, width: width, height: height)
        }
        let pages = boxes.enumerated().map { index, box in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text(box)
            return page
        }
        let result = try await Self.trimmed(pages, facing: [0], mode)
        let (left, right) = (try #require(result[0].kept), try #require(result[1].kept))
        #expect(left.isNear(PixelRect(x: 80, y: 100, width: 540, height: 620)))
        #expect(right.isNear(PixelRect(x: 0, y: 100, width: 530, height: 620)))
        #expect(left.y == right.y && left.height == right.height && left.x + left.width == 620 && right.x == 0)
        // The third page faces nothing.
        #expect(try #require(result[2].kept).isNear(boxes[2]))
    }

    /// One that stays whole keeps the other one's rows.
    @Test func aBlankPageKeepsItsNeighborsRows() async throws {
        var text = SyntheticPage.paper()
        text.text()
        let result = try await Self.trimmed([text, .paper(seed: 2)], facing: [0], "page")
        #expect(result[0].kept == PixelRect(x: 80, y: 0, width: 540, height: 880))
        #expect(result[1].kept == nil)
    }

    /// Pages of one size keep it, unless a picture reaches the fold.
    @Test func pagesOfOneSizeMatchOnlyAcrossAPicture() async throws {
        let pages = (0..<12).map { index in
            if index == 4 { return SyntheticPage(6, SyntheticPage.size) }
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text(PixelRect(x: 80 + index, y: 100 + 2 * index, width: 440, height: 620))
            return page
        }
        let result = try await Self.trimmed(pages, facing: [0, 2, 4, 6, 8, 10], "uniform")
        let size = try #require(result[0].kept?.size)
        #expect(result.indices.filter { result[$0].kept?.size != size } == [4, 5])
        let right = try #require(result[5].kept)
        #expect(result[4].kept == nil && right.x == 0 && right.y == 0 && right.height == 880)
    }
}
