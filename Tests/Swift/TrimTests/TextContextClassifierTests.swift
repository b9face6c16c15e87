import LayoutAnalysis
import PageModel
import Testing

@testable import Trim

/// Marks that belong to the text of a scanned page, and marks that do not.
@Suite struct TextContextClassifierTests {
    private func content(_ page: SyntheticPage) async throws -> PixelRect? {
        try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout).content
    }

    /// More specks of a letter's size than a page has numbers, away from the text.
    @Test func specksByThemselvesAreNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 150, y: 150, width: 316, height: 500))
        for step in 0..<14 {
            page.fill(PixelRect(x: 40 + step % 2 * 520, y: 60 + step * 55, width: 9, height: 10), 70)
        }
        #expect(PixelRect(x: 150, y: 150, width: 316, height: 500).isNear(try await content(page)))
    }

    @Test("A mark of a third of a letter next to a line is content")
    func smallMarkNextToALineIsContent() async throws {
        var page = SyntheticPage.clean()
        for y in stride(from: 120, to: 700, by: 36) {
            for x in stride(from: 100, to: 480, by: 24) {
                page.fill(PixelRect(x: x, y: y, width: 18, height: 22), 0)
                page.fill(PixelRect(x: x + 5, y: y + 5, width: 8, height: 8), 255)
            }
        }
        page.fill(PixelRect(x: 490, y: 415, width: 2, height: 7), 0)
        #expect(try await content(page).map { $0.x + $0.width == 492 } == true)
    }

    @Test("A single symbol far outside of the text's column is not content")
    func symbolFarOutsideTheColumnIsNotContent() async throws {
        let text = PixelRect(x: 80, y: 150, width: 220, height: 500)
        var page = SyntheticPage.clean()
        page.text(text)
        page.fill(PixelRect(x: 500, y: 100, width: 10, height: 14), 0)
        #expect(text.isNear(try await content(page)))
    }

    @Test("Pale marks and the margin enlarge an uncertain box by an eighth at most")
    func marginOfAnUncertainBoxIsLimited() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 100, width: 460, height: 398))
        page.words([5], y: 700)
        for x in [32, 46] { page.fill(PixelRect(x: x, y: 300, width: 9, height: 11), 180) }
        let found = try #require(try await SyntheticBook([page]).trimmed(["trim": "page"])[0].layout)
        #expect(found.doubt == .beyondText)
        #expect(found.content.map { (60...70).contains($0.x) } == true, "\(found)")
    }

    /// The edge of the sheet, or a scratch: as high as the page, and in no row with anything else.
    @Test func streakNextToTheTextIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.fill(PixelRect(x: 575, y: 60, width: 3, height: 800), 90)
        #expect(SyntheticPage.textBox.isNear(try await content(page)))
    }

    /// The edge of the sheet on a scan of black and white: bars in line, and crumbs between them that could be digits.
    @Test func brokenStreakNextToTheTextIsNotContent() async throws {
        var page = SyntheticPage.clean()
        page.text(PixelRect(x: 150, y: 150, width: 316, height: 500))
        for step in 0..<9 {
            page.fill(PixelRect(x: 500 + step % 3, y: 120 + step * 60, width: 4, height: 44), 0)
            page.fill(PixelRect(x: 498, y: 166 + step * 60, width: 8, height: 11), 0)
        }
        #expect(PixelRect(x: 150, y: 150, width: 316, height: 500).isNear(try await content(page)))
    }

    /// The black that is left of two edges of a sheet on a scan of black and white: an L around a corner of the text.
    @Test func twoEdgesOfTheSheetAreNotContent() async throws {
        var page = SyntheticPage.clean()
        page.text(PixelRect(x: 150, y: 150, width: 316, height: 500))
        page.fill(PixelRect(x: 110, y: 115, width: 260, height: 9), 0)
        page.fill(PixelRect(x: 110, y: 115, width: 5, height: 330), 0)
        #expect(PixelRect(x: 150, y: 150, width: 316, height: 500).isNear(try await content(page)))
    }

    /// If one edge of the sheet shows its height, thin bits above and below the text are its other edges; but a rule is
    /// print.
    @Test func bitsOfTheSheetsEdgesAreNotContent() async throws {
        let text = PixelRect(x: 150, y: 150, width: 316, height: 500)
        let bits = [PixelRect(x: 300, y: 136, width: 60, height: 3), PixelRect(x: 220, y: 665, width: 50, height: 3)]
        var page = SyntheticPage.clean()
        page.text(text)
        for bit in bits { page.fill(bit, 0) }
        #expect(try await content(page).map { $0.y < 140 && $0.y + $0.height > 660 } ?? false)
        page.fill(PixelRect(x: 500, y: 134, width: 4, height: 536), 0)
        #expect(text.isNear(try await content(page)))
    }

    /// Its figures are as good as letters; but lines of text may be long and thin as well.
    @Test func aRulerBelowTheSheetIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text()
        for mark in 0..<140 {
            page.fill(PixelRect(x: 20 + mark * 4, y: 790, width: 1, height: mark % 10 == 0 ? 9 : 6), 60)
        }
        for figure in 0..<13 { page.number(2, x: 30 + figure * 42, y: 806) }
        page.words([6, 4, 9], y: 840)
        #expect(SyntheticPage.textBox.isNear(try await content(page)))
        var columns = SyntheticPage.paper()
        columns.text()
        for mark in 0..<70 { columns.fill(PixelRect(x: 84 + mark * 6, y: 790, width: 3, height: 12), 60) }
        columns.words([6, 4, 9, 3, 8], y: 790)
        #expect(try await content(columns).map { $0.y + $0.height >= 800 } ?? false)
        // Squared paper has such marks everywhere.
        var squared = SyntheticPage.paper()
        squared.text(PixelRect(x: 80, y: 100, width: 460, height: 734))
        for row in 0..<31 {
            for mark in 0..<90 { squared.fill(PixelRect(x: 80 + mark * 5, y: 116 + row * 24, width: 1, height: 6), 60) }
        }
        #expect(try await content(squared).map { $0.y <= 102 && $0.y + $0.height >= 834 } ?? false)
    }

    /// An area too pale for a picture on a page of text keeps a page from being read as one.
    @Test func palePicturesStayInABookOfText() throws {
        var pale = SyntheticPage.clean()
        pale.text(PixelRect(x: 80, y: 100, width: 460, height: 62))
        pale.fill(PixelRect(x: 150, y: 300, width: 320, height: 300), 0)
        let text = RasterReading(pale.raster, isAmongText: true)
        #expect(text.classifier != nil && text.content?.bottom == 600)
        pale.fill(PixelRect(x: 90, y: 650, width: 380, height: 130), 190)
        let art = RasterReading(pale.raster, isAmongText: true)
        #expect(art.classifier == nil && art.content?.bottom == 780)
    }

    /// Dark, and darker towards the picture's edge, along a whole side.
    @Test func theShadeOfTheBindingIsNotContent() async throws {
        var page = SyntheticPage.paper()
        for x in 0..<60 { page.fill(PixelRect(x: x, y: 0, width: 1, height: 880), 20 + 216 * x / 60) }
        page.text()
        #expect(SyntheticPage.textBox.isNear(try await content(page)))
    }

    /// Vellum is darker here and there; the ink on it is darker still.
    @Test func stainsOfTheSheetAreNotContent() async throws {
        var page = SyntheticPage.paper(190)
        for step in 0..<100 {
            let level = 150 + abs(50 - step) * 40 / 50
            page.fill(PixelRect(x: 470 + step, y: 0, width: 1, height: 880), level)
        }
        page.text(level: 60)
        #expect(SyntheticPage.textBox.isNear(try await content(page)))
    }

    /// Letters that the picture's edge cuts, and a gap before the text begins.
    @Test func aSliverOfTheFacingPageIsNotContent() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 100, y: 100, width: 444, height: 620))
        for top in stride(from: 100, to: 700, by: 24) {
            page.fill(PixelRect(x: 0, y: top, width: 6, height: 14), 50)
            for x in [9, 25] { page.fill(PixelRect(x: x, y: top, width: 12, height: 14), 50) }
        }
        #expect(PixelRect(x: 100, y: 100, width: 444, height: 620).isNear(try await content(page)))
    }

    @Test("Numbers between a sliver of the facing page and the text are content")
    func numbersNextToASliverAreContent() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 100, y: 100, width: 444, height: 620))
        // Ends of unlike words, not of every line: regular marks are a ruler.
        for (index, top) in stride(from: 100, to: 700, by: 24).enumerated() where index % 7 < 4 {
            let (width, height) = (5 + index % 5, 11 + index % 4 * 3)
            page.fill(PixelRect(x: 0, y: top - index % 3 * 3, width: width, height: height), 50)
            page.fill(PixelRect(x: 14, y: top, width: 5, height: 14), 50)
        }
        for top in [200, 214, 228, 400, 414] { page.number(2, x: 45, y: top) }
        let found = try await content(page)
        #expect(found?.x == 45)
    }

    @Test(arguments: [80, 300, 520]) func aNumberByItselfStays(_ x: Int) async throws {
        var page = SyntheticPage.paper()
        page.text()
        page.number(2, x: x, y: 790)
        let found = try #require(try await content(page))
        #expect(found.y + found.height == 800)
    }

    /// Notes are set smaller than the text, next to it.
    @Test func notesInTheMarginStay() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 180, y: 100, width: 364, height: 620))
        for top in [200, 214, 228, 400, 414] { page.number(8, x: 70, y: top) }
        #expect(try await content(page)?.x == 70)
    }

    @Test func aPictureAmongTheTextStays() async throws {
        var page = SyntheticPage.paper()
        page.text(PixelRect(x: 80, y: 100, width: 460, height: 300))
        page.fill(PixelRect(x: 200, y: 520, width: 220, height: 200), 90)
        for y in stride(from: 524, to: 716, by: 8) { page.fill(PixelRect(x: 204, y: y, width: 212, height: 3), 220) }
        let found = try #require(try await content(page))
        #expect(found.y + found.height == 720)
    }

    /// An uncertain finding is reported as such, and the option sets the certainty needed for a crop.
    @Test func confidenceThresholdDecidesTheCut() async throws {
        var page = SyntheticPage.clean()
        page.screentone(PixelRect(x: 0, y: 300, width: 620, height: 580), 90)
        let book = SyntheticBook([page])
        let whole = try await book.trimmed(["trim": "page"])
        #expect(whole[0].kept == nil)
        #expect((whole[0].layout?.confidence ?? 1) < 0.5 && whole[0].layout?.doubt == .openArt)
        let cut = try await book.trimmed(["trim": "page", "trim-confidence": "0.2", "trim-margin": "0px"])
        #expect(cut[0].kept?.y == 300)
        #expect((cut[0].layout?.confidence ?? 1) < 0.5)
        var text = SyntheticPage.paper()
        text.text()
        let strict = try await SyntheticBook([text]).trimmed(["trim": "page", "trim-confidence": "1"])
        #expect(strict[0].kept == nil)
        #expect(strict[0].layout?.remark == "kept whole: only 95 % sure of its box")
    }

    /// A box that may cut print has at most 0.8, and the default threshold keeps some pages whole.
    @Test func doubtsLowerTheConfidence() {
        for doubt in PageLayout.Doubt.allCases {
            let probability = ConfidenceLimits.probability(doubt)
            #expect(probability <= 0.8 && probability < ConfidenceLimits.probability(nil))
        }
        #expect(ConfidenceLimits.probability(.filledScan) < ConfidenceLimits.minimum)
        #expect(Set(PageLayout.Doubt.allCases.map(\.label)).count == PageLayout.Doubt.allCases.count)
    }

    @Test(arguments: ["2", "-0.1", "half", "nan"]) func invalidConfidenceIsRejected(_ text: String) async throws {
        await #expect(throws: AdapterError.self) {
            try await SyntheticBook([SyntheticPage.paper()]).trimmed(["trim": "page", "trim-confidence": text])
        }
    }
}
