import AdapterKit
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

    @Test func numbers() {
        #expect(JSON.integer(.min).text == "-9223372036854775808")
        #expect(JSON.number(595).text == "595")
        #expect(JSON.number(595.28).text == "595.28")
        #expect(JSON.number(-0.5).text == "-0.5")
        #expect(JSON.number(1e300).text == "1e+300")
        #expect(JSON.number(.infinity).text == "null")
        #expect(JSON.number(.nan).text == "null")
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

    @Test func whatIsWrittenIsReadBack() {
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
        String(repeating: "[", count: 100_000),
    ])
    func otherTextIsNoJSON(_ text: String) {
        #expect(JSON(parsing: Array(text.utf8))?.text == nil)
    }
}
