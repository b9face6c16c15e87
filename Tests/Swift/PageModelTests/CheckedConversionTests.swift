import PageModel
import Testing

@Suite struct CheckedConversionTests {
    @Test(
        arguments: [
            (0, 0), (2.4, 2), (-2.5, -3), (0x1p62, 1 << 62), (0x1p63, nil), (-0x1p63, .min), (1e300, nil), (.nan, nil),
            (.infinity, nil), (-.infinity, nil),
        ] as [(Double, Int?)])
    func onlyValuesInRangeAreConverted(_ value: Double, _ whole: Int?) {
        #expect(Int(checked: value) == whole)
    }

    @Test func aRangeNarrowsIt() {
        #expect(Int(checked: 9.6, in: 0...10) == 10)
        #expect(Int(checked: 10.6, in: 0...10) == nil)
        #expect(Int(checked: -0.6, in: 0...10) == nil)
    }

    @Test(
        arguments: [
            (4.6, 5), (-1, 0), (11, 10), (1e300, 10), (-1e300, 0), (.infinity, 10), (-.infinity, 0), (.nan, 0),
        ] as [(Double, Int)])
    func valuesOutOfRangeAreClamped(_ value: Double, _ whole: Int) {
        #expect(Int(clamping: value, to: 0...10) == whole)
    }
}
