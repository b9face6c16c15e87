import PageModel
import Testing

@testable import LayoutAnalysis

/// Printed page numbers and running heads.
@Suite struct NumberTests {
    /// A page of ten lines of letters, which is 620 pixels wide.
    private func page() -> SyntheticPicture {
        var picture = SyntheticPicture(620, 880)
        for line in 0..<10 { picture.line(40, x: 80, y: 200 + 24 * line, step: 11) }
        return picture
    }

    private func firstLine(_ picture: SyntheticPicture) -> FirstLine? {
        var ink = ForegroundMask(picture.raster, PaperTone(picture.raster), edge: 24)
        _ = Grouping(&ink, ink.blobs.map { _ in true }, size: picture.size, cell: 4)
        let text = ink.blobs.map(\.box).filter { $0.top >= 200 }
        return Bounds.union(text).flatMap { FirstLine(ink.blobs, letter: 12, text: $0, skew: 0) }
    }

    private func separate(_ picture: SyntheticPicture) -> [TextLineItem] {
        var ink = ForegroundMask(picture.raster, PaperTone(picture.raster), edge: 24)
        let groups = Grouping(&ink, ink.blobs.map { _ in true }, size: picture.size, cell: 4).groups
        return SeparateLines(groups, unit: PageFraction.pixels(of: picture.size)).strips(skew: 0)
    }

    @Test func numbersAtTheOuterEndsAreMarks() {
        var picture = page()
        picture.line(2, x: 80, y: 830)
        picture.line(3, x: 500, y: 60)
        let found = NumberMark.all(on: picture.raster)
        #expect(found.map(\.isAtTop) == [true, false])
        #expect(found.map(\.side) == [.right, .left])
        #expect(abs((found.first?.verticalPosition ?? 0) - 66.0 / 880) < 1e-9)
        #expect(abs((found.last?.horizontalPosition ?? 0) - 89.5 / 620) < 1e-9)
    }

    /// In the middle, as long as a word, or cut by the edge.
    @Test func otherMarksAreNotNumbers() {
        for (count, x, y) in [(2, 300, 60), (6, 80, 60), (2, 80, 0), (1, 612, 60)] {
            var picture = page()
            picture.line(count, x: x, y: y)
            #expect(NumberMark.all(on: picture.raster).isEmpty)
        }
        #expect(NumberMark.all(on: SyntheticPicture(1, 1).raster).isEmpty)
        #expect(NumberMark.all(on: SyntheticPicture(65, 4).raster).isEmpty)
    }

    @Test func anItemAboveTheTextIsSeparate() throws {
        var picture = page()
        picture.line(2, x: 80, y: 150)
        let strips = separate(picture)
        let number = try #require(strips.first)
        #expect(strips.count == 1 && number.isAtTop && number.isNumberLike && number.blobCount == 2)
        #expect(number.box.rect == PixelRect(x: 80, y: 150, width: 19, height: 12))
        #expect(separate(page()).isEmpty)
        #expect(SeparateLines([], unit: 1).strips(skew: 0).isEmpty)
    }

    @Test func aNumberAndAHeadAreTheFirstLine() throws {
        var picture = page()
        picture.line(2, x: 80, y: 176)
        picture.line(14, x: 240, y: 176)
        let strips = try #require(firstLine(picture)).strips
        #expect(strips.map(\.isNumberLike) == [true, false])
        #expect(strips.map(\.box.left) == [80, 240])
        #expect(strips.map(\.blobCount) == [2, 14])
        // The first line of the text itself is neither.
        #expect(firstLine(page()) == nil)
    }

    /// A rule above a head and its number is wider than both.
    @Test func rulesAreNotTheCoreOfAHead() throws {
        var picture = page()
        picture.fill(80, 168, 440, 2)
        picture.line(2, x: 80, y: 176)
        picture.line(14, x: 240, y: 176)
        let strips = try #require(firstLine(picture)).strips
        let head = try #require(strips.last)
        #expect(strips.map(\.isNumberLike) == [true, false] && strips.first?.box.width == 19)
        #expect(head.box.left == 80 && head.core?.left == 240)
        let candidates = strips.map { strip in
            Candidate(strip, rect: strip.box.rect, core: strip.core?.rect)
        }
        #expect(candidates[1].rect(without: [candidates[0]]).x == 240)
        #expect(candidates[1].rect(without: []).x == 80)
    }

    /// "( 12 )", and the same marks as close as letters.
    @Test(arguments: [(8, true), (2, false)]) func bracketsShowANumber(_ blank: Int, _ isInBrackets: Bool) throws {
        var picture = page()
        let x = 296
        picture.fill(x - blank - 4, 170, 4, 18)
        picture.line(2, x: x, y: 173)
        picture.fill(x + 19 + blank, 170, 4, 18)
        let strips = try #require(firstLine(picture)).strips
        #expect(strips.count == 1 && strips[0].isNumberLike && strips[0].isInBrackets == isInBrackets)
    }

    /// Letters at the same places are the same words, and other places are others.
    @Test func linesWithTheSameWordsAreAlike() {
        func shape(_ places: [Int]) -> LineShape {
            var picture = SyntheticPicture(620, 100)
            for place in places { picture.fill(40 + place, 40, 8, 12) }
            let blobs = ForegroundMask(picture.raster, PaperTone(picture.raster), edge: 4).blobs
            return LineShape(blobs, in: Bounds(left: 40, top: 40, right: 260, bottom: 52), letter: 12)
        }
        let words = [0, 11, 22, 60, 71, 120, 131, 142, 153, 200, 211]
        #expect(shape(words).isLike(shape(words)))
        #expect(shape(words).isLike(shape(words.map { $0 + 1 })))
        #expect(!shape(words).isLike(shape([0, 30, 41, 52, 90, 101, 112, 170, 181, 211])))
    }

    /// A number at the same place, or at its mirror image, on the pages around.
    @Test func itemsThatRepeatArePageFurniture() {
        func items(_ x: Int, y: Int = 40) -> PageItems {
            let box = Bounds(left: x, top: y, right: x + 20, bottom: y + 12)
            let strip = TextLineItem(members: [0], box: box, blobCount: 2, isAtTop: true)
            return PageItems(
                size: PixelSize(width: 600, height: 900), isPrinted: true,
                candidates: [Candidate(strip, rect: box.rect)], ambiguous: [], letterHeight: nil)
        }
        let furniture = PageFurniture([items(60), items(520), nil, items(60), items(520), items(300, y: 90)])
        #expect(furniture.numbers.map(\.count) == [1, 1, 0, 1, 1, 0])
        #expect(furniture.heads.allSatisfy { $0.isEmpty })
        let none: [PageItems?] = []
        #expect(PageFurniture(none).numbers.isEmpty)
    }
}
