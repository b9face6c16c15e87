import AdapterKit
import Conversion
import Testing

@testable import jisui

@Suite struct RegistryLintTests {
    /// Extensions that two sources or two sinks may both claim, and why.
    private static let shared: [String: String] = [:]
    /// Sources that need no fixtures of their own, and why.
    private static let fixtureless = ["folder": "the pictures in good/Imaging are its fixtures"]

    @Test func jisuisOwnCardsAreInOrder() throws {
        let lint = try RegistryLint(.jisui, shared: Self.shared, fixtureless: Self.fixtureless) {
            try Fixture.good("\(type(of: $0))").count
        }
        #expect(lint.diagnostics.isEmpty)
        #expect(lint.cardCount > 6)
        #expect(lint.settingCount > 2)
        #expect(lint.fixtureCount > 150)
    }

    /// Every row of a table of fixtures is about a file, or what it says is tested by nobody.
    @Test func theTablesSpeakOfFilesThatAreThere() throws {
        let pages = try Registry.jisui.sources.flatMap { try Fixture.good("\(type(of: $0))") }.map(\.pages)
        #expect(pages.count { $0 > 1 } > 15)
        let bad = try Registry.jisui.sources.flatMap { try Fixture.bad("\(type(of: $0))") }
        #expect(bad.count > 40)
        #expect(bad.count { !$0.mayPass } > 10)
    }

    /// The lint sees every fault it is for.
    @Test(arguments: [
        ([BrokenCard("a"), BrokenCard("a")], "two sources are called 'a'"),
        ([BrokenCard("a", extensions: ["x"]), BrokenCard("b", extensions: ["x"])], "both claim '.x'"),
        ([BrokenCard("a", extensions: [".X"])], "no plain extension"),
        ([BrokenCard("A b")], "no plain word"),
        ([BrokenCard("a", Setting("s", .text, valueName: "X", help: ""))], "needs a help"),
        ([BrokenCard("a", Setting("s", .text, valueName: "", help: "h"))], "no name for its value"),
        (
            [BrokenCard("a", Setting("s", .integer(1...2), default: "3", valueName: "X", help: "h"))],
            "impossible default"
        ),
        (
            [
                BrokenCard("a", Setting("s", .text, valueName: "X", help: "h")),
                BrokenCard("b", Setting("s", .text, valueName: "Y", help: "h")),
            ], "means something else"
        ),
        (
            [BrokenCard("a", Setting("s", .text, implied: "x", valueName: "X", help: "h"))], "impossible implied value"
        ),
    ])
    func aFaultIsSeen(_ sources: [BrokenCard], _ diagnostic: String) {
        let lint = RegistryLint(Registry(sources: sources, sinks: [])) { _ in 1 }
        #expect(lint.diagnostics.count == 1)
        #expect(lint.diagnostics.first?.contains(diagnostic) == true)
    }

    @Test func aMissingFixtureIsSeen() {
        let lint = RegistryLint(Registry(sources: [BrokenCard("a")], sinks: [])) { _ in 0 }
        #expect(lint.diagnostics == ["source 'a' has no good fixture"])
    }
}

/// A source that is nothing but its card.
struct BrokenCard: SourceAdapter {
    let card: AdapterCard

    init(_ id: String, extensions: [String] = [], _ settings: Setting...) {
        card = AdapterCard(id: id, summary: "test", extensions: extensions, settings: settings)
    }

    func recognise(_ probe: Probe) -> Recognition { .no }

    func open(_ input: Input, settings: Settings, limits: Limits) throws(AdapterError) -> OpenedBook {
        throw AdapterError(.unsupported, "is only a card")
    }
}
