import AdapterKit
import PageModel
import Testing

@testable import Metadata

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

    /// The pages that were read from `rich`.
    private static let roles: [Int: [PageRole]] = [1: [.other], 2: [.frontCover], 3: [.story]]

    private func pages(_ count: Int) -> [Page] {
        struct Never: Error {}
        return (1...count).map { Page(id: $0, name: "\($0)") { throw Never() } }
    }

    private func book(_ xml: String, pages count: Int = 3) throws -> BookMetadata {
        var pages = pages(count)
        var warnings: [Warning] = []
        let file = BookDocument.File(path: "ComicInfo.xml") { Array(xml.utf8) }
        let book = BookDocument.metadata(from: [file], for: &pages, warnings: &warnings)
        #expect(warnings.isEmpty)
        return book
    }

    private func write(
        _ book: BookMetadata, _ pages: [(id: Int, book: Int)], roles: [Int: [PageRole]] = ComicInfoCarriedTests.roles
    ) throws -> XMLElement {
        var writer = ComicInfoWriter(book)
        for page in pages {
            writer.add(
                .init(
                    id: page.id, book: page.book, byteCount: 7, size: nil, isDouble: page.id == 3,
                    roles: roles[page.id] ?? []))
        }
        return try XMLReader.read(writer.xml)
    }

    @Test func unchangedElementsAreKept() throws {
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
        book.replaceAuthors(with: ["Z"])
        let root = try write(book, [(1, 0)])
        #expect(root.first("Manga")?.text == "YesAndRightToLeft")
        #expect(root.first("Title")?.text == "New")
        #expect(root.first("Writer")?.text == "Z")
        #expect(root.first("Penciller")?.text == "P, Q" && root.first("Colorist")?.text == "C")
        #expect(root.first("Summary")?.text == "One line\nand another.")
    }

    /// Written again and again, the document stays as it is.
    @Test func writingAgainChangesNothing() throws {
        let once = try write(book(Self.rich), [(1, 0), (2, 0), (3, 0)])
        let again = try write(book(String(decoding: once.document, as: UTF8.self)), [(1, 0), (2, 0), (3, 0)])
        #expect(again == once)
    }

    /// The element without the blanks between the elements in it, which are generated again.
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
        // As of every fact that the books do not share.
        all.summary = nil
        all.documents += try book(two, pages: 1).documents.map { document in
            var copy = document
            copy.book = 1
            copy.pages = document.pages.map { $0 + 2 }
            return copy
        }
        return all
    }

    @Test func severalBooksKeepTheirCommonMetadata() throws {
        let root = try write(
            joined(), [(1, 0), (2, 0), (3, 1)], roles: [1: [.frontCover], 2: [.story], 3: [.preview]])
        #expect(root.first("Series")?.text == "S" && root.first("Publisher")?.text == "P")
        #expect(root.first("Summary") == nil)
        #expect(try #require(root.first("Pages")).elements.map { $0["Type"] } == ["FrontCover", "Story", "Preview"])
    }

    /// A third book has no metadata: no field is common to all, but the metadata of the pages stay.
    @Test func aBookWithoutADocumentHasNothingInCommon() throws {
        var all = try joined()
        all.publisher = nil
        let root = try write(all, [(1, 0), (3, 1), (4, 2)], roles: [1: [.frontCover], 3: [.preview]])
        #expect(root.first("Publisher") == nil)
        #expect(root.first("Title")?.text == "T")
        #expect(try #require(root.first("Pages")).elements.map { $0["Type"] } == ["FrontCover", "Preview", nil])
    }

    // MARK: Loss

    private static let comic = SinkCapabilities(
        formats: nil, features: [.pageRoles, .outline], metadata: ["ComicInfo"])
    private static let plain = SinkCapabilities(formats: nil)

    /// - Parameter books: the books that three pages are of.
    private func warnings(_ book: BookMetadata, _ output: SinkCapabilities, books: [Int] = [0, 0, 0]) -> [Warning] {
        var pages = pages(3)
        for (index, book) in books.enumerated() { pages[index].book = book }
        return MetadataLoss.warnings(of: PageSequence(book: book, pages: pages), in: output)
    }

    @Test func anOutlineThatHasNoPlaceIsNamed() {
        let book = BookMetadata(outline: [OutlineItem(title: "One", page: 1, level: 0)])
        let warnings = warnings(book, Self.plain)
        #expect(warnings.map(\.code) == ["outline-dropped"] && warnings.allSatisfy(\.isNote))
    }

    @Test func factsThatHaveNoPlaceAreNamed() {
        var book = BookMetadata(title: "One", language: "en")
        let notes = warnings(book, Self.plain)
        #expect(notes.map(\.code) == ["metadata-not-stored"] && notes.allSatisfy(\.isNote))
        #expect(notes[0].message.english.hasPrefix("the output cannot store the book's title and language"))
        #expect(warnings(book, Self.comic).isEmpty)
        // The name of its file is not a loss.
        (book.isNamedByInput, book.language) = (true, nil)
        #expect(warnings(book, Self.plain).isEmpty)
    }

    @Test func levelsAndHeadingsThatBookmarksCannotHoldAreNamed() {
        var book = BookMetadata(outline: [OutlineItem(title: "One", page: 1, level: 0)])
        #expect(warnings(book, Self.comic).isEmpty)
        book.outline += [
            OutlineItem(title: "Two", page: 2, level: 1), OutlineItem(title: "Nowhere", page: nil, level: 0),
        ]
        let notes = warnings(book, Self.comic)
        #expect(notes.map(\.code) == ["outline-flattened"] && notes.allSatisfy(\.isNote))
        #expect(notes[0].message.english.contains("lost its levels and 1 heading without a page"))
    }

    @Test func lostFieldsAreNamed() throws {
        let book = try book(Self.rich)
        #expect(MetadataLoss.fields(of: book, in: Self.comic).isEmpty)
        #expect(warnings(book, Self.comic).isEmpty)
        let all = [
            "Title", "Series", "Number", "Volume", "Summary", "Writer", "Penciller", "Colorist", "Unknown", "AgeRating",
        ]
        #expect(MetadataLoss.fields(of: book, in: Self.plain) == all)
        let warning = warnings(book, Self.plain).first
        #expect(warning?.code == "metadata-dropped" && warning?.message.english.contains("Summary") == true)
        let differing = warnings(try joined(), Self.comic, books: [0, 0, 1])
        #expect(
            differing.count == 1
                && differing.first?.message.english.hasSuffix("left out: Summary") == true)
    }

    /// A number that is no ISBN is kept, unless another was asked for.
    @Test func otherNumbersStay() throws {
        var book = try book("<ComicInfo><GTIN>76194134274130111</GTIN></ComicInfo>")
        book.isbn = ISBN("080442957X")
        #expect(try write(book, [(1, 0)]).first("GTIN")?.text == "76194134274130111")
        #expect(MetadataLoss.fields(of: book, in: Self.comic) == ["ISBN"])
        #expect(MetadataLoss.fields(of: book, in: SinkCapabilities(formats: nil, metadata: ["OPF"])) == ["GTIN"])
        // Beside it a MetronInfo.xml says the other.
        let metron = "<MetronInfo><GTIN><ISBN>080442957X</ISBN></GTIN></MetronInfo>"
        var both = book
        both.documents.append(SourceDocument(format: "MetronInfo", bytes: Array(metron.utf8)))
        let archive = SinkCapabilities(formats: nil, metadata: ComicDocuments.formats)
        #expect(MetadataLoss.fields(of: both, in: archive).isEmpty)
        book.documents[0].isCurrent = false
        #expect(try write(book, [(1, 0)]).first("GTIN")?.text == "9780804429573")
        #expect(MetadataLoss.fields(of: book, in: Self.comic).isEmpty)
    }

    /// The same number may be written in several ways; a difference is reported once.
    @Test func numbersOfBooksAreComparedAsNumbers() throws {
        func messages(_ other: String, in format: String) throws -> [Message] {
            var books = try ["080442957X", other].enumerated().map { index, number in
                var book = try book("<ComicInfo><GTIN>\(number)</GTIN></ComicInfo>")
                book.documents[0].book = index
                return book
            }
            books[0].conflictingFields = books[0].fieldsLost(joining: books[1])
            if books[0].isbn != books[1].isbn { books[0].isbn = nil }
            books[0].documents += books[1].documents
            let output = SinkCapabilities(formats: nil, features: [.pageRoles], metadata: [format])
            return warnings(books[0], output, books: [0, 1, 1]).map(\.message)
        }
        for format in ["ComicInfo", "OPF", "XMP", "JSON"] {
            #expect(try messages("978-0-8044-2957-3", in: format).isEmpty)
            #expect(
                try messages("9780306406157", in: format) == [
                    "the metadata of the books differs; left out: GTIN"
                ])
        }
    }

    /// A book without a document has nothing in common with the others.
    @Test func fieldsOfOnlySomeBooksAreLost() throws {
        let lost = warnings(try joined(), Self.comic, books: [0, 1, 2])
        #expect(lost.map { $0.message.english.hasSuffix("left out: Publisher, Summary") } == [true])
    }

    /// For books without documents as well, in every format that could store the fields.
    @Test func unsharedFieldsAreNamed() {
        let one = BookMetadata(series: "S", publisher: "P", summary: "a", genres: ["A", "B"], language: "en")
        var other = BookMetadata(
            series: "S", volume: "2", publisher: "P", date: BookDate(year: 2001), summary: "b", genres: ["B"],
            tags: ["t"], language: "fr")
        other.conflictingFields = one.fieldsLost(joining: other)
        #expect(other.conflictingFields == ["Volume", "Year", "Summary", "Genre", "Tags", "LanguageISO"])
        #expect(one.fieldsLost(joining: one).isEmpty)
        let message = "the metadata of the books differs; left out: "
        for (format, isReported) in [("ComicInfo", true), ("OPF", true), ("XMP", true), (nil, false)] {
            let output = SinkCapabilities(formats: nil, metadata: format.map { [$0] } ?? [])
            let messages = MetadataLoss.warnings(of: PageSequence(book: other, pages: []), in: output)
                .map(\.message.english)
            #expect(messages.contains(message + other.conflictingFields.joined(separator: ", ")) == isReported)
        }
    }

    /// The document that jisui writes for a book without metadata is not a reason to warn.
    @Test func aPlainBookLosesNothing() throws {
        var writer = ComicInfoWriter(BookMetadata(title: "T", direction: .rightToLeft))
        writer.add(.init(id: 1, byteCount: 3, size: nil, isDouble: false))
        let book = try book(String(decoding: writer.xml, as: UTF8.self), pages: 1)
        #expect(warnings(book, Self.plain).filter { !$0.isNote }.isEmpty)
    }

    /// Each output names the fields that it cannot store.
    @Test(arguments: [
        (["ComicInfo"], ["Volume", "the adapter", "people with other roles"]),
        (["OPF"], ["Volume", "Number"]), (["XMP"], ["Volume"]), ([], []),
    ])
    func factsWithoutAPlaceAreNamed(_ formats: [String], _ lost: [String]) {
        let book = BookMetadata(
            credits: [Credit("A", .adapter), Credit("B", .other), Credit("C", .artist), Credit("D", .letterer)],
            series: "S", volume: "Second", number: "3a")
        #expect(MetadataLoss.fields(of: book, in: SinkCapabilities(formats: nil, metadata: Set(formats))) == lost)
    }

    /// ComicInfo separates names by commas, and has no way to write one.
    @Test func commaInANameHasAWarning() {
        let book = BookMetadata(credits: [Credit("King, Jr.", .letterer), Credit("Plain", .author)])
        #expect(
            warnings(book, Self.comic).map { $0.message.english.hasSuffix("split these names: 'King, Jr.'") } == [true])
        #expect(warnings(book, SinkCapabilities(formats: nil, metadata: ["OPF"])).isEmpty)
        #expect(warnings(BookMetadata(authors: ["A, B"]), Self.comic).isEmpty, "as a PDF names several")
    }

    /// A page that was hidden from readers is not shown without a warning.
    @Test func deletedPagesHaveAWarningIfUnsupported() {
        var pages = pages(3)
        pages[1].roles = [.deleted]
        pages[2].roles = [.backCover]
        let sequence = PageSequence(book: BookMetadata(), pages: pages)
        #expect(MetadataLoss.warnings(of: sequence, in: Self.comic).isEmpty)
        #expect(MetadataLoss.warnings(of: sequence, in: Self.plain).map(\.code) == ["deleted-pages"])
        let warned = MetadataLoss.warnings(of: sequence, in: SinkCapabilities(formats: nil, metadata: ["XMP"]))
        #expect(warned.map(\.code) == ["deleted-pages", "metadata-dropped"])
        #expect(warned.last?.message.english.hasSuffix("lost: BackCover") == true)
    }
}
