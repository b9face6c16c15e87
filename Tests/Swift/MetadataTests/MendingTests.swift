import AdapterKit
import Metadata
import PageModel
import Testing

/// Documents with small faults, and those of other programs.
@Suite struct MendingTests {
    private func read(_ files: [BookDocument.File]) -> (book: BookMetadata, warnings: [Warning]) {
        var (pages, warnings): ([Page], [Warning]) = ([], [])
        let book = BookDocument.metadata(from: files, for: &pages, warnings: &warnings)
        return (book, warnings)
    }

    private func read(_ path: String, _ bytes: [UInt8]) -> (book: BookMetadata, warnings: [Warning]) {
        read([BookDocument.File(path: path) { bytes }])
    }

    private static let facts = "<Title>A & B &lt; &#67;</Title><Notes>n</Notes></ComicInfo>"

    @Test(arguments: [
        "<?xml version='1.0' encoding='utf-8'?><ComicInfo>\(facts)", " \n<?xml version='1.0'?><ComicInfo>\(facts)",
        "\u{FEFF}\n<?xml version='1.0'?><ComicInfo>\(facts)", "<ComicInfo>\u{1}\(facts)",
        "<?xml version='1.0' encoding='utf-16'?><ComicInfo>\(facts)",
        "<?xml version='1.0' encoding='no-such'?><ComicInfo>\(facts)",
    ])
    func smallFaultsAreRepairedAndReported(_ xml: String) {
        let (book, warnings) = read("ComicInfo.xml", Array(xml.utf8))
        #expect(book.title == "A & B < C")
        #expect(warnings.map(\.code) == ["repaired-metadata"])
        #expect(MetadataLoss.fields(of: book, in: SinkCapabilities(formats: nil, metadata: ["OPF"])) == ["Notes"])
    }

    @Test func wrongEncodingsAreRepaired() {
        let latin = read(
            "ComicInfo.xml", Array("<ComicInfo><Title>".utf8) + [0x80, 0xC9] + "</Title></ComicInfo>".utf8)
        #expect(latin.book.title == "€É" && latin.warnings.map(\.code) == ["repaired-metadata"])
        // The content of a mark or a comment is not text.
        let quoted = read(
            "ComicInfo.xml", Array(" <ComicInfo><!-- a & b --><Title><![CDATA[a & b]]></Title></ComicInfo>".utf8))
        #expect(quoted.book.title == "a & b")
    }

    @Test(arguments: ["<ComicInfo><Title>a</ComicInfo>", "x <ComicInfo/>", "<ComicInfo><Title>a & b"])
    func greaterFaultsOfADocumentStayFaults(_ xml: String) {
        #expect(read("ComicInfo.xml", Array(xml.utf8)).warnings.map(\.code) == ["bad-metadata"])
    }

    @Test(
        arguments: [
            ("ComicInfo.xml", ["ComicInfo"], [], true), ("ComicInfo.xml", ["OPF"], ["ComicInfo"], true),
            ("ComicInfo.xml", ["OPF"], [], false), ("ComicInfo.xml", [], [], false),
            ("comet.xml", ["ComicInfo"], [], false),
        ] as [(String, Set<String>, Set<String>, Bool)])
    func repairsStateWhetherTheOutputHasTheFile(
        _ path: String, _ metadata: Set<String>, _ carried: Set<String>, _ isKept: Bool
    ) throws {
        let root = path == "comet.xml" ? "comet" : "ComicInfo"
        let (book, warnings) = read(path, Array(" <?xml version='1.0'?><\(root)><title>A & B</title></\(root)>".utf8))
        let warning = try #require(warnings.first)
        let text: Message = "\(path): was not well-formed XML; jisui repaired characters before its start, a bare '&'"
        #expect(warning.explanation == text && warning.hint == nil)
        var output = SinkCapabilities(formats: nil, metadata: metadata)
        output.carriedDocuments = carried
        let sequence = PageSequence(book: book, pages: [])
        let completed = BookDocument.completed(warning, for: sequence, in: [output])
        #expect(completed.explanation == (isKept ? "\(text); the output contains the repaired file" : text))
        #expect(completed.hint != nil)
    }

    /// `--combine` puts the name of the input before that of the document.
    @Test(arguments: [("ComicInfo.xml", 1), ("book.cbz: ComicInfo.xml", 1), ("book.cbz: ComicInfo.xml", 0)])
    func repairsStateWhichBookOfSeveralHasTheFile(_ subject: String, _ selected: Int) throws {
        let (book, warnings) = read("ComicInfo.xml", Array(" <?xml version='1.0'?><ComicInfo/>".utf8))
        var warning = try #require(warnings.first)
        (warning.subject, warning.book) = (subject, 1)
        var page = Page(id: 1, name: "page 1") { throw AdapterError(.damaged, "only for its book") }
        page.book = selected
        let output = SinkCapabilities(formats: nil, metadata: ["ComicInfo"])
        func isKept(_ pages: [Page]) -> Bool {
            let completed = BookDocument.completed(warning, for: PageSequence(book: book, pages: pages), in: [output])
            return completed.message.english.hasSuffix("the output contains the repaired file")
        }
        #expect(isKept([page]) == (selected == 1))
        var other = page
        other.book = 2
        #expect(!isKept([page, other]))
    }

    @Test func repairedDocumentsOfAnotherKindAreOnlyLost() {
        let (_, warnings) = read("ComicInfo.xml", Array(" <?xml version='1.0'?><comet/>".utf8))
        #expect(warnings.map(\.code) == ["bad-metadata"])
    }

    @Test func validDocumentsAreNotRepaired() {
        let (book, warnings) = read("ComicInfo.xml", Array("\u{FEFF}<?xml version='1.0'?><ComicInfo/>".utf8))
        #expect(warnings.isEmpty && book.documents.count == 1)
    }

    @Test func coMetIsRead() {
        let xml = """
            <comet xmlns:comet="http://www.denvog.com/comet/"><title>T</title><series>S</series><issue>2</issue>\
            <volume>1</volume><publisher>P</publisher><date>2001-02-03</date><genre>G</genre><genre>H</genre>\
            <description>D</description><language>en</language><rights>R</rights><writer>W</writer>\
            <coverDesigner>C</coverDesigner><readingDirection>rtl</readingDirection><price>1</price></comet>
            """
        let (book, warnings) = read("sub/comet.XML", Array(xml.utf8))
        #expect(warnings.isEmpty)
        var facts = BookMetadata(
            title: "T", authors: ["W"], credits: [Credit("C", .coverArtist)], series: "S", volume: "1", number: "2",
            publisher: "P", date: BookDate("2001-02-03"), summary: "D", genres: ["G", "H"], rights: "R",
            language: "en", direction: .rightToLeft)
        facts.unsupportedFields = ["price"]
        #expect(book == facts)
    }

    @Test func comicBookInfoIsRead() throws {
        let json = """
            {"appID": "x", "ComicBookInfo/1.0": {"series": "S", "title": "T", "issue": 3, "volume": 1, "publicationYear": 2009,
             "publicationMonth": 13, "language": "English", "genre": "G, H", "tags": ["a"], "comments": "C", "rating": 4,
             "credits": [{"person": "W", "role": "Writer"}, {"person": "L", "role": "Letterer"}, {"role": "x"}]}}
            """
        let own = BookDocument.File(path: "ComicInfo.xml") { Array("<ComicInfo><Title>Own</Title></ComicInfo>".utf8) }
        let file = try #require(BookDocument.File(comment: Array(json.utf8)))
        let (book, warnings) = read([own, file])
        #expect(warnings.isEmpty && book.title == "Own" && book.series == "S" && book.number == "3")
        #expect(book.date == BookDate("2009") && book.language == "en" && book.genres == ["G", "H"])
        #expect(book.credits == [Credit("W", .author), Credit("L", .letterer)] && book.unsupportedFields == ["rating"])
        #expect(BookDocument.File(comment: Array("scanned by me".utf8)) == nil)
        #expect(BookDocument.File(comment: Array("{\"a\": 1}".utf8)) == nil)
    }

    @Test func metronInfoContainsChangedMetadata() throws {
        let metron = """
            <MetronInfo><Series lang="ja"><Name>S</Name><SortName>s</SortName><Volume>2</Volume></Series>\
            <Number>1</Number><Stories><Story>Old</Story></Stories><Notes>n</Notes>\
            <Credits><Credit><Creator id="9">W</Creator><Roles><Role id="1">Writer</Role></Roles></Credit></Credits>\
            </MetronInfo>
            """
        var (book, _) = read("MetronInfo.xml", Array(metron.utf8))
        (book.title, book.number, book.date) = ("New", "4", BookDate("2020-05"))
        book.credits.append(Credit("I", .inker))
        book.documents[0].isCurrent = false
        let bytes = try #require(MetronInfo.carried(by: book, books: [0], pageCount: 1))
        let root = try XMLReader.read(bytes)
        #expect(
            root.elements.map(\.name.local) == [
                "Series", "CollectionTitle", "Number", "Stories", "CoverDate", "Notes", "Credits",
            ])
        #expect(root.elements[1].text == "New" && root.elements[2].text == "4")
        #expect(root.elements[4].text == "2020-05-01")
        #expect(root.elements[6].elements.count == 2 && root.elements[6].elements[0].elements[0]["id"] == "9")
        #expect(try MetronInfo(bytes).metadata.credits == book.credits)
    }
}
