import AdapterKit
import PageModel
import Testing

@testable import Spreads

/// Whether one drawing runs on from one page into the next.
@Suite struct ArtSeamTests {
    private func confidence(_ pages: (left: PageEdges, right: PageEdges)) -> Double {
        ArtSeam.probability(ArtSeam(left: pages.left, right: pages.right).odds)
    }

    /// Nine pixels are 3 % of the page.
    @Test(arguments: [0, 4, 9], [11, 14] as [UInt64])
    func aDrawingCutInTwoRunsOn(lost: Int, seed: UInt64) {
        #expect(confidence(SyntheticArt.strokes(seed: seed).cut(lost: lost)) > 0.8)
    }

    @Test(arguments: [-3, 3]) func itMayLieALittleLower(lower: Int) {
        #expect(confidence(SyntheticArt.strokes(seed: 11).cut(lost: 2, lower: lower, lighter: -14)) > 0.8)
    }

    /// A page so far out of line was not cut off the other.
    @Test func itMayNotLieMuchLower() {
        let art = SyntheticArt.strokes(pages: 3, seed: 11)
        #expect(confidence((art.page(at: 0), art.page(at: 340))) < 0.1)
    }

    @Test func pagesOfDifferentSizeCompare() {
        let art = SyntheticArt.strokes(seed: 12)
        #expect(confidence((art.page(at: 10), art.page(at: 312, enlarged: 2))) > 0.8)
    }

    @Test func reversedPagesHaveLowConfidence() {
        let (left, right) = SyntheticArt.strokes(seed: 11).cut()
        #expect(confidence((right, left)) < 0.1)
    }

    @Test(arguments: 21...24 as ClosedRange<UInt64>) func differentDrawingsHaveLowConfidence(seed: UInt64) {
        let (one, two) = (SyntheticArt.strokes(pages: 1, seed: seed), SyntheticArt.strokes(pages: 1, seed: seed + 100))
        #expect(confidence((one.page(at: 20), two.page(at: 20))) < 0.2)
    }

    @Test func whiteMarginsAreNeverAMatch() {
        let art = SyntheticArt.strokes(seed: 11)
        #expect(confidence((art.page(at: 10, margin: 12), art.page(at: 310, margin: 12))) < 1e-8)
        #expect(confidence((art.page(at: 10), art.page(at: 310, margin: 12))) < 1e-8)
    }

    @Test(arguments: [4, 128, 255]) func plainEdgesHaveNoConfidence(level: Int) {
        #expect(confidence(SyntheticArt(level).cut()) < 1e-8)
    }

    /// A sky that darkens alike on both pages is not a drawing across them.
    @Test func oneStepOfToneIsWeak() {
        var art = SyntheticArt(250)
        art.fill(PixelRect(x: 0, y: 200, width: art.size.width, height: 300), 120)
        #expect(confidence(art.cut()) < 0.3)
    }

    @Test(arguments: [31, 34, 37, 38] as [UInt64]) func panelsOfEqualHeightHaveLowConfidence(seed: UInt64) {
        var (one, two) = (SyntheticArt(pages: 1), SyntheticArt(pages: 1))
        one.panels([0, 90, 160, 270, 350, 446], seed: 10 * seed)
        two.panels([0, 90, 160, 270, 350, 446], seed: 1000 + 10 * seed)
        #expect(confidence((one.page(at: 20), two.page(at: 20))) < 0.3)
    }

    /// Old paper darkens in clouds, and so does the page that lay on it.
    @Test(arguments: [41, 42] as [UInt64]) func shadeOfOldPaperHasLowConfidence(seed: UInt64) {
        var art = SyntheticArt.strokes(seed: seed)
        art.fill(PixelRect(x: 290, y: 0, width: 40, height: art.size.height), 245)
        for y in 0..<art.size.height {
            let shade = Int(24 * SyntheticArt.wave(y, 90 + Int(seed)) + 14 * SyntheticArt.wave(y + 31, 41))
            for x in 290..<330 { art.fill(PixelRect(x: x, y: y, width: 1, height: 1), 225 - shade) }
        }
        #expect(confidence((art.page(at: 10), art.page(at: 310))) < 0.1)
    }

    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 900), PixelSize(width: 900, height: 2),
    ])
    func thePagesMayBeTiny(size: PixelSize) {
        let samples = (0..<size.area).map { UInt8($0 * 37 % 256) }
        let page = PageEdges(
            PagePreview(raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: size))
        #expect((0...1).contains(confidence((page, page))))
    }

    /// The page is a pixel narrower on either side than the examined area.
    @Test func pixelsBeyondThePageAreIgnored() {
        let art = SyntheticArt.strokes(seed: 11)
        func look(_ first: Int) -> PageEdges {
            let size = PixelSize(width: SyntheticArt.page.width + 2, height: SyntheticArt.page.height)
            var samples: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isBeyond = x == 0 || x == size.width - 1
                    let level = isBeyond ? y % 2 * 255 : art.levels[(y + 10) * art.size.width + first + x - 1]
                    samples.append(UInt8(level))
                }
            }
            return PageEdges(
                PagePreview(
                    raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: SyntheticArt.page,
                    start: (-1, 0)))
        }
        let (left, right) = art.cut()
        #expect(look(10).right.levels == left.right.levels)
        #expect(look(310).left.levels == right.left.levels)
    }

    @Test("Edges of which only the levels agree are not joined")
    func alikeLevelsAreNotADrawing() {
        // Pages 30 and 31 of an open comic, whose panels have the same heights and dark parts in the same order.
        let panels = SeamEvidence(
            strokes: 1.01, middle: 0.68, large: 0.58, slants: -2.31, slantPeak: 0.03, closeness: 4.72, places: 2.02,
            sum: 3.37)
        #expect(ArtSeam.probability(Double(panels.odds)) < SeamLimits.Pairs.minimumConfidence)
        let drawing = SeamEvidence(
            strokes: 2.01, middle: 0.68, large: 0.58, slants: -2.31, slantPeak: 0.03, closeness: 4.72, places: 2.02,
            sum: 3.37)
        #expect(ArtSeam.probability(Double(drawing.odds)) > SeamLimits.Pairs.minimumConfidence)
    }
}
