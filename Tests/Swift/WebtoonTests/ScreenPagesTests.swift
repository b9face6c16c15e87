import AdapterKit
import PageModel
import Testing

@testable import Webtoon

/// The pages of a book after it is cut: order, numbers, names, text and table of contents.
@Suite struct ScreenPagesTests {
    /// Previews of white images with a black band in the middle.
    private struct Previews: PreviewProvider {
        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
            guard page.id != 4, let size = try await page.examine().size else {
                throw AdapterError(.damaged, "damaged")
            }
            var samples = [UInt8](repeating: 255, count: size.area)
            for index in size.area / 3..<size.area / 2 where index.isMultiple(of: 3) { samples[index] = 0 }
            return PagePreview(raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: size)
        }
    }

    /// - Parameter sizes: the width and the height of each image.
    private func made(_ sizes: [(width: Int, height: Int)], outline: [OutlineItem] = []) async throws -> PageSequence {
        let pages = sizes.enumerated().map { index, size in
            let size = PixelSize(width: size.width, height: size.height)
            var page = Page(id: index + 1, name: "\(index + 1).png", label: "\(index + 1)") {
                Picture(
                    size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { [] })])
            }
            page.roles = index == 0 ? [.frontCover] : []
            page.text = { [TextLine([TextWord("\(index + 1)", PageArea(left: 0, top: 0, right: 1, bottom: 1))])] }
            return page
        }
        let webtoon = Webtoon()
        var book = BookMetadata()
        book.outline = outline
        let settings = try Settings(webtoon.descriptor.settings, given: ["webtoon": "true", "fit": "60x90"])
        return try await webtoon.apply(
            to: PageSequence(book: book, pages: pages), settings, TransformRequest(previews: Previews(), width: 2))
    }

    @Test func partsKeepTheirOrderAndNumbers() async throws {
        let pages = try await made([(30, 100), (30, 20), (30, 60)]).pages
        #expect(Set(pages.map(\.id)).count == pages.count)
        let parts = pages.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }
        #expect(parts.compactMap(\.sourceID) == parts.compactMap(\.sourceID).sorted())
        #expect(Set(parts.map(\.id)).count == parts.count && Set(parts.map(\.name)).count == parts.count)
        #expect(parts[0].name == "1.png, part 1" && parts[0].roles == [.frontCover] && parts[1].roles.isEmpty)
        var heights = 0
        for page in pages {
            let size = try #require(try await page.examine().size)
            #expect(size.width == 30 && size.height <= 45)
            heights += size.height
            for part in page.parts { #expect(try await part.text().map(\.text) == ["\(part.sourceID ?? 0)"]) }
        }
        #expect(heights == 180)
    }

    /// Images of another width, and images that cannot be analyzed, begin a page and end one.
    @Test func onlyImagesOfOneWidthAreJoined() async throws {
        let pages = try await made([(30, 20), (30, 10), (60, 30), (60, 200), (60, 40)]).pages
        #expect(pages.map { $0.parts.map(\.id) } == [[1, 2], [], [], []])
        #expect(pages.map(\.id) == [1, 3, 4, 5] && pages.allSatisfy(\.edits.isEmpty))
        #expect(pages[0].name == "1.png + 2.png" && pages[0].label == "1–2")
        #expect(pages[2].findings[ScreenFinding.self]?.remark.english == "kept whole: it cannot be decoded")
    }

    /// Entries within an image or below the top level begin none.
    @Test func aChapterBeginsAPage() async throws {
        let outline = [
            OutlineItem(title: "1", page: 1, level: 0), OutlineItem(title: "1a", page: 2, level: 1),
            OutlineItem(title: "2", page: 3, at: PagePoint(across: 0, down: 0.005), level: 0),
            OutlineItem(title: "3", page: 4, at: PagePoint(across: 0, down: 0.5), level: 0),
        ]
        let images = [1, 2, 3, 5].map { StripImage(page($0, book: 0), size: PixelSize(width: 30, height: 10)) }
        #expect(LongStrip.strips(of: images, outline: outline).map { $0.images.map(\.page.id) } == [[1, 2], [3, 5]])
        // The first page of a chapter can be missing.
        let later = [OutlineItem(title: "3", page: 4, level: 0)]
        #expect(LongStrip.strips(of: images, outline: later).map(\.images.count) == [3, 1])
        let pages = try await made([(30, 20), (30, 10), (30, 8)], outline: outline).pages
        #expect(pages.map { $0.parts.map(\.id) } == [[1, 2], []])
    }

    /// The chapters of combined books are below entries of the books.
    @Test func chaptersOfCombinedBooksBeginPages() {
        let outline = [
            OutlineItem(title: "A", page: 1, level: 0), OutlineItem(title: "A 1", page: 1, level: 1),
            OutlineItem(title: "A 2", page: 3, level: 1), OutlineItem(title: "B", page: 4, level: 0),
            OutlineItem(title: "deep", page: 5, level: 2),
        ]
        let images = [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1)].map {
            StripImage(page($0.0, book: $0.1), size: PixelSize(width: 30, height: 10))
        }
        let strips = LongStrip.strips(of: images, outline: outline)
        #expect(strips.map { $0.images.map(\.page.id) } == [[1, 2], [3], [4, 5]])
    }

    private func page(_ number: Int, book: Int) -> Page {
        var page = Page(id: number, name: "\(number).png") { throw AdapterError(.damaged, "is no page") }
        page.book = book
        return page
    }

    @Test func nothingIsJoinedForOneLowImage() async throws {
        let pages = try await made([(30, 40)]).pages
        #expect(pages.map(\.parts.count) == [0] && pages[0].findings.isEmpty)
    }
}
