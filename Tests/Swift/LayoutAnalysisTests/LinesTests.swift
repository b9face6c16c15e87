import PageModel
import Testing

@testable import LayoutAnalysis

/// The direction of text lines on a page.
@Suite struct LinesTests {
    /// - Parameter mark: whether a pixel is dark.
    private func lines(
        _ size: PixelSize = PixelSize(width: 600, height: 840), _ mark: (_ x: Int, _ y: Int) -> Bool
    ) -> Strokes.Lines? {
        var samples = [UInt8](repeating: 235, count: size.area)
        for y in 40..<size.height - 40 {
            for x in 40..<size.width - 40 where mark(x, y) { samples[y * size.width + x] = 25 }
        }
        return Strokes(Raster(size: size, format: .gray(bits: 8), samples: samples)).lines(of: size)
    }

    @Test func linesOfSignsAreFoundInBothDirections() {
        for (sign, gap, spacing) in [(12, 2, 10), (18, 3, 14), (22, 4, 24)] {
            let (along, across) = (sign + gap, sign + spacing)
            #expect(lines { x, y in x % across < sign && y % along < sign } == .vertical)
            #expect(lines { x, y in x % along < sign && y % across < sign } == .horizontal)
        }
    }

    @Test func aPageOfTwiceTheSizeIsReadAlike() {
        let size = PixelSize(width: 1200, height: 1680)
        #expect(lines(size) { x, y in x % 60 < 32 && y % 38 < 32 } == .vertical)
        #expect(lines(size) { x, y in y % 60 < 32 && x % 38 < 32 } == .horizontal)
    }

    @Test func linesThatLeanAreFound() {
        #expect(lines { x, y in (x + y / 60) % 28 < 14 && y % 17 < 14 } == .vertical)
    }

    @Test func patternsThatAreNotTextHaveNoLines() {
        #expect(lines { _, _ in false } == nil)
        // As far apart across as down.
        #expect(lines { x, y in x % 24 < 14 && y % 24 < 14 } == nil)
        // Rules, a screen of dots, and a few signs.
        #expect(lines { x, _ in x % 30 < 3 } == nil)
        #expect(lines { x, y in x % 5 < 2 && y % 5 < 2 } == nil)
        #expect(lines { x, y in x < 90 && x % 28 < 14 && y < 300 && y % 17 < 14 } == nil)
    }
}
