import OrderedJSON
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        ("", #""""#),
        ("a\"b", #""a\"b""#),
        (#"C:\x"#, #""C:\\x""#),
        ("a/b", #""a/b""#),
        ("1\n2\t3\r", #""1\n2\t3\r""#),
        ("\u{0}\u{1F}\u{7F}", #""\u0000\u001f\u007f""#),
        ("\u{2028}\u{2029}", #""\u2028\u2029""#),
        // C1 controls, which terminals obey, and marks that turn the direction of the text around them.
        ("\u{80}\u{9B}31m\u{9F}\u{A0}", "\"\\u0080\\u009b31m\\u009f\u{A0}\""),
        ("\u{61C}\u{200D}\u{200E}\u{200F}", "\"\\u061c\u{200D}\\u200e\\u200f\""),
        ("\u{202A}\u{202E}\u{202F}\u{2066}\u{2069}", "\"\\u202a\\u202e\u{202F}\\u2066\\u2069\""),
        ("\u{E0001}", #""\udb40\udc01""#),
        // One character to Swift, two to JSON.
        ("\r\n", #""\r\n""#),
        ("自炊 ノンブル é", #""自炊 ノンブル é""#),
        ("e\u{301}", "\"e\u{301}\""),
        ("😀\u{FEFF}", "\"😀\u{FEFF}\""),
    ])
    func textIsEscaped(_ text: String, _ expected: String) {
        // Compared by scalars: Swift takes composed and decomposed letters for equal.
        #expect(Array(JSON.string(text).text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    /// A backslash or a quote is escaped even if another character combines with it.
    @Test func combiningCharactersDoNotPreventEscaping() {
        for mark in ["\u{300}", "\u{600}", "\u{200D}", "\u{FE0F}", "\u{110BD}", "\u{93E}"] {
            let text = "\(mark)\"\(mark)\\\(mark)"
            #expect(Array(JSON.string(text).text.utf8) == Array("\"\(mark)\\\"\(mark)\\\\\(mark)\"".utf8))
            #expect(
                JSON(parsing: Array(JSON.string(text).text.utf8))?.asString.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func numbers() {
        #expect(JSON.integer(.min).text == "-9223372036854775808")
        #expect(JSON.number(595).text == "595")
        #expect(JSON.number(595.28).text == "595.28")
        #expect(JSON.number(-0.5).text == "-0.5")
        #expect(JSON.number(1e300).text == "1e+300")
        #expect(JSON.number(.infinity).text == "null")
        #expect(JSON.number(.nan).text == "null")
        // A time in nanoseconds has more digits than a Double keeps.
        #expect(JSON(parsing: Array("1795902848609707895".utf8))?.asInteger == 1_795_902_848_609_707_895)
    }

    @Test func containersKeepTheirOrder() {
        let value: JSON = ["z": 1, "a": [true, false, "x", []], "e": [:]]
        #expect(value.text == #"{"z": 1, "a": [true, false, "x", []], "e": {}}"#)
        #expect(JSON(nil as String?).text == "null")
        #expect(JSON(nil as Int?).text == "null")
    }

    @Test func keysAreEscapedToo() {
        #expect(JSON.object([("a\"b", .null)]).text == #"{"a\"b": null}"#)
    }

    @Test func valuesRoundTrip() {
        let value: JSON = ["z": 1, "a": [true, .null, .number(0.25), "\u{1}\"自炊\\"], "e": [:]]
        #expect(JSON(parsing: Array(value.text.utf8))?.text == value.text)
        #expect(value["a"]?.elements?[2].asNumber == 0.25 && value["z"]?.asInteger == 1)
        #expect(value["z"]?.asString == nil && value["b"] == nil)
    }

    @Test(arguments: [
        ("[1, -2.5e1, 0.5]", "[1, -25, 0.5]"),
        ("\"a\\u00e9\\ud83d\\ude00\\n\"", "\"aé😀\\n\""),
        (" {\"a\" :\t{\"b\": [true,false,\nnull]}} ", "{\"a\": {\"b\": [true, false, null]}}"),
    ])
    func textIsRead(_ text: String, _ plain: String) {
        #expect(JSON(parsing: Array(text.utf8))?.text == plain)
    }

    @Test(arguments: [
        "", "[1,]", "{\"a\" 1}", "\"\\ud83d\"", "\"a", "01x", "tru", "[1] 2", "{\"a\":1,\"a\":2}", "\"\n\"", "nan",
    ])
    func invalidTextIsRejected(_ text: String) {
        #expect(JSON(parsing: Array(text.utf8))?.text == nil)
    }

    @Test func deeplyNestedTextIsRejected() {
        let isRead = JSON(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 100_000)) != nil
        #expect(!isRead)
    }

    /// For messages about a file that a person wrote.
    @Test func keysHaveLines() {
        let places = JSONPlaces(of: Array("{\n\"a\": 1, \"b\":\n[{},\n{\"c\": 2}]\n}".utf8))
        #expect(places.file("f", ["a"]) == "f:2" && places.file("f", ["b"]) == "f:2")
        #expect(places.file("f", ["b", "0"]) == "f:3" && places.file("f", ["b", "1", "c"]) == "f:4")
        #expect(JSONPlaces(of: Array("{\"a\": 1,\n\n}".utf8)).file("f") == "f:3")
        #expect(JSONPlaces(of: []).file("f") == "f:1")
    }
}
