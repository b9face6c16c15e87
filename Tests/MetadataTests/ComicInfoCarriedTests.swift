import AdapterKit
import Metadata
import PageModel
import Testing

/// A ComicInfo that goes from one book into another.
@Suite struct ComicInfoCarriedTests {
    private static let rich = """
        <?xml version="1.0"?>
        <ComicInfo xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
          <Title>T &amp; U</Title>
          <Series>S</Series>
          <Number>3</Number>
          <Volume>2</Volume>
          <Summary>One line
        and another.</Summary>
          <Writer>W</Writer>
          <Penciller>P, Q</Penciller>
          <Colorist>C</Colorist>
          <Unknown kind="odd"><Inner>x</Inner></Unknown>
          <PageCount>99</PageCount>
          <Manga>Yes</Manga>
          <Pages>
            <Page Image="0" Type="Other" ImageSize="1" Key="k" xsi:nil="false"/>
            <Page Image="1" Type="FrontCover" Bookmark="Start"/>
            <Page Image="2" Type="Story" DoublePage="True" New="thing"/>
          </Pages>
          <!-- tagged by hand -->
          <AgeRating>Everyone</AgeRating>
        </ComicInfo>
        """

    private func pages(_ count: Int) -> [Page] {
        struct Never: Error {}
        return (1...count).map { Page(id: $0, name: "\($0)") { throw Never() } }
    }

    private func book(_ xml: String, pages count: Int = 3) throws -> BookMetadata {
        var pages = pages(count)
        var warnings: [Warning] = []
        let book = ComicInfo.metadata(from: "ComicInfo.xml", for: &pages, warnings: &warnings) { Array(xml.utf8) }
        #expect(warnings.isEmpty)
        return book
    }

    private func write(_ book: BookMetadata, _ pages: [(id: Int, book: Int)]) throws -> XMLElement {
        var writer = ComicInfoWriter(book)
        for page in pages {
            writer.add(.init(id: page.id, book: page.book, byteCount: 7, size: nil, isDouble: page.id == 3))
        }
        return try XMLReader.read(writer.xml)
    }

    @Test func everythingSurvivesButWhatHasChanged() throws {
        let root = try write(book(Self.rich), [(1, 0), (3, 0)])
        let old = try XMLReader.read(Array(Self.rich.utf8))
        let changed: Set<String> = ["PageCount", "Pages"]
        func others(_ root: XMLElement) -> [XMLElement] {
            root.elements.filter { !changed.contains($0.name.local) }.map(withoutBlanks)
        }
        #expect(others(root) == others(old))
        #expect(root.elements.map(\.name) == old.elements.map(\.name))
        #expect(root.namespaces == old.namespaces)
        #expect(root.nodes.contains(.comment(" tagged by hand ")))
        #expect(root.first("PageCount")?.text == "2")
        let pages = try #require(root.first("Pages")).elements
        #expect(pages.map { $0["Image"] } == ["0", "1"])
        #expect(pages.map { $0["Type"] } == ["Other", "Story"])
        #expect(pages.map { $0["ImageSize"] } == ["7", "7"])
        #expect(pages.map { $0["DoublePage"] } == [nil, "true"])
        #expect(pages[0]["Key"] == "k" && pages[1]["New"] == "thing")
        #expect(pages[0][XMLName("nil", in: "http://www.w3.org/2001/XMLSchema-instance")] == "false")
    }

    @Test func bookmarksOfPagesThatAreStillThereSurvive() throws {
        let pages = try #require(write(book(Self.rich), [(2, 0), (3, 0)]).first("Pages")).elements
        #expect(pages.map { $0["Bookmark"] } == ["Start", nil])
        #expect(pages.map { $0["Type"] } == ["FrontCover", "Story"])
    }

    @Test func aChangedFactIsBroughtUpToDate() throws {
        var book = try book(Self.rich)
        #expect(book.authors == ["W", "P", "Q", "C"] && book.direction == nil)
        book.direction = .rightToLeft
        book.title = "New"
        book.authors = ["Z"]
        let root = try write(book, [(1, 0)])
        #expect(root.first("Manga")?.text == "YesAndRightToLeft")
        #expect(root.first("Title")?.text == "New")
        #expect(root.first("Writer")?.text == "Z")
        #expect(root.first("Penciller") == nil && root.first("Colorist") == nil)
        #expect(root.first("Summary")?.text == "One line\nand another.")
    }

    /// Written again and again, the document stays as it is.
    @Test func writingAgainChangesNothing() throws {
        let once = try write(book(Self.rich), [(1, 0), (2, 0), (3, 0)])
        let again = try write(book(String(decoding: once.document, as: UTF8.self)), [(1, 0), (2, 0), (3, 0)])
        #expect(again == once)
    }

    /// The element without the blanks between the elements in it, which are made anew.
    private func withoutBlanks(_ element: XMLElement) -> XMLElement {
        var copy = element
        guard !element.elements.isEmpty else { return copy }
        copy.nodes = element.elements.map { .element(withoutBlanks($0)) }
        return copy
    }

    // MARK: Several books

    private func joined() throws -> BookMetadata {
        let one = """
            <ComicInfo><Title>T</Title><Series>S</Series><Number>1</Number><Publisher>P</Publisher><Summary>a</Summary>
            <Pages><Page Image="0" Type="FrontCover"/><Page Image="1" Type="Story"/></Pages></ComicInfo>
            """
        let two = """
            <ComicInfo><Title>U</Title><Series>S</Series><Number>2</Number><Publisher>P</Publisher><Summary>b</Summary>
            <Pages><Page Image="0" Type="Preview"/></Pages></ComicInfo>
            """
        var all = try book(one, pages: 2)
        all.documents += try book(two, pages: 1).documents.map { document in
            var copy = document
            copy.book = 1
            copy.firstPage += 2
            return copy
        }
        return all
    }

    @Test func ofSeveralBooksWhatTheyHaveInCommonRemains() throws {
        let root = try write(joined(), [(1, 0), (2, 0), (3, 1)])
        #expect(root.first("Series")?.text == "S" && root.first("Publisher")?.text == "P")
        #expect(root.first("Summary") == nil)
        #expect(try #require(root.first("Pages")).elements.map { $0["Type"] } == ["FrontCover", "Story", "Preview"])
    }

    /// A third book says nothing: nothing is common to all, but what is known of the pages stays.
    @Test func aBookWithoutADocumentHasNothingInCommon() throws {
        var all = try joined()
        all.publisher = nil
        let root = try write(all, [(1, 0), (3, 1), (4, 2)])
        #expect(root.first("Publisher") == nil)
        #expect(root.first("Title")?.text == "T")
        #expect(try #require(root.first("Pages")).elements.map { $0["Type"] } == ["FrontCover", "Preview", nil])
    }

    // MARK: Loss

    private static let comic = SinkCapabilities(formats: nil, metadata: ["ComicInfo"])
    private static let plain = SinkCapabilities(formats: nil)

    @Test func whatIsLostIsNamed() throws {
        let book = try book(Self.rich)
        #expect(MetadataLoss.fields(of: book, in: Self.comic).isEmpty)
        #expect(MetadataLoss.warning(of: book, in: Self.comic) == nil)
        let beyond = ["Volume", "Summary", "Penciller", "Colorist", "Unknown", "AgeRating"]
        #expect(MetadataLoss.fields(of: book, in: Self.plain) == beyond)
        let warning = MetadataLoss.warning(of: book, in: Self.plain)
        #expect(warning?.code == "metadata-dropped" && warning?.message.contains("Summary") == true)
        #expect(MetadataLoss.fields(of: try joined(), in: Self.comic) == ["Summary"])
    }

    /// What jisui itself writes for a book without metadata is no reason to warn.
    @Test func aPlainBookLosesNothing() throws {
        var writer = ComicInfoWriter(BookMetadata(title: "T", direction: .rightToLeft))
        writer.add(.init(id: 1, byteCount: 3, size: nil, isDouble: false))
        let book = try book(String(decoding: writer.xml, as: UTF8.self), pages: 1)
        #expect(MetadataLoss.warning(of: book, in: Self.plain) == nil)
    }
}
