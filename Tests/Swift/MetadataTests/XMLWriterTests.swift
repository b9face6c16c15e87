import Metadata
import Testing

@Suite struct XMLWriterTests {
    @Test func textIsEscapedAndLegal() {
        let nasty = "a<b>&\"c'\u{0}\u{8}\u{1B}\u{FFFE}\u{FFFF}\u{85}\r\n\td\u{1F600}"
        #expect(XMLText.escaped(XMLText.clean(nasty)) == "a&lt;b&gt;&amp;&quot;c' d\u{1F600}")
        #expect(XMLText.escaped("a\r\u{1}\u{FFFF}b") == "a&#13;b")
    }

    /// Characters that combine with their neighbors form one `Character` with them.
    @Test(arguments: ["\u{300}", "\u{600}", "\u{200D}", "\u{FE0F}", "\u{1F1E6}", "\u{E33}", "\u{93E}", "\u{110BD}"])
    func combiningCharactersDoNotPreventEscaping(_ mark: String) {
        for sign in ["<", ">", "&", "\""] {
            for text in [mark + sign, sign + mark, mark + sign + mark] {
                let escaped = XMLText.escaped(text)
                #expect(!escaped.utf8.dropFirst().contains(UInt8(ascii: "<")))
                #expect(
                    !escaped.utf8.contains { [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\"")].contains($0) })
                #expect(XMLText.clean(text) == text)
            }
        }
    }

    /// Every symbol of ASCII before and after everything that can form one `Character` with it: all marks (Mn, Mc, Me),
    /// characters with the property Prepended_Concatenation_Mark, joiners and selectors.
    @Test func everySymbolIsEscapedNextToEveryMark() throws {
        let signs = (0x21...0x7E).compactMap { Unicode.Scalar(UInt32($0)) }.filter { !$0.properties.isAlphabetic }
        let marks = (0xA0...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }.filter { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
            case .otherLetter: (0xD4E...0xE33).contains(scalar.value) || (0x11000...0x12000).contains(scalar.value)
            default: (0x1F1E6...0x1F3FF).contains(scalar.value)
            }
        }
        #expect(marks.count > 2000)
        for mark in marks {
            var view = String.UnicodeScalarView()
            for sign in signs {
                view.append(mark)
                view.append(sign)
            }
            let text = String(view)
            let escaped = XMLText.escaped(text)
            let bare = escaped.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == 0x22 }
            #expect(!bare, "U+\(String(mark.value, radix: 16))")
            let root = try XMLReader.read(Array("<a b=\"\(escaped)\">\(escaped)</a>".utf8))
            #expect(Array(root.text.utf8) == Array(text.utf8) && root["b"].map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    /// Line breaks that the first writing added between the elements would be text to the second.
    @Test func aRootWithTextIsWrittenTheSameAgain() throws {
        let root = try XMLReader.read(Array("<a><!-- b --><c/>d</a>".utf8))
        #expect(try XMLReader.read(root.document) == root)
    }

    @Test func writtenElementsRoundTrip() throws {
        let root = XMLElement(
            XMLName("a", in: "urn:a", prefix: "p"),
            attributes: [
                XMLAttribute("b", "\"<&>'\n\t\r \u{600}<"), XMLAttribute(XMLName("c", in: "urn:a", prefix: "p"), ""),
            ],
            namespaces: [XMLNamespace(prefix: "p", uri: "urn:a")],
            nodes: [
                .element(XMLElement("d", text: " line\n\tline\r& \u{600}<x> ")), .comment(" why "),
                .element(
                    XMLElement("mixed", nodes: [.text("x "), .element(XMLElement("e", text: "y")), .text("\nz")])),
                .element(XMLElement("blank", text: "  ")), .element(XMLElement("empty")),
            ])
        let back = try XMLReader.read(root.document)
        // But for the blanks between the lines.
        var plain = back
        plain.nodes.removeAll { if case .text = $0 { true } else { false } }
        #expect(plain == root)
        #expect(try XMLReader.read(back.document) == back)
    }
}
