import Testing

@testable import PDFSource

@Suite struct CalculatorFunctionTests {
    @Test(
        arguments: [
            ("{0 exch 0 exch 0 exch}", [0, 0, 0, 0.5]), ("{ 1 exch sub dup dup }", [0.5, 0.5, 0.5]),
            ("{dup .5 mul exch -2 mul neg}", [0.25, 1]), ("{1 2 3 4 1 roll}", [3, 0.5, 1, 2]),
            ("{7 1 index}", [0.5, 7, 0.5]),
            ("{1 2 2 copy pop add}", [0.5, 1, 3]), ("{pop}", []), ("{1\r\n2 0 2 roll}", nil), ("{dup 3 copy}", nil),
            ("{dup 0 gt {pop 1} if}", nil), ("{pop pop}", nil), ("{1 % one\n}", nil), ("{nothing}", nil), ("1", nil),
            ("{1e400 -1 roll}", nil), ("{add}", nil), ("{3 index}", nil),
        ] as [(String, [Double]?)])
    func programsAreCalculated(_ code: String, _ expected: [Double]?) {
        #expect(CalculatorFunction(Array(code.utf8))?.value(of: 0.5) == expected)
    }

    @Test func stackHasALimit() {
        let copies = String(repeating: "1 copy ", count: 200)
        #expect(CalculatorFunction(Array("{\(copies)}".utf8))?.value(of: 1) == nil)
    }
}
