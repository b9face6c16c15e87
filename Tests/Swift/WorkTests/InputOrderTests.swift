import PageModel
import Testing
import Work

@Suite struct InputOrderTests {
    @Test(arguments: [
        ("vol1 vol10 vol2", "vol1 vol2 vol10"), ("a/1.pdf a/10.pdf a/9.pdf", "a/1.pdf a/9.pdf a/10.pdf"),
        // In most locales a glob takes no account of case.
        ("Vol1 vol10 Vol2", "Vol1 Vol2 vol10"),
    ])
    func globbedInputsAreTakenInNaturalOrder(_ given: String, _ wanted: String) {
        let arranged = InputOrder.arrange(words(given), nil)
        #expect(arranged.inputs == words(wanted))
        #expect(arranged.note?.english.contains("--order given") == true)
        #expect(arranged.movesNumbers)
    }

    /// Upper and lower case in another order than that of bytes surprises nobody.
    @Test func movedLettersAloneAreNotMovedNumbers() {
        let letters = InputOrder.arrange(words("B.pdf a.pdf"), nil)
        #expect(letters.inputs == words("a.pdf B.pdf"))
        #expect(letters.note != nil && !letters.movesNumbers)
        let both = InputOrder.arrange(words("B1.pdf B10.pdf B2.pdf a.pdf"), nil)
        #expect(both.movesNumbers && both.note?.english.contains("B2.pdf before B10.pdf") == true)
    }

    @Test(arguments: [
        "vol10 vol2 vol1", "vol2 vol1 vol10", "vol1 vol2 vol10", "vol1 vol1", "- vol10 vol2", "vol1", "/z/part2 ch1",
    ])
    func typedInputsKeepTheirOrder(_ given: String) {
        let arranged = InputOrder.arrange(words(given), nil)
        #expect(arranged.inputs == words(given))
        #expect(arranged.note == nil)
    }

    @Test func anOrderAskedForHoldsOfAnyInputs() {
        #expect(InputOrder.arrange(words("vol1 vol10 vol2"), .given).inputs == words("vol1 vol10 vol2"))
        #expect(InputOrder.arrange(words("vol10 vol2 vol1"), .natural).inputs == words("vol1 vol2 vol10"))
        #expect(InputOrder.arrange(words("vol1 vol10 vol2"), .natural).note == nil)
    }

    /// Names that look alike to Unicode are two files, of which neither may be lost.
    @Test func noInputIsLost() {
        let given = ["e\u{301}.pdf", "\u{e9}.pdf", "10.pdf", "2.pdf"]
        let arranged = InputOrder.arrange(given, .natural).inputs
        #expect(arranged.map { Array($0.utf8) }.count == 4)
        #expect(Set(arranged.map { Array($0.utf8) }) == Set(given.map { Array($0.utf8) }))
    }

    private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
