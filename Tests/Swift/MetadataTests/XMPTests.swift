import Metadata
import PageModel
import Testing

@Suite struct XMPTests {
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
        #expect(XMPMetadata(xmp: xmp).book.title == "A & B")
        #expect(XMPMetadata(xmp: xmp).book.authors == ["X", "Y"])
        #expect(XMPMetadata(xmp: xmp + [0, 0, 0x20, 0x0A]).book.title == "A & B")
    }

    /// The limit is generous: what took time with the square of the names took half an hour.
    @Test(.timeLimit(.minutes(5))) func manyPeopleTakeTimeInLine() throws {
        let count = 200_000
        let book = BookMetadata(authors: (0..<count).map { "Author \($0)" })
        let packet = try #require(XMPPacket.bytes(of: book))
        #expect(packet.count > 10 * count)
    }

    /// The namespace counts, not the prefix.
    @Test func thePrefixMayBeAnother() {
        let xmp = packet("<q:title><rdf:Alt><rdf:li>T</rdf:li></rdf:Alt></q:title>", prefix: "q")
        #expect(XMPMetadata(xmp: xmp).book.title == "T")
    }

    @Test(arguments: ["no XML", "<a", "<!DOCTYPE a><a/>"])
    func unreadablePacketHasADefectAndNoMetadata(_ text: String) {
        let found = XMPMetadata(xmp: Array(text.utf8))
        #expect(found.book == BookMetadata())
        #expect(found.defect != nil)
        #expect(XMPMetadata(xmp: []).defect == nil)
    }

    @Test func writtenPacketRoundTrips() {
        let book = BookMetadata(
            title: "A <&> \"B\"", authors: ["甲", "X & Y"],
            credits: [
                Credit("甲", .penciller), Credit("Z", .letterer), Credit("X & Y", .letterer), Credit("E", .editor),
            ], series: "S", number: "2.5", publisher: "P", date: BookDate(year: 2019, month: 5),
            summary: "One <p>\n\nTwo <&>", genres: ["A", "B, C"], isbn: ISBN("080442957X"), rights: "© <X>",
            language: "ja")
        let packet = XMPPacket.bytes(of: book) ?? []
        #expect(packet.starts(with: Array("<?xpacket begin=\"\u{FEFF}\"".utf8)))
        #expect(XMPMetadata(xmp: packet).defect == nil)
        let again = XMPMetadata(xmp: packet).book
        #expect(Set(again.credits) == Set(book.credits) && again.credits.count == book.credits.count)
        #expect(again.authors == book.authors)
        #expect(again.credits.names([.letterer]) == ["Z", "X & Y"])
        var (plain, expected) = (again, book)
        (plain.credits, expected.credits) = ([], [])
        #expect(plain == expected)
    }

    /// A program that only reads Dublin Core finds authors as creators and the others as contributors.
    @Test func authorsAreCreatorsAndOthersContributors() throws {
        let book = BookMetadata(credits: [Credit("A", .penciller), Credit("L", .letterer), Credit("A", .letterer)])
        let root = try XMLReader.read(XMPPacket.bytes(of: book) ?? [])
        func names(_ local: String) -> [String] {
            let name = XMLName(local, in: "http://purl.org/dc/elements/1.1/")
            return root.descendant(name)?.descendants(XMLName("li", in: "http://www.w3.org/1999/02/22-rdf-syntax-ns#"))
                .map(\.text) ?? []
        }
        #expect(names("creator") == ["A"] && names("contributor") == ["L"])
    }

    /// Metadata of other programs in other terms stay, and so does everything that is not metadata of a book.
    @Test func aPacketIsChanged() throws {
        let old = packet(
            """
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title>
            <dc:coverage>Kept</dc:coverage>
            <pdfaid:part xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">2</pdfaid:part>
            """)
        let new = XMPPacket.bytes(of: BookMetadata(title: "New", series: "S"), changing: old) ?? []
        let found = XMPMetadata(xmp: new)
        var wanted = BookMetadata(title: "New", series: "S")
        wanted.standard = "PDF/A-2"
        #expect(found.defect == nil && found.book == wanted)
        let text = String(decoding: new, as: UTF8.self)
        #expect(text.contains("Kept") && text.contains("<pdfaid:part") && !text.contains("Old"))
        #expect(
            XMPPacket.bytes(of: BookMetadata(title: "T"), changing: Array("<a".utf8))
                == XMPPacket.bytes(of: BookMetadata(title: "T")))
    }

    /// As publishers, calibre and others say it.
    @Test(arguments: [
        "<p:isbn xmlns:p='http://prismstandard.org/namespaces/basic/2.0/'>0-8044-2957-X</p:isbn>",
        "<p:isbn xmlns:p='http://prismstandard.org/namespaces/basic/3.0/'>0-8044-2957-X</p:isbn>",
        "<p:ISBN xmlns:p='http://ns.adobe.com/pdfx/1.3/'>9780804429573</p:ISBN>",
        "<dc:identifier>urn:isbn:9780804429573</dc:identifier>",
        """
        <xmp:Identifier xmlns:xmp='http://ns.adobe.com/xap/1.0/'><rdf:Bag><rdf:li rdf:parseType='Resource'>
        <q:Scheme xmlns:q='http://ns.adobe.com/xmp/Identifier/qual/1.0/'>isbn</q:Scheme>
        <rdf:value>9780804429573</rdf:value></rdf:li></rdf:Bag></xmp:Identifier>
        """,
        "<dc:x p:isbn='9780804429573' xmlns:p='http://prismstandard.org/namespaces/basic/2.1/'/>",
    ])
    func numbersOfBooksAreFound(_ xml: String) {
        let old = packet(xml)
        #expect(XMPMetadata(xmp: old).book.isbn == ISBN("080442957X"))
        // Another is not contradicted.
        let new = XMPPacket.bytes(of: BookMetadata(isbn: ISBN("9780306406157")), changing: old) ?? []
        #expect(XMPMetadata(xmp: new).book.isbn == ISBN("9780306406157"))
        #expect(String(decoding: new, as: UTF8.self).firstMatch(of: /4429573|44-2957/) == nil)
    }

    @Test func emptyMetadataGivesNoPacket() {
        #expect(XMPPacket.bytes(of: BookMetadata()) == nil)
        #expect(XMPPacket.bytes(of: BookMetadata(title: " \u{1} ", authors: [""])) == nil)
    }

    /// A long number is read in as many steps as it has digits.
    @Test func aLongNumberIsReadAtOnce() throws {
        let index = "1." + String(repeating: "0", count: 1 << 20) + "x"
        let xml = """
            <package><metadata><meta name="calibre:series" content="S"/>
            <meta name="calibre:series_index" content="\(index)"/></metadata></package>
            """
        #expect(OPFMetadata.metadata(in: try XMLReader.read(Array(xml.utf8))).number == index)
    }

    /// The series as calibre writes it: its number with two digits after the point.
    @Test(arguments: [
        ("3.00", "3"), ("3.50", "3.5"), ("0.25", "0.25"), ("12", "12"), ("3a", "3a"), ("10.0", "10"), ("3.", "3"),
        (".5", ".5"), ("1.2.0", "1.2.0"), ("1.x0", "1.x0"),
    ])
    func theSeriesIsReadAsCalibreWritesIt(_ written: String, _ number: String) {
        let xmp = packet(
            """
            <calibre:series xmlns:calibre="http://calibre-ebook.com/xmp-namespace" rdf:parseType="Resource">
            <rdf:value>S &amp; T</rdf:value><calibreSI:series_index
            xmlns:calibreSI="http://calibre-ebook.com/xmp-namespace-series-index">\(written)</calibreSI:series_index>
            </calibre:series>
            """)
        let book = XMPMetadata(xmp: xmp).book
        #expect(book.series == "S & T" && book.number == number)
    }
}
