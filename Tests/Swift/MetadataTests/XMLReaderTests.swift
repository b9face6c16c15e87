import Glibc
import Metadata
internal import PageModel
import Testing

@Suite struct XMLReaderTests {
    private func read(_ text: String, limits: XMLReader.Limits = XMLReader.Limits()) throws -> XMLElement {
        try XMLReader.read(Array(text.utf8), limits: limits)
    }

    private func failure(_ bytes: [UInt8], limits: XMLReader.Limits = XMLReader.Limits()) -> AdapterError? {
        #expect(throws: AdapterError.self) { try XMLReader.read(bytes, limits: limits) }
    }

    private func failure(_ text: String, limits: XMLReader.Limits = XMLReader.Limits()) -> AdapterError? {
        failure(Array(text.utf8), limits: limits)
    }

    @Test func everythingInADocument() throws {
        let root = try read(
            """
            <?xml version="1.0"?><!-- before --><?go on?>
            <a b="1" c='&lt;&amp;lt;&#x3042;'>x &amp; y<![CDATA[ <z> ]]><d/><!-- in --><e>1<f>2</f>3</e></a>
            <!-- after -->
            """)
        #expect(root.name == "a")
        #expect(root.attributes == [XMLAttribute("b", "1"), XMLAttribute("c", "<&lt;あ")])
        #expect(root.text == "x & y <z> 123")
        #expect(root.elements.map(\.name) == ["d", "e"])
        #expect(root.nodes.contains(.comment(" in ")))
        #expect(root.first("e")?.text == "123")
        #expect(root["b"] == "1" && root["x"] == nil)
    }

    @Test func namespacesAreResolved() throws {
        let root = try read(
            """
            <package xmlns="urn:opf" xmlns:dc="urn:dc" xml:lang="ja"><dc:title opf:x="1" xmlns:opf="urn:opf">t</dc:title>
            <x xmlns="">plain</x></package>
            """)
        #expect(root.name == XMLName("package", in: "urn:opf"))
        #expect(
            root.namespaces == [XMLNamespace(prefix: nil, uri: "urn:opf"), XMLNamespace(prefix: "dc", uri: "urn:dc")])
        #expect(root[XMLName("lang", in: "http://www.w3.org/XML/1998/namespace")] == "ja")
        let title = try #require(root.descendant(XMLName("title", in: "urn:dc")))
        #expect(title[XMLName("x", in: "urn:opf")] == "1" && title["x"] == nil)
        #expect(title.name.qualified == "dc:title")
        #expect(root.first("x")?.text == "plain")
    }

    @Test func encodingsAreUnderstood() throws {
        let text = "<?xml version='1.0' encoding='UTF-16'?><a b='甲'>乙\u{1F600}</a>"
        for isBig in [true, false] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap { unit -> [UInt8] in
                let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                return isBig ? pair : pair.reversed()
            }
            let root = try XMLReader.read(bytes)
            #expect(root["b"] == "甲" && root.text == "乙\u{1F600}")
        }
        #expect(try read("\u{FEFF}<a>é</a>").text == "é")
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try XMLReader.read(latin).text == "é")
        let shiftJIS = Array("<?xml version='1.0' encoding='Shift_JIS'?><a>".utf8) + [0x95, 0x5C] + Array("</a>".utf8)
        #expect(try XMLReader.read(shiftJIS).text == "表")
    }

    @Test(arguments: [
        "", " ", "text", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a b='1' b='2'/>", "<a>&x;</a>", "<a b='&x;'/>",
        "<a>&#0;</a>", "<a>&amp</a>", "<a>\u{1}</a>", "<a b='<'/>", "<a/>text", "<!-- -- --><a/>", "<a>]]></a>",
    ])
    func malformedXMLIsReportedAsDamaged(_ text: String) {
        #expect(failure(text)?.code == .damaged)
    }

    @Test func bytesOutsideOfTheEncodingAreDamage() {
        #expect(failure(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))?.code == .damaged)
        #expect(failure(Array("<?xml version='1.0' encoding='klingon'?><a/>".utf8))?.code == .damaged)
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<!DOCTYPE a SYSTEM '/etc/passwd'><a/>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
        "<!DOCTYPE a PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd'><a/>",
    ])
    func aDocumentTypeIsRefused(_ text: String) {
        #expect(failure(text) == AdapterError(.unsupported, "has a document type"))
    }

    // MARK: Caps

    @Test func sizeIsBounded() throws {
        let text = "<a>12345</a>"
        #expect(try read(text, limits: XMLReader.Limits(bytes: text.utf8.count)).text == "12345")
        #expect(failure(text, limits: XMLReader.Limits(bytes: text.utf8.count - 1))?.code == .tooLarge)
    }

    @Test func depthIsBounded() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try read(nested(64)).descendants("a").count == 1)
        #expect(failure(nested(65))?.code == .tooLarge)
        #expect(failure(nested(200_000))?.code == .tooLarge)
        #expect(try read(nested(3), limits: XMLReader.Limits(depth: 3)).name == "a")
        #expect(failure(nested(4), limits: XMLReader.Limits(depth: 3))?.code == .tooLarge)
    }

    @Test func elementsAreCounted() throws {
        let text = "<a><b/><b/></a>"
        #expect(try read(text, limits: XMLReader.Limits(elements: 3)).elements.count == 2)
        #expect(failure(text, limits: XMLReader.Limits(elements: 2))?.code == .tooLarge)
    }

    @Test func attributesAreBounded() throws {
        func element(_ count: Int) -> String {
            "<a " + (0..<count).map { "b\($0)=''" }.joined(separator: " ") + "/>"
        }
        #expect(try read(element(1000)).attributes.count == 1000)
        #expect(failure(element(1001))?.code == .tooLarge)
        #expect(failure(element(300_000))?.code == .tooLarge)
    }

    @Test func namespacesAreBounded() throws {
        func element(_ count: Int) -> String {
            "<a " + (0..<count).map { "xmlns:b\($0)='u'" }.joined(separator: " ") + "/>"
        }
        #expect(try read(element(200)).namespaces.count == 200)
        #expect(failure(element(100_000))?.code == .tooLarge)
    }

    /// The work grows as the size does, in however many pieces the document falls: sixteen times as much takes sixteen
    /// times the processor's time, where a cost that grew with the square would take 256 times. Between the two there is
    /// room for a busy machine.
    @Test(arguments: [
        ("<a>", "&amp;", "</a>"), ("<a>", "&#x3042;", "</a>"), ("<a>", "<b/>", "</a>"), ("<a>", "<b>x</b>\n", "</a>"),
        ("<a b='", "&lt;", "'/>"), ("<a>", "<![CDATA[x]]>", "</a>"), ("<a>", "<!--x-->", "</a>"),
        ("<a><b c='", "x>", "'/></a>"), ("<!--", "x -", " --><a/>"), ("<a>", "\r\n", "</a>"),
        ("<a>", "<b c='' d='' e='' f='' g=''/>", "</a>"),
    ])
    func workIsLinear(_ start: String, _ piece: String, _ end: String) throws {
        func processorTime() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        func seconds(_ count: Int) throws -> Double {
            let bytes = Array((start + String(repeating: piece, count: count / piece.utf8.count) + end).utf8)
            var shortest = Double.infinity
            for _ in 0..<3 {
                let begin = processorTime()
                _ = try XMLReader.read(bytes, limits: .init(elements: .max))
                shortest = min(shortest, processorTime() - begin)
            }
            return shortest
        }
        let (short, long) = (try seconds(62_500), try seconds(1_000_000))
        #expect(long < short * 64 + 0.02, "\(short) s, \(long) s")
    }

    @Test func manyThreadsReadAtOnce() async throws {
        let texts = (0..<64).map { "<a><b>\($0)</b></a>" }
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, text) in texts.enumerated() {
                group.addTask { (index, try XMLReader.read(Array(text.utf8)).text) }
            }
            for try await (index, text) in group { #expect(text == "\(index)") }
        }
    }
}
