import Testing

@testable import PDFSource

/// The words of content streams.
@Suite struct ContentLexerTests {
    private func number(_ text: String) -> Double? {
        var lexer = ContentLexer(Array(text.utf8))
        guard case .number(let value)? = lexer.next() else { return nil }
        return value
    }

    @Test(arguments: [
        ("12", 12), ("-.5", -0.5), ("+4.", 4), ("0.125", 0.125), ("1.5.7", 1.5), ("3-4", 3),
        ("123456789.25", 123_456_789.25),
    ])
    func numbers(_ text: String, _ value: Double) {
        #expect(number(text) == value)
    }

    /// Of digits without end the first say what the number is.
    @Test(arguments: [0, 1, 400]) func longFractions(_ whole: Int) throws {
        let digits = String(repeating: "4", count: 400)
        let value = try #require(number(String(repeating: "0", count: whole) + "." + digits))
        #expect(abs(value - 4.0 / 9) < 1e-15)
        #expect(number("7" + digits + "." + digits) == .infinity)
    }
}
