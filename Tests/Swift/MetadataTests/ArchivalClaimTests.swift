import Metadata
import PageModel
import Testing

/// XMP packets of PDFs that claim to be made to be kept (PDF/A).
@Suite struct ArchivalClaimTests {
    private static func packet(_ claim: String, _ more: String = "") -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"\(claim)</rdf:Description>\(more)
            </rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private static let claims = [
        "><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
        " pdfaid:part='2' pdfaid:conformance='B'>",
    ]

    @Test(arguments: claims) func aClaimIsReadAndTakenAway(_ claim: String) throws {
        let packet = Self.packet(claim)
        let found = try #require(ArchivalClaim(xmp: packet))
        #expect(found.part == 2 && found.level == "B" && found.english == "PDF/A-2b")
        let without = try #require(ArchivalClaim.removed(from: packet))
        #expect(ArchivalClaim(xmp: without) == nil && XMPMetadata(xmp: without).defect == nil)
    }

    @Test func packetsWithoutAClaimAreRecognized() {
        #expect(ArchivalClaim(xmp: Self.packet(">")) == nil)
        #expect(ArchivalClaim(xmp: []) == nil)
    }

    /// Terms that a PDF/A has to describe are described, once each, and only there.
    @Test func termsAreDescribed() throws {
        let series = BookMetadata(title: "T", series: "S")
        func text(_ packet: [UInt8], _ book: BookMetadata) throws -> String {
            String(decoding: try #require(XMPPacket.bytes(of: book, changing: packet)), as: UTF8.self)
        }
        #expect(try !text(Self.packet(">"), series).contains("pdfaExtension"))
        #expect(try !text(Self.packet(Self.claims[0]), BookMetadata(title: "T")).contains("pdfaExtension"))
        let described = try text(Self.packet(Self.claims[0]), series)
        #expect(
            described.contains(
                "<pdfaSchema:namespaceURI>http://calibre-ebook.com/xmp-namespace</pdfaSchema:namespaceURI>"))
        #expect(described.contains("<pdfaProperty:name>series</pdfaProperty:name>"))
        #expect(ArchivalClaim(xmp: Array(described.utf8)) != nil)
        var other = series
        other.series = "Another"
        other.isbn = ISBN("080442957X")
        let again = try text(Array(described.utf8), other)
        #expect(again.components(of: "pdfaExtension:schemas>") == 2)
        #expect(again.components(of: ">http://calibre-ebook.com/xmp-namespace<") == 1)
        #expect(again.components(of: "<pdfaProperty:name>isbn</pdfaProperty:name>") == 1)
    }
}

extension String {
    /// How often a text stands in it.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
