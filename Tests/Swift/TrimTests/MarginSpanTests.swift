import Testing

@testable import Trim

@Suite struct MarginSpanTests {
    private func starts(
        _ spans: [(Int, Int)], margin: Int, within whole: Int = 1000, step: Int = 1, first: Int = 0
    ) -> (starts: [Int], length: Int) {
        let spans = spans.map { MarginSpan($0.0, $0.1, margin: margin, within: whole) }
        var length = spans.map(\.length).max() ?? 0
        return (MarginSpan.starts(spans, length: &length, step: step, first: first), length)
    }

    @Test func withoutAGridTheSpanIsInTheMiddle() {
        #expect(starts([(100, 200)], margin: 10) == ([90], 120))
        #expect(starts([(100, 200), (300, 380)], margin: 10) == ([90, 280], 120))
    }

    @Test func theMarginsEndWithThePage() {
        #expect(starts([(3, 200)], margin: 10) == ([0], 210))
        #expect(starts([(900, 995)], margin: 10) == ([890], 110))
        #expect(starts([(0, 1000)], margin: 10, step: 16) == ([0], 1000))
    }

    /// Up to half a margin goes from one side to the other; more is kept only when that is not enough.
    @Test(arguments: [
        (106, 0, 96, 120), (103, 0, 96, 120), (111, 0, 96, 120), (112, 0, 96, 121), (116, 0, 96, 125),
        (117, 0, 112, 120),
        (98, 8, 88, 120),
    ])
    func theGridIsReached(_ start: Int, _ first: Int, _ kept: Int, _ length: Int) {
        let result = starts([(start, start + 100)], margin: 10, step: 16, first: first)
        #expect(result.starts == [kept] && result.length == length)
        #expect(result.starts[0] <= start - 5 && result.starts[0] + result.length >= start + 105)
    }

    /// Whatever the spans: on the grid, of one length, with half a margin at least, and not much longer.
    @Test func nothingIsEverCut() {
        for start in 20..<60 {
            for width in [50, 61, 77] {
                for (step, first) in [(8, 3), (16, 0), (32, 31)] {
                    let spans = [(start, start + 70), (40, 40 + width)]
                    let result = starts(spans, margin: 6, step: step, first: first)
                    #expect(result.length <= max(70, width) + 12 + step)
                    for (span, start) in zip(spans, result.starts) {
                        #expect(start == 0 || (start - first).isMultiple(of: step))
                        #expect(start <= span.0 - 3 && start + result.length >= span.1 + 3)
                    }
                }
            }
        }
    }
}
