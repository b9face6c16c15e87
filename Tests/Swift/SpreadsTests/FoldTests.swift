import PageModel
import Testing

@testable import Spreads

/// The place at which a scan of two facing pages is cut.
@Suite struct FoldTests {
    /// Two text blocks; the gap between them is from 260 to 340 of 600 columns.
    private static func texts(_ left: Range<Int> = 40..<262, _ right: Range<Int> = 340..<562) -> SyntheticSpread {
        var spread = SyntheticSpread()
        spread.text(left, 40..<360)
        spread.text(right, 40..<360)
        return spread
    }

    private func isNear(_ place: Double, _ column: Int, of width: Int = 600) -> Bool {
        abs(place - (Double(column) + 0.5) / Double(width)) < 0.01
    }

    @Test(arguments: [(270, 0, 40), (285, 12, 20), (320, 30, 30), (331, 1, 60)])
    func aShadeIsTheFold(_ fold: Int, _ reach: Int, _ depth: Int) {
        var spread = FoldTests.texts()
        spread.shade(fold, depth: depth, reach: reach)
        let found = Fold(spread.raster)
        #expect(isNear(found.place, fold), "\(found)")
        #expect(found.evidence == .line)
        #expect(!found.isCrossed)
    }

    @Test(arguments: [-1, 1]) func aShadeOfOneSideIsDarkestAtTheFold(_ side: Int) {
        var spread = FoldTests.texts()
        spread.shade(310, depth: 35, reach: 25, sides: side)
        #expect(isNear(Fold(spread.raster).place, 310))
    }

    @Test(arguments: [-0.04, 0.04]) func slantedFoldIsLocatedAtMidHeight(_ slope: Double) {
        var spread = SyntheticSpread(width: 900, height: 600)
        spread.text(60..<400, 60..<540)
        spread.text(500..<840, 60..<540)
        spread.shade(430, depth: 40, reach: 1, slope: slope)
        let found = Fold(spread.raster)
        #expect(isNear(found.place, 430, of: 900), "\(found)")
        #expect(found.evidence == .line)
    }

    /// A spread made of two pages whose margins differ is cut where they met.
    @Test func theMiddleIsTakenWhereItIsWellWithinTheGap() {
        let found = Fold(FoldTests.texts(40..<262, 350..<562).raster)
        #expect(found.place == 0.5)
        #expect(found.evidence == .gap)
        #expect(!found.isCrossed)
    }

    @Test func aGapOffTheMiddleIsCutInItsOwn() {
        let found = Fold(FoldTests.texts(20..<226, 290..<562).raster)
        #expect(isNear(found.place, 258), "\(found)")
        #expect(found.evidence == .gap)
    }

    /// A page whose art reaches its edge in one place only was put next to another.
    @Test func artThatEndsAtTheMiddleEndsThePage() {
        var spread = SyntheticSpread(255)
        spread.fill(40..<300, 220..<300, 120)
        spread.text(340..<562, 40..<360)
        #expect(Fold(spread.raster).place == 0.5)
    }

    @Test func besideABlankPageTheMiddleIsTheFold() {
        var spread = SyntheticSpread()
        spread.text(340..<562, 40..<360)
        #expect(Fold(spread.raster).place == 0.5)
        #expect(Fold(SyntheticSpread().raster).place == 0.5)
    }

    /// Frames are dark and straight, but end before the page does.
    @Test func framesAreNotMistakenForFolds() {
        var spread = SyntheticSpread(255)
        for rows in [30..<200, 208..<370] {
            spread.frame(30..<276, rows)
            spread.frame(324..<570, rows)
        }
        let found = Fold(spread.raster)
        #expect(found.place == 0.5)
        #expect(found.evidence == .gap)
    }

    /// The fold is at the art's edge, not in the middle of the white next to it.
    @Test func artThatBleedsEndsAtTheFold() {
        var spread = SyntheticSpread()
        spread.fill(0..<280, 0..<400, 150)
        spread.drawing(0..<280)
        spread.text(340..<562, 40..<360)
        let found = Fold(spread.raster)
        #expect(isNear(found.place, 280), "\(found)")
        #expect(found.evidence == .line)
        #expect(!found.isCrossed)
    }

    @Test func otherPaperBeginsAtTheFold() {
        var spread = SyntheticSpread()
        spread.fill(312..<600, 0..<400, 205)
        spread.text(40..<262, 40..<360)
        #expect(isNear(Fold(spread.raster).place, 312))
    }

    @Test func blackPagesAreParted() {
        var spread = SyntheticSpread(40)
        spread.text(40..<262, 40..<360, 230)
        spread.text(340..<562, 40..<360, 230)
        #expect(Fold(spread.raster).place == 0.5)
        spread.shade(310, depth: 40, reach: 8)
        #expect(isNear(Fold(spread.raster).place, 310))
    }

    @Test(arguments: 1...6) func aDrawingOverTheFoldIsOnePicture(_ seed: UInt64) {
        var spread = SyntheticSpread(seed: seed)
        spread.drawing(0..<600, strokes: 70)
        #expect(Fold(spread.raster).isCrossed, "without a fold")
        spread.shade(290, depth: 50, reach: 4)
        let found = Fold(spread.raster)
        #expect(found.isCrossed, "\(found)")
        #expect(isNear(found.place, 290), "\(found)")
    }

    @Test(arguments: 1...6) func twoDrawingsThatMeetAtTheFoldAreTwoPages(_ seed: UInt64) {
        var spread = SyntheticSpread(seed: seed)
        spread.fill(0..<288, 0..<400, 190)
        spread.drawing(0..<288, strokes: 40)
        spread.drawing(288..<600, strokes: 40)
        #expect(!Fold(spread.raster).isCrossed, "without a shade")
        spread.shade(288, depth: 50, reach: 4)
        let found = Fold(spread.raster)
        #expect(!found.isCrossed, "\(found)")
        #expect(isNear(found.place, 288), "\(found)")
    }

    /// Frames of both pages that are in line do not make one picture of them.
    @Test func linesOfTheSameHeightDoNotCross() {
        var spread = SyntheticSpread()
        for rows in [40..<44, 350..<354] { spread.fill(20..<580, rows, 30) }
        spread.text(40..<270, 60..<340)
        spread.text(330..<562, 60..<340)
        spread.shade(300, depth: 50, reach: 3)
        #expect(!Fold(spread.raster).isCrossed)
    }

    /// The surface that a book lies on has edges of its own.
    @Test func areaBeyondTheBookIsIgnored() {
        var spread = FoldTests.texts()
        spread.shade(305, depth: 30, reach: 10)
        for rows in [0..<24, 380..<400] {
            spread.fill(0..<600, rows, 120)
            spread.fill(330..<345, rows, 15)
        }
        #expect(isNear(Fold(spread.raster).place, 305))
    }

    @Test(arguments: [300, 1200]) func theSizeOfThePictureMakesNoDifference(_ height: Int) {
        let scale = Double(height) / 400
        func at(_ column: Int) -> Int { Int(Double(column) * scale) }
        var spread = SyntheticSpread(width: at(600), height: height)
        spread.text(at(40)..<at(260), at(40)..<at(360))
        spread.text(at(340)..<at(560), at(40)..<at(360))
        #expect(Fold(spread.raster).place == 0.5)
        spread.shade(at(325), depth: 30, reach: at(10))
        #expect(isNear(Fold(spread.raster).place, at(325), of: at(600)))
    }

    @Test func spreadWithoutEvidenceIsCutInTheMiddle() {
        for (width, height) in [(1, 1), (63, 400), (200, 10), (64, 64), (4000, 64), (64, 3000)] {
            let found = Fold(SyntheticSpread(width: width, height: height).raster)
            #expect(found.place == 0.5)
            #expect(!found.isCrossed)
        }
        let bilevel = Raster(
            size: PixelSize(width: 80, height: 80), format: .gray(bits: 1), samples: [UInt8](repeating: 0, count: 800))
        #expect(Fold(bilevel).evidence == .middle)
    }
}
