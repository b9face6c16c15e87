import AdapterKit
import PageModel
import Testing

@testable import Trim

/// Content of a single page, and marks that are not content.
@Suite struct PageTests {
    private func layout(_ page: SyntheticPage) async throws -> PageLayout {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout)
    }

    @Test func theTextIsTheContent() async throws {
        var page = SyntheticPage.paper()
        page.text()
        let found = try await layout(page)
        #expect(SyntheticPage.textBox.isNear(found.content))
        #expect(found.remark == "trimmed to its own content")
    }

    /// A dark band, a wedge, dust, a hair and the text of the other side are not printed on the page.
    @Test func dirtIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 40, y: 40, width: 540, height: 800), level: 224)
        page.text()
        page.fill(PixelRect(x: 0, y: 0, width: 12, height: 880), 40)
        for x in 0..<620 { page.fill(PixelRect(x: x, y: 0, width: 1, height: 2 + x / 50), 40) }
        for (x, y) in [(30, 300), (590, 20), (600, 860), (300, 800)] {
            page.fill(PixelRect(x: x, y: y, width: 3, height: 3), 90)
        }
        page.hair(x: 300, y: 840, radius: 30)
        let found = try await layout(page).content
        #expect(SyntheticPage.textBox.isNear(found), "\(String(describing: found))")
    }

    /// It is one blob with the letters it runs into, but paler than they are.
    @Test func aHairThatRunsIntoLettersIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.hair(x: 300, y: 90, radius: 30)
        page.hair(x: 516, y: 404, radius: 40)
        let found = try await layout(page).content
        #expect(SyntheticPage.textBox.isNear(found), "\(String(describing: found))")
    }

    /// So many thin curves are not dirt.
    @Test func aDrawingThatRunsIntoLettersStays() async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.fill(PixelRect(x: 100, y: 97, width: 300, height: 3), 50)
        for x in [100, 180, 260, 340] { page.hair(x: x, y: 80, radius: 30) }
        #expect(try await layout(page).content?.y == 50)
    }

    @Test func aShadeTowardsTheBindingIsNotContent() async throws {
        var page = SyntheticPage.paper()
        for x in 0..<60 { page.fill(PixelRect(x: x, y: 0, width: 1, height: 880), 236 - 34 * (60 - x) / 60) }
        page.text()
        #expect(SyntheticPage.textBox.isNear(try await layout(page).content))
    }

    /// A full stop as far from its line as Japanese setting puts it.
    @Test func fullStopNextToTheTextStays() async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.fill(PixelRect(x: 62, y: 200, width: 5, height: 5), 60)
        #expect(try await layout(page).content?.x == 62)
    }

    /// A small one stands as far off, where others of its size show it to be one, and is dust elsewhere.
    @Test(arguments: [true, false]) func aSmallFullStopStaysAmongItsLike(_ hasLike: Bool) async throws {
        var page = SyntheticPage.paper()
        page.text()
        for x in [86, 134, 230, 310] where hasLike { page.fill(PixelRect(x: x, y: 116, width: 4, height: 4), 60) }
        page.fill(PixelRect(x: 65, y: 200, width: 4, height: 4), 60)
        #expect(try await layout(page).content?.x == (hasLike ? 65 : 80))
    }

    @Test func aThinRuleStays() async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.fill(PixelRect(x: 80, y: 780, width: 460, height: 1), 90)
        #expect(try await layout(page).content == PixelRect(x: 80, y: 100, width: 460, height: 681))
    }

    /// It is slanted, and neither bent nor broad: no hair.
    @Test(arguments: [0.01, 0.02, 0.035]) func aThinRuleStaysOnAPageThatLiesAskew(_ slope: Double) async throws {
        var page = SyntheticPage.paper()
        page.text(slope: slope)
        for x in 100..<520 {
            page.fill(PixelRect(x: x, y: 800 - Int((Double(x - 310) * slope).rounded()), width: 1, height: 1), 90)
        }
        let content = try #require(try await layout(page).content)
        #expect(content.y + content.height >= 800)
    }

    /// Art on three edges: the fourth side may be a sky as light as paper.
    @Test func aPictureThatReachesThreeEdgesStaysWhole() async throws {
        var page = SyntheticPage.clean()
        page.screentone(PixelRect(x: 0, y: 300, width: 620, height: 580), 90)
        let pages = try await SyntheticBook([page]).trimmed(["trim": "page"])
        #expect(pages[0].kept == nil && pages[0].layout?.content?.y == 300)
    }

    /// The first lines of widely set text are at one height on all pages, as heads are, but are not set off more than
    /// other lines.
    @Test func widelySetTextHasNoHeads() async throws {
        let pages = (0..<6).map { index in
            var page = SyntheticPage.paper(seed: UInt64(index))
            for top in stride(from: 100, through: 700, by: 60) {
                page.text(PixelRect(x: 80, y: top, width: 460, height: 14))
            }
            return page
        }
        for page in try await SyntheticBook(pages).trimmed(["trim": "page", "trim-heads": "true"]) {
            #expect(page.layout?.head == nil && page.layout?.content?.y == 100)
        }
    }

    @Test(arguments: [225, 120]) func screentoneStays(_ level: Int) async throws {
        var page = SyntheticPage.clean()
        page.fill(PixelRect(x: 100, y: 200, width: 300, height: 200), 0)
        page.screentone(PixelRect(x: 60, y: 90, width: 500, height: 700), level)
        #expect(try await layout(page).content == PixelRect(x: 60, y: 90, width: 497, height: 697))
    }

    /// The frame of a bleeding panel looks like a scanner's edge, but goes on inside the page.
    @Test func framesThatBleedStay() async throws {
        var page = SyntheticPage.clean()
        page.fill(PixelRect(x: 0, y: 0, width: 620, height: 400), 0)
        page.fill(PixelRect(x: 3, y: 3, width: 614, height: 394), 255)
        page.fill(PixelRect(x: 200, y: 500, width: 200, height: 100), 0)
        #expect(try await layout(page).content == PixelRect(x: 0, y: 0, width: 620, height: 600))
    }

    @Test func aBlankPageStaysWhole() async throws {
        var page = SyntheticPage.paper()
        page.fill(PixelRect(x: 300, y: 300, width: 3, height: 3), 90)
        let book = try await SyntheticBook([page]).trimmed(["trim": "page"])
        #expect(book[0].edits.isEmpty)
        #expect(book[0].layout?.content == nil)
        #expect(book[0].layout?.remark == "kept whole: nothing is printed on it")
    }

    @Test func aBlackPageStaysWhole() async throws {
        var page = SyntheticPage(6, SyntheticPage.size)
        page.fill(PixelRect(x: 300, y: 300, width: 40, height: 60), 245)
        let found = try await layout(page)
        #expect(found.content == PixelRect(x: 0, y: 0, SyntheticPage.size))
        #expect(found.remark == "kept whole: it is dark or colored up to its edges")
    }

    @Test func aFullBleedPictureStaysWhole() async throws {
        var page = SyntheticPage.paper()
        page.photo()
        let book = try await SyntheticBook([page]).trimmed(["trim": "page"])
        #expect(book[0].edits.isEmpty)
        #expect(book[0].layout?.content == PixelRect(x: 0, y: 0, SyntheticPage.size))
    }

    @Test(arguments: [-2.0, -0.8, 0, 0.35, 1.3]) func skewIsFound(_ degrees: Double) async throws {
        var page = SyntheticPage.paper()
        page.text(slope: degrees * .pi / 180)
        let skew = try #require(try await layout(page).skew)
        #expect(abs(skew - degrees) <= 0.15)
    }

    @Test func aDrawingHasNoSkew() async throws {
        var page = SyntheticPage.clean()
        for step in 0..<400 { page.fill(PixelRect(x: 100 + step, y: 100 + step / 3, width: 3, height: 3), 0) }
        #expect(try await layout(page).skew == nil)
    }

    /// An unreadable page stays whole, and its fault is passed on.
    @Test func aPageThatCannotBeSeenStays() async throws {
        struct Blind: PreviewProvider {
            func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
                throw AdapterError(.damaged, "the page is damaged")
            }
        }
        let page = Page(id: 1, name: "page 1") { throw AdapterError(.damaged, "the page is damaged") }
        let settings = try Settings(Trim().descriptor.settings, given: ["trim": "auto"])
        let result = try await Trim().apply(
            to: PageSequence(book: BookMetadata(), pages: [page]), settings, TransformRequest(previews: Blind()))
        #expect(result.pages[0].edits.isEmpty)
        #expect(result.pages[0].layout?.remark == "kept whole: it cannot be decoded")
        #expect(result.pages[0].layout?.damage == "the page is damaged")
    }

    @Test func reasonsForWholePagesHaveOneOrder() {
        let reasons = PageLayout.Trimming.allCases.compactMap(\.count.reason)
        #expect(reasons.map(\.order) == Array(1...reasons.count))
        #expect(reasons.map(\.id) == PageLayout.Trimming.allCases.dropFirst().map(\.rawValue))
    }
}
