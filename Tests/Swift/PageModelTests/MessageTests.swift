import PageModel
import Testing

/// Messages as patterns and values, and their translation.
@Suite struct MessageTests {
    private static let translations = [
        "{0} of {1} pages are damaged": "{1}のうち{0}", "{0} and {1}": "{0}と{1}", ", ": "、", "left": "左",
        "on the {0}": "{0}側",
    ]

    private static func translated(_ message: Message) -> String { message.text { translations[$0] ?? $0 } }

    @Test func aLiteralKeepsItsPatternAndValues() {
        let message: Message = "\(3) of \(40) pages are damaged"
        #expect(message.pattern == "{0} of {1} pages are damaged" && message.values == [.text("3"), .text("40")])
        #expect(message.english == "3 of 40 pages are damaged")
        #expect(Self.translated(message) == "40のうち3")
    }

    @Test func anInterpolatedMessageIsTranslatedToo() {
        let side: Message = "left"
        #expect(Self.translated("on the \(side)") == "左側")
        let name = "left"
        #expect(Self.translated("on the \(name)") == "left側")
    }

    /// Bracketed numbers of names must not be taken for places.
    @Test func valuesAreNotPatterns() {
        let name = "a{1}b{0}.jpg"
        let message: Message = "\(name): \(Message(verbatim: "{0}"))"
        #expect(message.english == "a{1}b{0}.jpg: {0}")
        #expect(Message(pattern: "no value {7} {x").english == "no value {7} {x")
    }

    @Test func joinedLiteralsAreOnePattern() {
        let message: Message = "\(1) of " + "\(2) pages are damaged"
        #expect(message.pattern == "{0} of {1} pages are damaged")
        #expect(Self.translated(message) == "2のうち1")
    }

    @Test(arguments: [(0, ""), (1, "a"), (2, "aとb"), (3, "a、bとc")])
    func listsAreTranslated(count: Int, text: String) {
        let list = ["a", "b", "c"].prefix(count).map(Message.init(verbatim:))
        #expect(Self.translated(list.listed()) == text)
    }

    @Test func messagesAreEqualIfTheySayTheSame() {
        let (one, other): (Message, Message) = ("page \(1)", "page 1")
        #expect(one == other && Set([one, other]).count == 1)
    }
}
