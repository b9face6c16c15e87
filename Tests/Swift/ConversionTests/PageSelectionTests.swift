import Conversion
import PageModel
import Scratch
import Testing

@Suite struct PageSelectionTests {
    private func pages(_ text: String, of count: Int) throws -> [Int] {
        try PageSelection(text).apply(to: Sample.pages(count)).pages.map(\.id)
    }

    @Test(arguments: [
        ("7", [7]),
        ("2-5", [2, 3, 4, 5]),
        ("2..5", [2, 3, 4, 5]),
        ("5-2", [5, 4, 3, 2]),
        ("5..2", [5, 4, 3, 2]),
        ("..3", [1, 2, 3]),
        ("..20", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("8..", [8, 9, 10]),
        ("-1", [10]),
        ("-3..", [8, 9, 10]),
        ("..-8", [1, 2, 3]),
        ("-2..-4", [9, 8, 7]),
        ("-3--1", [8, 9, 10]),
        ("3--7", [3, 4]),
        ("odd", [1, 3, 5, 7, 9]),
        ("even", [2, 4, 6, 8, 10]),
        ("all", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("3,1,2", [3, 1, 2]),
        ("1,1,1-2,2", [1, 2]),
        ("5,all", [5, 1, 2, 3, 4, 6, 7, 8, 9, 10]),
        ("1-3, 9 , -1", [1, 2, 3, 9, 10]),
        ("1-2,odd,-3..", [1, 2, 3, 5, 7, 9, 8, 10]),
    ])
    func grammar(_ text: String, _ expected: [Int]) throws {
        #expect(try pages(text, of: 10) == expected)
    }

    @Test(arguments: [
        "", ",", "1,", ",1", "0", "1-0", "a", "1..2..3", "1-2-3", "..", "1.5", "+1", "--1", "odds", "1;2", "－１",
    ])
    func invalidSyntaxIsRejected(_ text: String) {
        let error = #expect(throws: AdapterError.self) { try PageSelection(text) }
        #expect(error?.code == .usage)
        #expect(error?.message.english.hasPrefix("--pages has an invalid item '") == true)
        #expect(error?.hint?.english.contains("1-10,15,odd,-3..") == true)
    }

    @Test(arguments: [
        ("11", 10, "--pages 11 selects page 11, and there are 10 pages"),
        ("5-11", 10, "--pages 5-11 selects page 11, and there are 10 pages"),
        ("-11", 10, "--pages -11 selects page -11, and there are 10 pages"),
        ("2..", 1, "--pages 2.. selects page 2, and there is 1 page"),
        ("9999999", 3, "--pages 9999999 selects page 9999999, and there are 3 pages"),
    ])
    func aPageThatIsNotThereIsNamed(_ text: String, _ count: Int, _ message: Message) {
        let error = #expect(throws: AdapterError.self) { try pages(text, of: count) }
        #expect(error?.code == .usage)
        #expect(error?.message == message)
    }

    @Test func nothingCanBeChosenFromNothing() throws {
        for text in ["all", "odd", "even"] { #expect(try pages(text, of: 0) == []) }
        for text in ["1", "-1", "..1", "1.."] { #expect(throws: AdapterError.self) { try pages(text, of: 0) } }
    }

    /// A book without any selected page is not damaged.
    @Test func aChoiceOfNothingIsRefused() {
        let error = #expect(throws: AdapterError.self) { try pages("even", of: 1) }
        #expect(error?.code == .usage && error?.message == "--pages even does not select its 1 page")
    }

    @Test func outlineKeepsEntriesOfSelectedPages() throws {
        var sequence = Sample.pages(5)
        sequence.book.outline = [
            OutlineItem(title: "Part", page: nil, level: 0), OutlineItem(title: "One", page: 1, level: 1),
            OutlineItem(title: "Four", page: 4, level: 1),
        ]
        let chosen = try PageSelection("3-4").apply(to: sequence)
        #expect(chosen.book.outline.map(\.title) == ["Part", "Four"])
    }

    /// For any selection: every page at most once, only existing pages, and in the order of the selection.
    @Test func everyPageComesOnce() throws {
        var random = SplitMix(seed: 2)
        let words = ["odd", "even", "all"]
        for _ in 0..<500 {
            let count = Int.random(in: 2...30, using: &random)
            func number() -> Int {
                let page = Int.random(in: 1...count, using: &random)
                return Bool.random(using: &random) ? page : page - count - 1
            }
            let parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                switch Int.random(in: 0..<5, using: &random) {
                case 0: "\(number())"
                case 1: "\(number())..\(number())"
                case 2: "..\(number())"
                case 3: "\(number()).."
                default: words.randomElement(using: &random) ?? "all"
                }
            }
            let text = parts.joined(separator: ",")
            let chosen = try pages(text, of: count)
            #expect(chosen.count == Set(chosen).count, "\(text) of \(count)")
            #expect(chosen.allSatisfy((1...count).contains), "\(text) of \(count)")
            var expected: [Int] = []
            for part in parts { expected += try pages(part, of: count).filter { !expected.contains($0) } }
            #expect(chosen == expected, "\(text) of \(count)")
        }
    }
}
