import AdapterKit
import Metadata
import PageModel
import Testing

/// What packages of EPUBs, and those that calibre keeps beside books, say of them.
@Suite struct OPFTests {
    private func book(_ metadata: String, identifier: String = "id") throws -> BookMetadata {
        let package = """
            <package xmlns="http://www.idpf.org/2007/opf" unique-identifier="\(identifier)"><metadata
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">\(metadata)</metadata></package>
            """
        return OPFMetadata.metadata(in: try XMLReader.read(Array(package.utf8)))
    }

    @Test(arguments: [
        "<dc:identifier opf:scheme='ISBN'>0-8044-2957-X</dc:identifier>", "<dc:identifier>080442957X</dc:identifier>",
        "<dc:identifier id='id'>urn:isbn:9780804429573</dc:identifier>",
        "<dc:identifier>isbn:080442957X</dc:identifier>",
    ])
    func numbersOfBooksAreFound(_ said: String) throws {
        let book = try book("<dc:identifier opf:scheme='uuid'>9780306406157</dc:identifier>\(said)")
        #expect(book.isbn == ISBN("080442957X") && book.otherFacts.isEmpty)
    }

    /// Numbers that only tell the file from others are no loss, and neither are calibre's columns that say nothing.
    @Test func whatHasNoPlaceIsNamed() throws {
        let quiet = try book(
            """
            <dc:identifier id="id">amazon:B00X</dc:identifier><dc:identifier opf:scheme="calibre">7</dc:identifier>
            <dc:identifier>urn:uuid:1b0</dc:identifier><dc:title>T</dc:title><dc:title>T</dc:title><dc:rights>R</dc:rights>
            <meta name="calibre:rating" content="0"/><meta name="calibre:user_metadata:#read" content="{&quot;#value#&quot;: null}"/>
            """)
        #expect(quiet.rights == "R" && quiet.otherFacts.isEmpty, "\(quiet.otherFacts)")
        let book = try book(
            """
            <dc:identifier opf:scheme="MOBI-ASIN">B00X</dc:identifier><dc:identifier>doi:10.1/2</dc:identifier>
            <dc:identifier>isbn:123</dc:identifier><dc:title>T</dc:title><dc:title>U</dc:title><dc:source>S</dc:source>
            <meta name="calibre:rating" content="8"/><meta name="calibre:user_metadata:#read" content="{&quot;#value#&quot;: true}"/>
            """)
        let lost = [
            "further titles", "source", "mobi-asin", "doi", "isbn", "calibre:rating", "calibre:user_metadata:#read",
        ]
        #expect(book.otherFacts == lost && book.isbn == nil)
        for format in ["ComicInfo", "OPF", "XMP", "JSON", nil] {
            let output = SinkCapabilities(formats: nil, metadata: format.map { [$0] } ?? [])
            #expect(MetadataLoss.fields(of: book, in: output) == (format == nil ? [] : lost))
        }
    }
}
