import Metadata
import PageModel
import Testing

@Suite struct DublinCoreTests {
    private func packet(_ body: String, prefix: String = "dc") -> [UInt8] {
        Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:\(prefix)="http://purl.org/dc/elements/1.1/">\(body)</rdf:Description>
            </rdf:RDF></x:xmpmeta>
            <?xpacket end="w"?>
            """.utf8)
    }

    @Test func titleAndCreatorsAreFound() {
        let xmp = packet(
            """
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li><rdf:li xml:lang="de">C</rdf:li></rdf:Alt></dc:title>
            <dc:creator><rdf:Seq><rdf:li> X </rdf:li><rdf:li/><rdf:li>Y</rdf:li></rdf:Seq></dc:creator>
            """)
        #expect(DublinCore(xmp: xmp).title == "A & B")
        #expect(DublinCore(xmp: xmp).creators == ["X", "Y"])
        #expect(DublinCore(xmp: xmp + [0, 0, 0x20, 0x0A]).title == "A & B")
    }

    /// The namespace counts, not the prefix.
    @Test func thePrefixMayBeAnother() {
        let xmp = packet("<q:title><rdf:Alt><rdf:li>T</rdf:li></rdf:Alt></q:title>", prefix: "q")
        #expect(DublinCore(xmp: xmp).title == "T")
    }

    @Test(arguments: ["", "no XML", "<a", "<!DOCTYPE a><a/>", "<a/>"])
    func whatCannotBeReadSaysNothing(_ text: String) {
        let found = DublinCore(xmp: Array(text.utf8))
        #expect(found.title == nil && found.creators.isEmpty)
    }

    @Test func whatIsWrittenIsReadBack() {
        let book = BookMetadata(title: " A <&>\u{1} \"B\" ", authors: ["甲", "X & Y"], language: "ja")
        let packet = XMPPacket.bytes(of: book) ?? []
        #expect(packet.starts(with: Array("<?xpacket begin=\"\u{FEFF}\"".utf8)))
        #expect(DublinCore(xmp: packet).title == "A <&> \"B\"")
        #expect(DublinCore(xmp: packet).creators == ["甲", "X & Y"])
        #expect(XMPPacket.bytes(of: BookMetadata(series: "S")) == nil)
    }
}
