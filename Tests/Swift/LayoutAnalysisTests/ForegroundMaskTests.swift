import PageModel
import Testing

@testable import LayoutAnalysis

/// The ink on a page, and the parts of its marks.
@Suite struct ForegroundMaskTests {
    private func mask(_ picture: SyntheticPicture, edge: Int = 4) -> ForegroundMask {
        ForegroundMask(picture.raster, PaperTone(picture.raster), edge: edge)
    }

    @Test(arguments: [64, 97, 160]) func marksAreFoundWithTheirBoxesAndAreas(_ width: Int) {
        var picture = SyntheticPicture(width, 130, grain: 3)
        let rects = [
            PixelRect(x: 20, y: 20, width: 3, height: 9), PixelRect(x: width - 9, y: 40, width: 9, height: 2),
            PixelRect(x: 30, y: 70, width: 20, height: 20),
        ]
        for rect in rects { picture.fill(rect) }
        let blobs = mask(picture).blobs
        #expect(blobs.map(\.box.rect) == rects)
        #expect(blobs.map(\.area) == [27, 18, 400])
        // The last four columns are the edge that scanners darken.
        #expect(blobs.map(\.deepArea) == [27, 10, 400])
        #expect(blobs.allSatisfy { (208...218).contains($0.contrast) && $0.sharpness > 80 })
    }

    @Test func picturesWithoutInkHaveNoMarks() {
        for (width, height) in [(1, 1), (1, 70), (65, 1), (63, 129)] {
            let found = mask(SyntheticPicture(width, height))
            #expect(found.runs.isEmpty && found.blobs.isEmpty)
        }
    }

    /// A bar is as broad as it is thick, and an L is lopsided.
    @Test func shapesAreMeasured() throws {
        var picture = SyntheticPicture(200, 200)
        picture.fill(20, 20, 60, 4)
        picture.fill(100, 100, 60, 4)
        picture.fill(100, 104, 4, 56)
        let blobs = mask(picture).blobs
        try #require(blobs.count == 2)
        #expect(abs(blobs[0].breadth - 5) < 0.5 && blobs[0].lopsidedness < 0.01)
        #expect(blobs[1].breadth > 20 && blobs[1].lopsidedness > 0.2)
    }

    /// Two dark letters in a pale stain become marks of their own, from the top down.
    @Test func darkPartsOfAMarkAreSplit() {
        var picture = SyntheticPicture(200, 200, grain: 3)
        picture.fill(40, 40, 100, 60, 150)
        picture.fill(40, 110, 100, 2, 150)
        picture.fill(139, 100, 1, 10, 150)
        picture.fill(40, 50, 100, 4)
        picture.fill(40, 80, 100, 6)
        var ink = mask(picture)
        #expect(ink.blobs.count == 1)
        var isSplit = ink.splitDarkParts(of: [0], contrast: 180)
        #expect(isSplit && ink.blobs.count == 3)
        #expect(ink.blobs.dropFirst().map(\.box.rect.y) == [50, 80])
        // All of what is left is pale, and all of each new mark is dark.
        isSplit = ink.splitDarkParts(of: [0, 1, 2], contrast: 180)
        #expect(!isSplit && ink.blobs.count == 3)
    }

    /// A woodcut printed so far into the binding that it is connected with the dark area there: the part within is
    /// examined by itself.
    @Test func aPictureIsPartedFromTheEdge() {
        var picture = SyntheticPicture(620, 880, grain: 3)
        picture.fill(0, 0, 20, 880, 40)
        picture.fill(10, 480, 540, 340, 40)
        var ink = mask(picture, edge: 24)
        let woodcut = Bounds(left: 24, top: 480, right: 550, bottom: 820)
        #expect(!ink.blobs.contains { $0.box == woodcut })
        var hasNewBlobs = ink.splitFromEdges(picture.size, edge: 24)
        #expect(hasNewBlobs)
        #expect(ink.blobs.count { $0.box == woodcut } == 1)
        hasNewBlobs = ink.splitFromEdges(picture.size, edge: 24)
        #expect(!hasNewBlobs)
    }

    /// Letters a pixel apart are one group over cells of two pixels, and marks further away are not.
    @Test func marksNearEachOtherAreOneGroup() {
        var picture = SyntheticPicture(129, 65)
        picture.fill(20, 20, 4, 8)
        picture.fill(25, 20, 4, 12)
        picture.fill(90, 20, 4, 8)
        var ink = mask(picture)
        let groups = Grouping(&ink, [true, true, true], size: picture.size, cell: 2).groups
        #expect(groups.map(\.blobCount) == [2, 1])
        #expect(groups.map(\.area) == [80, 32])
        #expect(groups.first?.largest == 12 && groups.first?.longest.box.left == 25)
        #expect(ink.blobs.map(\.group) == [0, 0, 1])
        // A mark that does not take part has no group.
        var rest = mask(picture)
        #expect(Grouping(&rest, [true, false, true], size: picture.size, cell: 2).groups.map(\.blobCount) == [1, 1])
        #expect(rest.blobs.map(\.group) == [0, -1, 1])
    }
}

/// The paper of a page.
@Suite struct PaperTests {
    @Test func theLevelAndTheGrainOfPaperAreFound() {
        #expect(PaperTone(SyntheticPicture(300, 400, paper: 255).raster).isClean)
        let scan = PaperTone(SyntheticPicture(300, 400, paper: 200, grain: 8).raster)
        #expect(!scan.isClean && scan.isSeen && !scan.isDark && abs(scan.level - 200) <= 8)
        #expect(PaperTone(SyntheticPicture(300, 400, paper: 30).raster).isDark)
    }

    /// The paper, and a crumb of it on the dark ground around.
    @Test func onlyTheLargestIslandIsTheSheet() {
        var picture = SyntheticPicture(300, 400, paper: 40)
        picture.fill(60, 50, 180, 300, 230)
        picture.fill(276, 378, 12, 12, 230)
        let sheet = PaperSheet(picture.raster)
        #expect(sheet.isOnBackground && sheet.isEven)
        let box = sheet.box(in: picture.size)
        #expect(box.map { abs($0.left - 60) < 12 && abs($0.right - 240) < 12 && abs($0.bottom - 350) < 12 } == true)
    }

    @Test func aPageWithoutSurroundingsIsNotOnABackground() {
        for (width, height) in [(1, 1), (1, 4), (1, 5000), (10, 1), (800, 1), (64, 64), (65, 130)] {
            let sheet = PaperSheet(SyntheticPicture(width, height).raster)
            #expect(!sheet.isOnBackground && sheet.outsideShare == 0)
        }
    }
}
