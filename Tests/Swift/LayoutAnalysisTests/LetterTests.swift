import PageModel
import Testing

@testable import LayoutAnalysis

/// Letters, and the rows and lines that they form.
@Suite struct LetterTests {
    private let size = PixelSize(width: 620, height: 700)

    private func rows(_ picture: SyntheticPicture, isFree: (Bounds) -> Bool = { _ in true }) -> (Rows, [Bounds]) {
        let ink = ForegroundMask(picture.raster, PaperTone(picture.raster), edge: 24)
        let unit = PageFraction.pixels(of: picture.size)
        let boxes = ink.blobs.map(\.box)
        return (Rows(ink.blobs, boxes.map(isFree), size: picture.size, unit: unit), boxes)
    }

    @Test func aUnitIsAPartOfTheShorterSide() {
        #expect(PageFraction.pixels(of: size) == 1)
        #expect(PageFraction.pixels(of: PixelSize(width: 2000, height: 1240)) == 2)
        #expect(PageFraction.pixels(of: PixelSize(width: 0, height: 9)) == 0)
    }

    @Test func shapesHaveLimitsInTheirUnit() {
        let shape = LetterShape(
            heights: 3...10, widths: 0...30, extents: 4...20, maximumWidthRatio: Ratio(3, 2),
            maximumHeightRatio: Ratio(4, 1))
        func matches(_ width: Int, _ height: Int, unit: Double = 1) -> Bool {
            shape.matches(Bounds(left: 7, top: 9, right: 7 + width, bottom: 9 + height), unit: unit)
        }
        #expect(matches(6, 10) && matches(15, 10) && matches(4, 3) && matches(12, 20, unit: 2))
        // Too high, too low, too wide, too narrow, and too small in all directions.
        #expect(!matches(6, 11) && !matches(4, 2) && !matches(16, 10) && !matches(2, 10) && !matches(3, 3))
        #expect(!matches(6, 5, unit: 2))
        #expect(LetterShape().matches(Bounds(left: 0, top: 0, right: 1, bottom: 90_000), unit: 0.1))
        #expect(!shape.matches(Bounds(left: 0, top: 0, right: 1, bottom: 1), unit: 0))
    }

    @Test func lettersOfALineAreOneRow() {
        var picture = SyntheticPicture(620, 700)
        picture.line(6, x: 40, y: 100)
        picture.line(4, x: 300, y: 100)
        picture.line(3, x: 40, y: 140)
        picture.fill(40, 200, 200, 2)
        let (rows, boxes) = rows(picture)
        let lengths = boxes.map { box in box.height == 2 ? 0 : box.top > 120 ? 3 : box.left < 200 ? 6 : 4 }
        #expect(rows.length == lengths)
        for (one, first) in boxes.enumerated() where rows.length[one] > 0 {
            for (other, second) in boxes.enumerated() where rows.length[other] > 0 {
                let isOne = first.top == second.top && (first.left < 200) == (second.left < 200)
                #expect((rows.number[one] == rows.number[other]) == isOne)
            }
        }
    }

    @Test func charactersBelowEachOtherAreARowAsWell() {
        var picture = SyntheticPicture(620, 700)
        for index in 0..<5 { picture.fill(300, 100 + 16 * index, 12, 12) }
        #expect(rows(picture).0.length == [5, 5, 5, 5, 5])
    }

    @Test func marksThatAreNotFreeAreInNoRow() {
        var picture = SyntheticPicture(620, 700)
        picture.line(6, x: 40, y: 100)
        // The gap of a letter is wider than a space.
        var (rows, _) = rows(picture) { $0.left != 62 && $0.left != 73 }
        #expect(rows.length == [2, 2, 0, 0, 2, 2])
        rows.leave(0)
        #expect(rows.length == [1, 2, 0, 0, 2, 2])
    }

    @Test func lettersAreFoundWithTheirUsualHeight() throws {
        var picture = SyntheticPicture(620, 700)
        for line in 0..<8 { picture.line(30, x: 60, y: 60 + 30 * line) }
        // A rule, a dot, a word of joined letters and a picture.
        picture.fill(60, 400, 300, 3)
        picture.fill(400, 400, 2, 2)
        picture.fill(60, 450, 58, 12)
        picture.fill(60, 500, 90, 90)
        let letters = try #require(Letters(picture.raster))
        #expect(letters.height == 12)
        let pieces = letters.pieces { _, _ in 0 }
        #expect(pieces.count == 8 * 30 + 4)
        #expect(pieces.allSatisfy { $0.bottom - $0.top == 12 })
        let word = pieces.filter { $0.top == 450 }
        #expect(word.map(\.left) == [60, 74.5, 89, 103.5] && word.last?.right == 118)
        // On the flat page all of them are higher.
        #expect(letters.pieces { _, _ in -7 }.map(\.top) == pieces.map { $0.top - 7 })
        #expect(Letters(SyntheticPicture(64, 65).raster) == nil)
    }

    @Test func linesFollowTheLetters() throws {
        var picture = SyntheticPicture(620, 700)
        // Every letter is a pixel lower than the one before.
        for index in 0..<20 { picture.fill(60 + 11 * index, 100 + index, 8, 12) }
        picture.line(20, x: 60, y: 300)
        picture.line(5, x: 60, y: 400)
        picture.line(12, x: 500, y: 500)
        let letters = try #require(Letters(picture.raster))
        let pieces = letters.pieces { _, _ in 0 }
        let lines = TextLines(pieces, height: letters.height, width: 620, maximumGap: 2).lines
        // The third line is too short, and the fourth one reaches the edge of the page.
        #expect(lines.map(\.count) == [20, 20])
        #expect(lines.first?.last.map { $0.top } == 119)
        #expect(TextLines([], height: 12, width: 620, maximumGap: 2).lines.isEmpty)
    }
}
