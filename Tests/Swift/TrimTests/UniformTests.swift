import AdapterKit
import PageModel
import Testing

@testable import Trim

/// Boxes of one size, each where its page has print.
@Suite struct UniformTests {
    /// Pages of text that are displaced by some pixels across and down, as on photographs.
    ///
    /// Left pages have their text 30 pixels further left.
    private static func displaced(_ count: Int) -> [SyntheticPage] {
        (0..<count).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            page.text(place(index))
            return page
        }
    }

    private static func place(_ index: Int) -> PixelRect {
        let (across, down) = ((index * 17) % 21 - 10, (index * 29) % 51 - 25)
        return PixelRect(x: (index.isMultiple(of: 2) ? 100 : 70) + across, y: 110 + down, width: 440, height: 620)
    }

    private static func trimmed(_ book: SyntheticBook, margin: String = "10px") async throws -> [Page] {
        try await book.trimmed(["trim": "uniform", "trim-margin": margin])
    }

    private static func sizes(_ pages: [Page]) -> Set<PixelSize> { Set(pages.compactMap { $0.kept?.size }) }

    @Test func boxesOfOneSizeFollowThePrint() async throws {
        let pages = try await Self.trimmed(SyntheticBook(Self.displaced(20)))
        #expect(pages.allSatisfy { $0.kept != nil } && Self.sizes(pages).count == 1)
        for (index, page) in pages.enumerated() {
            let place = Self.place(index)
            let wanted = PixelRect(x: place.x - 10, y: place.y - 10, width: 460, height: 640)
            #expect(wanted.isNear(page.kept, 3))
            #expect(page.layout?.remark == "trimmed to the size of all pages" && page.layout?.isOutlier == false)
        }
    }

    /// Whatever the displacement of the page, a cut is possible at one of its MCUs.
    @Test(arguments: ["0px", "1%", "10px"]) func boxesHaveOneSizeOnAGrid(_ margin: String) async throws {
        var book = SyntheticBook(Self.displaced(20))
        book.grid = CutGrid(step: PixelSize(width: 16, height: 16), first: (3, -4))
        let pages = try await Self.trimmed(book, margin: margin)
        #expect(pages.allSatisfy { $0.kept != nil } && Self.sizes(pages).count == 1)
        for page in pages {
            let (content, kept) = (try #require(page.layout?.content), try #require(page.kept))
            #expect(kept.contains(content) && (kept.x == 0 || kept.x % 16 == 3) && (kept.y == 0 || kept.y % 16 == 12))
        }
    }

    /// The beginning of a chapter is lower, and its end is higher.
    @Test func printStandsWhereItStood() async throws {
        var pages = Self.displaced(20)
        pages[6] = .paper()
        pages[6].text(PixelRect(x: 90, y: 350, width: 440, height: 380))
        pages[9] = .paper()
        pages[9].text(PixelRect(x: 80, y: 100, width: 440, height: 134))
        pages[12] = .paper()
        let result = try await Self.trimmed(SyntheticBook(pages))
        #expect(result.allSatisfy { $0.kept != nil } && Self.sizes(result).count == 1)
        let (chapter, end) = (try #require(result[6].kept), try #require(result[9].kept))
        // It ends with the other pages, and begins 250 pixels below their heads.
        #expect(abs(350 - chapter.y - 250) <= 20 && abs(90 - chapter.x - 10) <= 3)
        #expect(abs(100 - end.y - 10) <= 3 && abs(80 - end.x - 10) <= 3)
        #expect(result[12].layout?.content == nil && result[12].layout?.isOutlier == false)
    }

    /// Notes in the outer margin make all boxes wider, on the outer side only.
    @Test func marginsOfFacingPagesAreMirrored() async throws {
        var pages = Self.displaced(20)
        for index in pages.indices {
            let place = Self.place(index)
            let x = index.isMultiple(of: 2) ? place.x + place.width + 20 : place.x - 38
            if index % 4 < 2 { pages[index].text(PixelRect(x: x, y: place.y + 96, width: 18, height: 120)) }
        }
        let result = try await Self.trimmed(SyntheticBook(pages))
        #expect(result.allSatisfy { $0.kept != nil } && Self.sizes(result).count == 1)
        let insides = try result.enumerated().map { index, page in
            let (kept, place) = (try #require(page.kept), Self.place(index))
            return index.isMultiple(of: 2) ? place.x - kept.x : kept.x + kept.width - place.x - place.width
        }
        #expect(try #require(insides.max()) - #require(insides.min()) <= 8)
    }

    /// A page with larger print or of smaller paper keeps a size of its own, and nothing is cut.
    @Test func outliersKeepAllPrint() async throws {
        var pages = Self.displaced(20)
        pages[3] = .paper()
        pages[3].text(PixelRect(x: 30, y: 30, width: 560, height: 800))
        pages[8] = .paper(size: PixelSize(width: 400, height: 880))
        pages[8].text(PixelRect(x: 40, y: 110, width: 300, height: 620))
        pages[15] = SyntheticPage(6, SyntheticPage.size)
        let result = try await Self.trimmed(SyntheticBook(pages))
        let common = try #require(result[0].kept?.size)
        #expect(result.indices.filter { result[$0].kept?.size != common } == [3, 8, 15])
        #expect(result.indices.filter { result[$0].layout?.isOutlier == true } == [3, 8, 15])
        #expect(try #require(result[3].kept).contains(try #require(result[3].layout?.content)))
        #expect(result[8].kept?.x == 0 && result[8].kept?.width == 400 && result[8].kept?.height == common.height)
        #expect(result[15].kept == nil)
    }

    @Test func withoutPrintThereIsNoSize() async throws {
        let pages = try await Self.trimmed(SyntheticBook([.paper(), .paper(seed: 2)]))
        #expect(pages.allSatisfy { $0.kept == nil && $0.layout?.trimming == .blank })
    }

    /// All pages get the shape, as far as their paper allows.
    @Test func theSizeHasTheAspectRatio() async throws {
        let pages = try await SyntheticBook(Self.displaced(20)).trimmed([
            "trim": "uniform", "trim-margin": "10px", "trim-aspect": "3:4",
        ])
        let size = try #require(pages[0].kept?.size)
        #expect(Self.sizes(pages) == [size] && abs(4 * size.width - 3 * size.height) <= 4)
    }

    /// A cover may have twice the pixels per inch. A resolution is wrong if the page has the pixels of the others.
    @Test func sizesAreEqualInInches() async throws {
        var pages = Self.displaced(12)
        pages[4] = .paper(size: PixelSize(width: 1240, height: 1760))
        pages[4].text(PixelRect(x: 180, y: 220, width: 880, height: 1240))
        var book = SyntheticBook(pages, resolution: Resolution(150))
        book.resolutions = [5: Resolution(300), 8: Resolution(300)]
        let result = try await Self.trimmed(book)
        let size = try #require(result[0].kept?.size)
        #expect(result.indices.filter { result[$0].kept?.size != size } == [4])
        #expect(result[4].kept?.size == PixelSize(width: 2 * size.width, height: 2 * size.height))
        #expect(result.allSatisfy { $0.layout?.isOutlier == false })
    }
}
