import AdapterKit
import PageModel
import Testing

@testable import Trim

/// The length of a canvas, and its place on pages, in one dimension.
@Suite struct CanvasTests {
    private func axis(
        _ prints: [Range<Int>?], units: [Double]? = nil, whole: Int = 1000, step: Int = 1, margin: Int = 0
    ) -> CanvasAxis {
        let spans = prints.enumerated().map { index, print in
            let unit = units?[index] ?? 1
            return CanvasSpan(
                print: print, whole: Int(Double(whole) * unit), unit: unit, origin: 0, cuts: (0, step))
        }
        let pages = Dictionary(uniqueKeysWithValues: spans.enumerated().map { ($0.offset, $0.element) })
        var axis = CanvasAxis(pages, sides: [prints.indices.filter { prints[$0] != nil }], side: [:], isAcross: false)
        axis.extend(by: margin)
        axis.alignToGrids()
        return axis
    }

    private func stretches(_ axis: CanvasAxis, _ count: Int) -> [Range<Int>?] {
        (0..<count).map { axis.stretch(of: $0) }
    }

    @Test func theCanvasMovesWithItsPage() {
        let axis = axis([100..<600, 110..<610, 300..<800, 90..<590], margin: 20)
        #expect(axis.length == 540)
        #expect(stretches(axis, 4) == [80..<620, 90..<630, 280..<820, 70..<610])
    }

    /// Its print is not displaced, but begins lower or ends higher.
    @Test func shorterPrintStaysInItsPlace() {
        let usual = [Range<Int>?](repeating: 100..<600, count: 5)
        let axis = axis(usual + [104..<200, 400..<602, 300..<400, nil])
        #expect(stretches(axis, 9)[5...] == [104..<604, 102..<602, 100..<600, 100..<600])
    }

    @Test func theCanvasStaysOnThePage() {
        let prints: [Range<Int>?] = [400..<900, 400..<900, 400..<900, 480..<980, 500..<1000]
        let axis = axis(prints, margin: 30)
        #expect(axis.length == 560)
        #expect(stretches(axis, 5)[3...] == [440..<1000, 440..<1000])
    }

    @Test func pagesOfTwiceTheResolutionGetTwiceThePixels() {
        let axis = axis(
            [100..<600, 100..<600, 100..<600, 200..<1200], units: [1, 1, 1, 2], margin: 10)
        #expect(axis.length == 520 && axis.stretch(of: 3) == 180..<1220)
    }

    /// No more than one MCU is added so that all begin at one.
    @Test(arguments: [8, 16]) func allBeginAtAnMCU(_ step: Int) throws {
        let prints = (0..<24).map { Optional(100 + $0..<600 + $0) }
        let axis = axis(prints, step: step, margin: 12)
        #expect(axis.length < 524 + step)
        for (print, stretch) in zip(prints, stretches(axis, 24)) {
            let (print, stretch) = (try #require(print), try #require(stretch))
            #expect(stretch.count == axis.length && stretch.lowerBound.isMultiple(of: step))
            #expect(stretch.lowerBound <= print.lowerBound - 12 && stretch.upperBound >= print.upperBound + 12)
        }
    }

    /// Its length still is that of the other pages, although no MCU begins where the canvas would end with the page.
    @Test func printAtTheEndOfAPageGetsTheWholeLength() {
        let stretch = CanvasSpan(print: 600..<1005, whole: 1005, unit: 1, origin: 0, cuts: (0, 16))
            .widened(700, margin: 10)
        #expect(stretch == 304..<1005)
    }

    /// Landscape pages do not make the common length of portrait pages shorter.
    @Test func shorterPagesDoNotLimitTheOthers() {
        let prints: [Range<Int>] = [Range](repeating: 100..<900, count: 9) + [Range](repeating: 100..<600, count: 3)
        let spans = prints.enumerated().map { index, print in
            CanvasSpan(print: print, whole: index < 9 ? 1000 : 700, unit: 1, origin: 0, cuts: (0, 1))
        }
        var axis = CanvasAxis(
            Dictionary(uniqueKeysWithValues: spans.enumerated().map { ($0.offset, $0.element) }),
            sides: [Array(prints.indices)], side: [:], isAcross: false)
        axis.extend(by: 20)
        axis.alignToGrids()
        #expect(axis.length == 840 && axis.stretch(of: 0) == 80..<920)
        #expect(axis.stretch(of: 11) == 0..<700)
    }

    @Test func longerPrintIsNotCut() {
        let axis = axis(
            [100..<600, 100..<600, 100..<600, 100..<600, 50..<850], step: 16, margin: 10)
        #expect(axis.stretch(of: 4).map { $0.lowerBound == 32 && $0.upperBound == 860 } == true)
    }
}
