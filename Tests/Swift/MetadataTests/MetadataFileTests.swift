import OrderedJSON
import PageModel
import Testing

@testable import Metadata

/// Metadata files: accepted contents, and rejected ones with their messages.
@Suite struct MetadataFileTests {
    private func read(_ text: String) throws(AdapterError) -> BookMetadata {
        try MetadataFile(Array(text.utf8)).book
    }

    @Test func printedMetadataRoundTrips() throws {
        let book = BookMetadata(
            title: "T \"<&>\"", credits: CreatorRole.allCases.map { Credit("\($0), Jr.", $0) }, series: "S",
            volume: "2",
            number: "12.5", publisher: "P", date: BookDate(year: 2019, month: 5), summary: "One\n\nTwo",
            genres: ["A", "B, C"], tags: ["D"], isbn: ISBN("0-306-40615-2"), rights: "© P",
            language: "ja",
            direction: .rightToLeft)
        let members = MetadataJSON.members(of: book)
        #expect(try read(JSON.object(members).text) == book)
        #expect(try read(JSON.object([("jisui", "1"), ("other", [1])] + members).text) == book)
        #expect(try read(JSON.object([("jisui", "1"), ("book", .object(members))]).text) == book)
        #expect(try read(JSON.object(MetadataJSON.members(of: BookMetadata())).text) == BookMetadata())
    }

    @Test func handwrittenJSONIsUnderstood() throws {
        let book = try read(
            #"\#u{FEFF} {"authors": ["A", "B"], "number": 3, "volume": null, "title": " A  B ", "summary": 7}"#)
        #expect(book == BookMetadata(title: "A B", authors: ["A", "B"], number: "3", summary: "7"))
        #expect(try read(#"{"creators": [{"name": "A"}], "number": 12.5}"#).credits == [Credit("A", .author)])
    }

    @Test(arguments: [
        ("{", "is not well-formed JSON"), ("{\"book\": 3}", "not an object"),
        ("{\"titel\": \"x\"}", "has a key 'titel', which jisui does not know"),
        ("{\"title\": [1]}", "has a 'title' that is not text"),
        ("{\"creators\": {}}", "has a 'creators' that is not a list"),
        ("{\"creators\": [{\"role\": \"author\"}]}", "has no name for one of the 'creators'"),
        ("{\"date\": \"May\"}", "has 'May' as its date, and not one like 2019, 2019-05 or 2019-05-31"),
        ("{\"language\": \"no language\"}", "has 'no language' as its language, and not a tag like ja or en-GB"),
        (
            "{\"isbn\": \"978-0-306-40615-8\"}",
            "has '978-0-306-40615-8' as its ISBN, whose length or check digit is wrong"
        ),
        ("{\"direction\": \"down\"}", "has 'down' as its direction, and neither ltr nor rtl"),
        ("<html/>", "has the element html, which describes no book"), ("", "is neither a JSON object nor XML"),
        ("<x", "is not well-formed XML: Couldn't find end of Start Tag x line 1"),
    ])
    func mistakesAreNamed(_ text: String, _ message: Message) {
        let error = #expect(throws: AdapterError.self) { try read(text) }
        #expect(error?.message == message)
    }

    @Test func anUnknownRoleIsNamedWithThoseThereAre() {
        let error = #expect(throws: AdapterError.self) { try read(#"{"creators": [{"name": "A", "role": "cook"}]}"#) }
        #expect(error?.message.english.contains("'cook'; valid: author, adapter,") == true)
    }

    @Test func documentsAreRecognizedByTheirContent() throws {
        let info = try MetadataFile(Array("<ComicInfo><Title>T</Title><Editor>E</Editor></ComicInfo>".utf8))
        #expect(info.book.title == "T" && info.book.credits == [Credit("E", .editor)] && info.info != nil)
        #expect(info.book.documents.map(\.book) == [nil])
        #expect(try read("<MetronInfo><Series><Name>S</Name></Series></MetronInfo>").series == "S")
        let acbf = "<ACBF><meta-data><book-info><book-title>T</book-title></book-info></meta-data></ACBF>"
        #expect(try read(acbf).title == "T")
        let opf = """
            <package xmlns="http://www.idpf.org/2007/opf"><metadata><title xmlns="http://purl.org/dc/elements/1.1/">T</title>
            </metadata><spine page-progression-direction="rtl"/></package>
            """
        #expect(try read(opf) == BookMetadata(title: "T", direction: .rightToLeft))
    }

    /// Additional fields of a ComicInfo.xml override those of the source's own.
    @Test func comicInfoFileOverridesTheSourceDocument() throws {
        let own = "<ComicInfo><Title>Own</Title><Summary>Own</Summary><Genre>G</Genre></ComicInfo>"
        let file = try MetadataFile(
            Array("<ComicInfo><My>1</My><My>2</My><Summary>New</Summary><Count>9</Count></ComicInfo>".utf8))
        var book = BookMetadata(title: "Own", summary: "New", genres: ["G"])
        book.documents = [SourceDocument(format: "ComicInfo", bytes: Array(own.utf8), pages: [1])] + file.book.documents
        var writer = ComicInfoWriter(book)
        writer.add(.init(id: 1, byteCount: 1, size: nil, isDouble: false))
        let root = try XMLReader.read(writer.xml)
        #expect(
            root.elements.map(\.name.local) == ["Title", "Count", "Summary", "Genre", "My", "My", "PageCount", "Pages"])
        #expect(root.first("Title")?.text == "Own" && root.first("Summary")?.text == "New")
    }
}
