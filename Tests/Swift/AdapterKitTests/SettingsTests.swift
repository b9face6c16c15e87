import AdapterKit
internal import PageModel
import Testing

@Suite struct SettingsTests {
    private let settings = [
        Setting("first", .integer(1...9), default: "3", valueName: "N", help: ""),
        Setting("kind", .choice(["a", "b"]), valueName: "KIND", help: ""),
        Setting("loud", .flag, valueName: "", help: ""),
        Setting("name", .text, valueName: "TEXT", help: ""),
    ]

    @Test func defaultsHoldUntilSomethingIsGiven() throws {
        let plain = try Settings(settings, given: [:])
        #expect(plain.integer("first") == 3)
        #expect(plain["kind"] == nil && plain["name"] == nil)
        #expect(!plain.flag("loud"))
        let given = try Settings(settings, given: ["first": "9", "kind": "b", "loud": "true", "name": ""])
        #expect(given.integer("first") == 9)
        #expect(given["kind"] == "b" && given["name"] == "")
        #expect(given.flag("loud"))
    }

    @Test func undeclaredSettingIsIgnored() throws {
        #expect(try Settings(settings, given: ["other": "x"])["other"] == nil)
    }

    /// The value of another adapter's option comes with the setting that reads it.
    @Test func aSettingReadsAnother() throws {
        let settings = [Setting("shape", .text, valueName: "TEXT", help: "", followsOption: "box")]
        let given = try Settings(settings, given: ["shape": "x", "box": "1x2"])
        #expect(given["box"] == "1x2" && given.given == ["shape": "x", "box": "1x2"])
        #expect(try Settings(settings, given: ["box": "1x2"])["box"] == nil)
        #expect(try Settings(settings, given: ["shape": "x"])["box"] == nil)
    }

    @Test(arguments: [
        ("first", "0", "--first takes a whole number from 1 to 9, not '0'"),
        ("first", "ten", "--first takes a whole number from 1 to 9, not 'ten'"),
        ("first", "", "--first takes a whole number from 1 to 9, not ''"),
        ("kind", "c", "--kind takes a, b, not 'c'"),
    ])
    func objections(_ name: String, _ value: String, _ message: Message) {
        let error = #expect(throws: AdapterError.self) { try Settings(settings, given: [name: value]) }
        #expect(error?.code == .usage)
        #expect(error?.message == message)
    }
}
