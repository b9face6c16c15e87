import AdapterKit
import Metadata
import PageModel
import Testing

/// The metadata of the packages of EPUBs, and of those that calibre keeps next to books.
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
        "<dc:identifier opf:scheme='URI'>urn:isbn:9780804429573</dc:identifier>",
        "<dc:identifier opf:scheme=' ISBN-13 '>9780804429573 (pbk.)</dc:identifier>",
        "<dc:identifier opf:scheme='EAN'>9780804429573</dc:identifier>",
    ])
    func numbersOfBooksAreFound(_ xml: String) throws {
        let book = try book("<dc:identifier opf:scheme='uuid'>9780306406157</dc:identifier>\(xml)")
        #expect(book.isbn == ISBN("080442957X") && book.unsupportedFields.isEmpty)
    }

    /// Numbers that only distinguish the file from others are not a loss, and neither are empty fields.
    @Test(arguments: [
        "<dc:identifier id='id'>x.y.z</dc:identifier>", "<dc:identifier id='id'>https://example.org/1</dc:identifier>",
        "<dc:identifier opf:scheme='calibre'>7</dc:identifier>", "<dc:identifier>urn:uuid:1b0</dc:identifier>",
        "<dc:identifier opf:scheme='URN'>urn:uuid:1b0</dc:identifier>", "<dc:identifier opf:scheme='ISBN'/>",
        "<dc:identifier>goodreads:</dc:identifier>", "<dc:title>T</dc:title><dc:title>T</dc:title>",
        "<dc:rights>R</dc:rights>", "<dc:language>und</dc:language><dc:language>ja</dc:language>",
        "<meta name='calibre:rating' content='0'/>", "<meta name='calibre:rating' content=''/>",
        "<meta name='calibre:user_metadata:#read' content='{\"#value#\": null}'/>",
        "<meta property='calibre:user_metadata'>{\"#read\": {\"#value#\": []}}</meta>",
    ])
    func insignificantFieldsAreNotReportedAsLost(_ xml: String) throws {
        #expect(try book(xml).unsupportedFields.isEmpty)
    }

    @Test(arguments: [
        ("<dc:identifier opf:scheme='MOBI-ASIN'>B00X</dc:identifier>", "mobi-asin"),
        ("<dc:identifier>amazon_jp:B01</dc:identifier>", "amazon_jp"),
        ("<dc:identifier id='id'>doi:10.1/2</dc:identifier>", "doi"),
        ("<dc:identifier>isbn:123</dc:identifier>", "isbn"),
        ("<dc:identifier>https://doi.org/10.1/2</dc:identifier>", "further identifiers"),
        ("<dc:identifier>B00ABC1234</dc:identifier>", "further identifiers"),
        ("<dc:identifier>080442957X</dc:identifier><dc:identifier>9780306406157</dc:identifier>", "further ISBNs"),
        ("<dc:title>T</dc:title><dc:title>U</dc:title>", "further titles"),
        ("<dc:rights>T</dc:rights><dc:rights>U</dc:rights>", "further rights"), ("<dc:source>S</dc:source>", "source"),
        ("<meta name='calibre:rating' content='8'/>", "calibre:rating"),
        ("<meta property='calibre:rating'>8</meta>", "calibre:rating"),
        ("<meta name='calibre:user_metadata:#read' content='{\"#value#\": true}'/>", "calibre:user_metadata:#read"),
        ("<meta property='calibre:user_metadata'>{\"#read\": {\"#value#\": 1}}</meta>", "calibre:user_metadata"),
    ])
    func unsupportedFieldsAreReportedAsLost(_ xml: String, _ name: String) throws {
        let book = try book(xml)
        #expect(book.unsupportedFields == [name])
        for format in ["ComicInfo", "OPF", "XMP", "JSON", nil] {
            let output = SinkCapabilities(formats: nil, metadata: format.map { [$0] } ?? [])
            let lost = MetadataLoss.fields(of: book, in: output)
            #expect(lost.contains(name) == (format != nil))
        }
    }

    @Test func longNamesAreCut() throws {
        let name = String(repeating: "a", count: 80_000)
        let book = try book("<dc:identifier>\(name):1</dc:identifier>")
        #expect(book.unsupportedFields.map(\.count) == [80])
    }
}
