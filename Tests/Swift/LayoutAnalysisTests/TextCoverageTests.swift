import PageModel
import Testing

@testable import LayoutAnalysis

/// The comparison of a page's text with its printed lines.
@Suite struct TextCoverageTests {
    private static let size = PixelSize(width: 600, height: 840)

    /// A page with ten lines of signs from 60 to 540 across, 50 pixels apart from 100 on, or with as many columns.
    private func strokes(isVertical: Bool = false) -> Strokes {
        let size = Self.size
        var samples = [UInt8](repeating: 235, count: size.area)
        for line in 0..<10 {
            for sign in 0..<30 {
                for y in 0..<12 {
                    for x in 0..<12 {
                        let (along, across) = (60 + sign * 16 + x, 100 + line * 45 + y)
                        samples[isVertical ? along * size.width + across : across * size.width + along] = 25
                    }
                }
            }
        }
        return Strokes(Raster(size: size, format: .gray(bits: 8), samples: samples))
    }

    private func area(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> PageArea {
        PageArea(left: left / 600, top: top / 840, right: right / 600, bottom: bottom / 840)
    }

    /// Text over these lines, a little higher than their print.
    private func text(_ lines: Range<Int>, isVertical: Bool = false, to end: Double = 540) -> [TextLine] {
        lines.map { line in
            let (low, high) = (Double(96 + line * 45), Double(116 + line * 45))
            return TextLine([
                TextWord("text", isVertical ? area(low, 60, high, end) : area(60, low, end, high))
            ])
        }
    }

    @Test(arguments: [false, true]) func halfOfTheLinesIsEnough(_ isVertical: Bool) {
        let strokes = strokes(isVertical: isVertical)
        func covers(_ text: [TextLine]) -> Bool { TextCoverage(text).covers(strokes, of: Self.size) }
        #expect(covers(text(0..<10, isVertical: isVertical)))
        #expect(covers(text(0..<6, isVertical: isVertical)))
        #expect(!covers(text(0..<4, isVertical: isVertical)))
        // Every line is covered, but only for a third.
        #expect(!covers(text(0..<10, isVertical: isVertical, to: 220)))
    }

    @Test func linesElsewhereAndDiagonalTextDoNotCount() {
        let foot = TextLine([TextWord("Source", area(60, 800, 540, 820))])
        let diagonal = TextLine([TextWord("LIBRARY", area(60, 90, 540, 570))])
        let pieces = (0..<8).map { step in
            let place = Double(60 + step * 60)
            return TextLine([TextWord("LI", area(place, place + 30, place + 60, place + 90))])
        }
        let coverage = TextCoverage([foot, diagonal] + pieces)
        #expect(!coverage.covers(strokes(), of: Self.size))
        #expect((coverage.share(of: strokes(), Self.size) ?? 1) < 0.01)
    }

    @Test func pageWithoutLinesNeedsNoText() {
        let blank = Raster(
            size: Self.size, format: .gray(bits: 8), samples: [UInt8](repeating: 235, count: Self.size.area))
        #expect(TextCoverage(text(0..<1)).share(of: Strokes(blank), Self.size) == nil)
        #expect(TextCoverage(text(0..<1)).covers(Strokes(blank), of: Self.size))
    }

    @Test func wordsAtTheSamePlaceAreNotAddedAgain() {
        let coverage = TextCoverage([
            TextLine([TextWord("Source", area(60, 800, 200, 820)), TextWord("gallica", area(210, 800, 300, 820))]),
            TextLine([TextWord("LIBRARY", area(60, 90, 540, 570))]),
        ])
        let recognized = [
            TextLine([TextWord("print", area(60, 100, 120, 112)), TextWord("below", area(130, 560, 200, 572))]),
            TextLine([TextWord("Sourcegallica", area(62, 803, 298, 817)), TextWord("12", area(500, 803, 520, 817))]),
            TextLine([TextWord("gallica", area(211, 802, 299, 818))]),
        ]
        #expect(coverage.adding(recognized).map(\.text) == ["print below", "12"])
        // A column is compared by its width.
        let column = TextLine([TextWord("縦書き", area(300, 60, 320, 400))], direction: .vertical)
        #expect(TextCoverage([column]).adding([column]).isEmpty)
        #expect(coverage.adding([column]) == [column])
    }

    @Test func manyHugeWordsTakeLittle() {
        let words = (0..<20_000).map { _ in TextWord("x", PageArea(left: -1e9, top: -1e9, right: 1e9, bottom: 1e9)) }
        let coverage = TextCoverage([TextLine(words)])
        #expect(!coverage.covers(strokes(), of: Self.size))
    }
}
