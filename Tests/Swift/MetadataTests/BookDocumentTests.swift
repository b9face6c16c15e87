import AdapterKit
import PageModel
import Testing

@testable import Metadata

/// The metadata documents of a book: their order of precedence, and their contents.
@Suite struct BookDocumentTests {
    private func pages(_ names: [String]) -> [Page] {
        struct Never: Error {}
        return names.enumerated().map { index, name in Page(id: index + 1, name: name) { throw Never() } }
    }

    private func book(
        _ files: [(String, String)], _ pages: inout [Page], _ warnings: inout [Warning]
    ) -> BookMetadata {
        BookDocument.metadata(
            from: files.map { path, xml in BookDocument.File(path: path) { Array(xml.utf8) } }, for: &pages,
            warnings: &warnings)
    }

    private func book(_ path: String, _ xml: String) -> BookMetadata {
        var (pages, warnings) = (pages(["1.jpg"]), [Warning]())
        defer { #expect(warnings.isEmpty) }
        return book([(path, xml)], &pages, &warnings)
    }

    @Test func thatAtTheRootOfEachKindCounts() {
        let paths = ["a/ComicInfo.xml", "a/metroninfo.xml", "comicinfo.xml", "b.ACBF", "c.xml", "MetronInfo.xml.bak"]
        #expect(BookDocument.places(in: paths) == [2, 1, 3])
        #expect(BookDocument.places(in: ["a.xml"]).isEmpty)
        // Without one for the book, those of all chapters count.
        #expect(BookDocument.places(in: ["a/b/ComicInfo.xml", "a/ComicInfo.xml", "c/ComicInfo.xml"]) == [1, 2])
    }

    /// The number and the title of a chapter are not those of the book.
    @Test func severalDocumentsGiveWhatTheyHaveInCommon() {
        func chapter(_ number: Int, _ writer: String) -> (String, String) {
            (
                "\(number)/ComicInfo.xml",
                "<ComicInfo><Series>S</Series><Number>\(number)</Number><Title>T\(number)</Title><Writer>\(writer)</Writer>"
                    + "</ComicInfo>"
            )
        }
        var (pages, warnings) = (pages(["1/1.jpg", "2/1.jpg"]), [Warning]())
        let book = book([chapter(1, "A"), chapter(2, "B")], &pages, &warnings)
        #expect(book.series == "S" && book.number == nil && book.title == nil && book.authors == ["A", "B"])
        #expect(book.documents.isEmpty && warnings.map(\.code) == ["metadata-differs"])
        #expect(
            warnings.first?.message.english
                == "2 files ComicInfo.xml differ in Title, Number: left these values out")
        warnings = []
        let same = self.book([chapter(1, "A"), ("2/ComicInfo.xml", chapter(1, "A").1)], &pages, &warnings)
        #expect(same.number == "1" && same.documents.count == 1 && warnings.isEmpty)
    }

    // MARK: The order of pages

    @Test func pagesNamedByWordsGetTheirPlaces() {
        var pages = pages(["001.jpg", "002.jpg", "cover.tif, page 1", "cover.tif, page 2", "奥付.jpg"])
        var (book, warnings) = (BookMetadata(), [Warning(code: "x", page: 1, message: "of 001")])
        book.documents = [SourceDocument(format: ComicInfo.format, bytes: [], pages: [1, 2, 3, 4, 5])]
        BookDocument.placeNamedPages(&pages, of: &book, warnings: &warnings)
        #expect(pages.map(\.name) == ["cover.tif, page 1", "cover.tif, page 2", "001.jpg", "002.jpg", "奥付.jpg"])
        #expect(pages.map(\.id) == [1, 2, 3, 4, 5] && book.documents[0].pages == [3, 4, 1, 2, 5])
        #expect(warnings.map(\.page) == [3, nil] && warnings.last?.isNote == true)
        #expect(
            warnings.last?.message.english
                == "placed pages by the words in their names: cover.tif is page 1, 奥付.jpg is page 5"
        )
    }

    /// A document counts the pages by their names.
    @Test func aBookWhoseDocumentDescribesItsPagesKeepsTheirOrder() {
        var pages = pages(["001.jpg", "cover.jpg"])
        let xml = "<ComicInfo><Pages><Page Image='0' Type='FrontCover'/><Page Image='1'/></Pages></ComicInfo>"
        var warnings: [Warning] = []
        var book = book([("ComicInfo.xml", xml)], &pages, &warnings)
        BookDocument.placeNamedPages(&pages, of: &book, warnings: &warnings)
        #expect(pages.map(\.name) == ["001.jpg", "cover.jpg"] && warnings.isEmpty)
    }

    // MARK: ComicInfo

    private static let shuffled = """
        <ComicInfo><Pages><Page Image="2" Type="FrontCover" Bookmark="Start"/><Page Image="0" Type="Story Delete"/>
        <Page Image="1" Type="Advertisment" DoublePage="1" Key="k"/></Pages></ComicInfo>
        """

    /// ComicRack lets people move pages in the list, without renaming files.
    @Test func theListOfAllPagesGivesTheirOrder() {
        var pages = pages(["a", "b", "c"])
        var warnings = [Warning(code: "x", page: 1, message: "of a"), Warning(code: "y", message: "of none")]
        let book = book([("ComicInfo.xml", Self.shuffled)], &pages, &warnings)
        #expect(pages.map(\.name) == ["c", "a", "b"] && pages.map(\.id) == [1, 2, 3])
        #expect(pages.map(\.sourceID) == [1, 2, 3])
        #expect(pages.map(\.roles) == [[.frontCover], [.story, .deleted], [.advertisement]])
        #expect(pages.map(\.isDoublePage) == [false, false, true])
        #expect(book.outline == [OutlineItem(title: "Start", page: 1, level: 0)])
        #expect(book.documents.map(\.pages) == [[2, 3, 1]])
        #expect(warnings.map(\.page) == [2, nil, nil] && warnings.last?.code == "page-order")
    }

    /// Written again, the pages are in order, and keep their metadata.
    @Test func aNewOrderIsWrittenAsTheOrder() throws {
        var (pages, warnings) = (pages(["a", "b", "c"]), [Warning]())
        var writer = ComicInfoWriter(book([("ComicInfo.xml", Self.shuffled)], &pages, &warnings))
        for page in pages {
            writer.add(.init(id: page.id, byteCount: 1, size: nil, isDouble: false, roles: page.roles))
        }
        let list = try #require(XMLReader.read(writer.xml).first("Pages")).elements
        #expect(list.map { $0["Image"] } == ["0", "1", "2"])
        #expect(list.map { $0["Type"] } == ["FrontCover", "Story Deleted", "Advertisement"])
        #expect(list.map { $0["Key"] } == [nil, nil, "k"])
    }

    @Test(arguments: ["<Page Image='1'/><Page Image='0'/>", "<Page Image='2'/><Page Image='1'/><Page Image='1'/>", ""])
    func aListThatIsNotOfAllPagesGivesNoOrder(_ list: String) {
        var (pages, warnings) = (pages(["a", "b", "c"]), [Warning]())
        _ = book([("ComicInfo.xml", "<ComicInfo><Pages>\(list)</Pages></ComicInfo>")], &pages, &warnings)
        #expect(pages.map(\.name) == ["a", "b", "c"] && warnings.isEmpty)
    }

    /// An unknown page type is kept with the page.
    @Test func unknownTypesStay() throws {
        let xml =
            "<ComicInfo><Pages><Page Image='0' Type='Story Poster'/><Page Image='1' Type='Map'/></Pages></ComicInfo>"
        var (pages, warnings) = (pages(["a", "b"]), [Warning]())
        var writer = ComicInfoWriter(book([("ComicInfo.xml", xml)], &pages, &warnings))
        for page in pages {
            writer.add(.init(id: page.id, byteCount: 1, size: nil, isDouble: false, roles: page.roles))
        }
        let list = try #require(XMLReader.read(writer.xml).first("Pages")).elements
        #expect(list.map { $0["Type"] } == ["Story Poster", "Map"])
    }

    // MARK: MetronInfo

    private static let metron = """
        <MetronInfo><Publisher id="1"><Name>DC</Name><Imprint>V</Imprint></Publisher>
        <Series lang="en"><Name>League</Name><SortName>L</SortName><Volume>2</Volume></Series><Number>1</Number>
        <Stories><Story>Part One</Story><Story>Part Two</Story></Stories><Summary>Sum</Summary>
        <Genres><Genre id="3">Super-Hero</Genre></Genres><Tags><Tag>New 52</Tag><Tag> </Tag></Tags>
        <CoverDate>2011-10-01</CoverDate><StoreDate>2011-08-31</StoreDate><PageCount>32</PageCount>
        <Credits><Credit><Creator>G. Johns</Creator><Roles><Role>Writer</Role><Role>Plot</Role></Roles></Credit>
        <Credit><Creator>J. Lee</Creator><Roles><Role>Penciller</Role><Role>Cover</Role></Roles></Credit>
        <Credit><Creator>R. Ogle</Creator><Roles><Role>Associate Editor</Role></Roles></Credit>
        <Credit><Creator>D. DiDio</Creator><Roles><Role>Publisher</Role></Roles></Credit>
        <Credit><Creator>Nobody</Creator></Credit></Credits>
        <GTIN><ISBN>978-0-8044-2957-3</ISBN><UPC>76194134274130111</UPC></GTIN></MetronInfo>
        """

    @Test func metronInfoIsRead() {
        var found = book("x/metroninfo.xml", Self.metron)
        #expect(found.documents.map(\.format) == ["MetronInfo"])
        found.documents = []
        #expect(
            found
                == BookMetadata(
                    title: "Part One; Part Two",
                    credits: [
                        Credit("G. Johns", .author), Credit("J. Lee", .penciller), Credit("J. Lee", .coverArtist),
                        Credit("R. Ogle", .editor), Credit("D. DiDio", .other), Credit("Nobody", .other),
                    ], series: "League", volume: "2", number: "1", publisher: "DC",
                    date: BookDate(year: 2011, month: 10, day: 1), summary: "Sum", genres: ["Super-Hero"],
                    tags: ["New 52"], isbn: ISBN("080442957X"), language: "en"))
    }

    /// Between archives it is carried over; elsewhere its lost fields are named.
    @Test func metronInfoIsCarriedOver() throws {
        var found = book("MetronInfo.xml", Self.metron)
        let carried = try #require(MetronInfo.carried(by: found, books: [0], pageCount: 7))
        let (old, new) = (try XMLReader.read(Array(Self.metron.utf8)), try XMLReader.read(carried))
        #expect(new.first("PageCount")?.text == "7" && new.elements.map(\.name) == old.elements.map(\.name))
        #expect(new.descendant("Summary")?.text == "Sum")
        let lost = ["Summary", "Genres", "Tags", "StoreDate", "Imprint", "SortName", "ISBN", "UPC"]
        let archive = SinkCapabilities(formats: nil, metadata: ["ComicInfo", "MetronInfo"])
        #expect(MetadataLoss.fields(of: found, in: archive) == ["people with other roles"])
        #expect(MetadataLoss.fields(of: found, in: SinkCapabilities(formats: nil)) == lost)
        #expect(MetronInfo.carried(by: found, books: [0, 1], pageCount: 7) == nil)
        found.documents[0].isCurrent = false
        let unchanged = try #require(MetronInfo.carried(by: found, books: [0], pageCount: 7))
        #expect(unchanged == carried)
        // The document says the new facts as well, so that nothing of it is lost.
        found.summary = "Another, of a ComicInfo.xml that counts first"
        found.tags = []
        #expect(MetadataLoss.fields(of: found, in: archive) == ["people with other roles"])
        let changed = try XMLReader.read(#require(MetronInfo.carried(by: found, books: [0], pageCount: 7)))
        #expect(changed.descendant("Summary")?.text == "Another, of a ComicInfo.xml that counts first")
        #expect(changed.descendant("Tag") == nil && changed.descendant("UPC") != nil)
    }

    // MARK: ACBF

    @Test func acbfIsRead() {
        let xml = """
            <ACBF xmlns="http://www.acbf.info/xml/acbf/1.1"><meta-data><book-info>
            <author activity="Writer"><first-name>Cory</first-name><last-name>Doctorow</last-name></author>
            <author activity="Artist"><nickname>Paul</nickname></author>
            <author activity="CoverArtist"><first-name>P</first-name><middle-name>Q</middle-name><last-name>R</last-name></author>
            <author activity="Assistant Editor"><nickname>T</nickname></author><author activity="Other"><nickname>O</nickname></author>
            <author><first-name/></author>
            <book-title>Craphound</book-title><genre>humor</genre><genre match="50"> science_fiction </genre><keywords>a, b,</keywords><annotation><p>A</p><p>B
            C</p></annotation>
            <coverpage><image href="c.jpg"/></coverpage><languages><text-layer lang="sk"/><text-layer lang="sk" show="false"/></languages>
            <sequence title="Tales" volume="1">3</sequence><reading-direction>RTL</reading-direction></book-info>
            <publish-info><publisher>R</publisher><publish-date value="2012-05-01">May</publish-date><city>L</city>
            <isbn>978-0-8044-2957-3</isbn><license>CC BY</license></publish-info></meta-data>
            <body><page><title>Old Lady</title><image href="1.jpg"/><text-layer lang="sk"/></page><page><image href="2.jpg"/></page></body></ACBF>
            """
        var (pages, warnings) = (pages(["d/1.jpg", "d/2.jpg", "d/c.jpg"]), [Warning]())
        var found = book([("d/x.acbf", xml)], &pages, &warnings)
        #expect(pages.map(\.roles) == [[], [], [.frontCover]] && warnings.isEmpty)
        #expect(
            MetadataLoss.fields(of: found, in: SinkCapabilities(formats: nil)) == [
                "genre", "keywords", "annotation", "city", "isbn", "license", "text-layer",
            ])
        for (format, lost) in [
            ("JSON", ["city", "text-layer"]),
            ("ComicInfo", ["rights", "people with other roles", "city", "text-layer"]),
        ] {
            let output = SinkCapabilities(formats: nil, metadata: [format])
            #expect(MetadataLoss.fields(of: found, in: output) == lost)
        }
        found.documents = []
        #expect(
            found
                == BookMetadata(
                    title: "Craphound",
                    credits: [
                        Credit("Cory Doctorow", .author), Credit("Paul", .artist), Credit("P Q R", .coverArtist),
                        Credit("T", .editor), Credit("O", .other),
                    ], series: "Tales", volume: "1", number: "3", publisher: "R",
                    date: BookDate(year: 2012, month: 5, day: 1), summary: "A\n\nB C",
                    genres: ["humor", "science_fiction"], tags: ["a", "b"], isbn: ISBN("080442957X"), rights: "CC BY",
                    language: "sk", direction: .rightToLeft,
                    outline: [OutlineItem(title: "Old Lady", page: 1, level: 0)]))
    }

    // MARK: Several

    /// ComicInfo.xml comes first, and the others supply the missing fields.
    @Test func documentsFillEachOther() {
        var (pages, warnings) = (pages(["1.jpg"]), [Warning]())
        let comic = "<ComicInfo><Title>T</Title><Volume>9</Volume><Editor>E</Editor></ComicInfo>"
        let found = book([("ComicInfo.xml", comic), ("MetronInfo.xml", Self.metron)], &pages, &warnings)
        #expect(found.title == "T" && found.series == "League" && found.publisher == "DC")
        #expect(found.volume == "9" && found.number == nil, "a number counts in its own document's volume")
        #expect(found.credits == [Credit("E", .editor)])
        #expect(found.documents.map(\.format) == ["ComicInfo", "MetronInfo"])
    }

    @Test func aDocumentThatCannotBeReadLeavesTheOthers() {
        var (pages, warnings) = (pages(["1.jpg"]), [Warning]())
        let found = book([("ComicInfo.xml", "<ComicInfo>"), ("MetronInfo.xml", Self.metron)], &pages, &warnings)
        #expect(found.series == "League" && warnings.map(\.code) == ["bad-metadata"])
    }
}
