import AdapterKit
import PageModel
import Testing

@testable import Metadata

/// A ComicInfo.xml that is carried over into an output with a form of its own.
@Suite struct CarriedDocumentsTests {
    private static let xml = """
        <?xml version="1.0"?><ComicInfo><Title>T</Title><Series>S</Series><Volume>3</Volume><Summary>Old</Summary>\
        <Notes>n</Notes><Genre>G</Genre><Tags>H</Tags><Manga>Yes</Manga>\
        <Pages><Page Image="0" Key="k"/><Page Image="1" DoublePage="true" Bookmark="B"/></Pages></ComicInfo>
        """
    /// Its metadata in a form without volumes and tags.
    private static let ownMetadata = BookMetadata(
        title: "T", series: "S", number: "3", summary: "Old", genres: ["G", "H"])

    private func pages(_ count: Int) -> [Page] {
        struct Never: Error {}
        return (1...count).map { Page(id: $0, name: "\($0)") { throw Never() } }
    }

    private func merged(
        _ ownMetadata: BookMetadata, statement: [UInt8]? = CarriedDocuments.statement(of: ownMetadata),
        _ pages: inout [Page]
    ) -> BookMetadata {
        var warnings: [Warning] = []
        let file = BookDocument.File(path: "ComicInfo.xml") { Array(Self.xml.utf8) }
        let book = CarriedDocuments.merged(
            ownMetadata, statement: statement, files: [file], for: &pages, warnings: &warnings)
        #expect(warnings.isEmpty)
        return book
    }

    @Test func unchangedBookKeepsItsDocumentsMetadata() throws {
        var pages = pages(2)
        let book = merged(Self.ownMetadata, &pages)
        #expect(book.volume == "3" && book.number == nil && book.genres == ["G"] && book.tags == ["H"])
        #expect(book.outline == [OutlineItem(title: "B", page: 2, level: 0)])
        #expect(pages[1].isDoublePage && book.documents.map(\.isCurrent) == [true])
        var writer = ComicInfoWriter(book)
        for page in pages { writer.add(.init(id: page.id, byteCount: 1, size: nil, isDouble: page.isDoublePage)) }
        let root = try XMLReader.read(writer.xml)
        let own = try XMLReader.read(Array(Self.xml.utf8))
        let isOfPages = { (element: XMLElement) in ["PageCount", "Pages"].contains(element.name.local) }
        #expect(root.elements.filter { !isOfPages($0) } == own.elements.filter { !isOfPages($0) })
        #expect(root.elements.last?.elements.first?["Key"] == "k")
    }

    @Test func changesByOtherProgramsTakePrecedence() {
        var changed = Self.ownMetadata
        (changed.title, changed.summary) = ("New", nil)
        var pages = pages(2)
        let book = merged(changed, &pages)
        #expect(book.title == "New" && book.summary == nil && book.volume == "3")
        #expect(book.documents.map(\.isCurrent) == [false])
    }

    private func manga(_ book: BookMetadata) throws -> String? {
        var writer = ComicInfoWriter(book)
        for id in 1...2 { writer.add(.init(id: id, byteCount: 1, size: nil, isDouble: false)) }
        return try XMLReader.read(writer.xml).elements.first { $0.name.local == "Manga" }?.text
    }

    /// An EPUB states a direction even if the document does not. The document stays as it is.
    @Test func inferredDirectionOfTheOutputDoesNotChangeTheDocument() throws {
        var own = Self.ownMetadata
        own.direction = .rightToLeft
        let record = CarriedDocuments.statement(of: own)
        for statement in [record, nil] {
            var pages = pages(2)
            let book = merged(own, statement: statement, &pages)
            #expect(book.direction == .rightToLeft && book.isDirectionInferred)
            #expect(try manga(book) == "Yes")
        }
        // The EPUB itself, when it is made.
        var pages = pages(2)
        var book = merged(Self.ownMetadata, &pages)
        #expect(book.direction == nil && !book.isDirectionInferred)
        (book.direction, book.isDirectionInferred) = (.leftToRight, true)
        #expect(try manga(book) == "Yes")
        // Another program changed the direction.
        own.direction = .leftToRight
        let changed = merged(own, statement: record, &pages)
        #expect(changed.direction == .leftToRight && !changed.isDirectionInferred)
        #expect(try manga(changed) == "No")
    }

    @Test func documentOfOtherPagesGivesNoPageMetadata() {
        var pages = pages(3)
        let book = merged(Self.ownMetadata, &pages)
        #expect(book.volume == "3" && book.outline.isEmpty && pages.map(\.isDoublePage) == [false, false, false])
        #expect(book.documents.map(\.pages) == [[]])
    }

    @Test(arguments: [nil, "", "[]", "{\"jisui\": 1, \"title\": 7.5e400}"])
    func withoutAStatementTheFormItselfCountsMore(_ statement: String?) {
        var pages = pages(2)
        let book = merged(
            BookMetadata(title: "Own"), statement: statement.map { Array($0.utf8) }, &pages)
        #expect(book.title == "Own" && book.series == "S" && book.volume == "3")
    }

    @Test func outputsThatCarryTheDocumentLoseNothingOfOneBook() {
        var pages = pages(2)
        let book = merged(Self.ownMetadata, &pages)
        var output = SinkCapabilities(formats: nil, metadata: [OPFMetadata.format])
        #expect(MetadataLoss.fields(of: book, in: output) == ["Notes"])
        output.carriedDocuments = CarriedDocuments.formats
        #expect(MetadataLoss.fields(of: book, in: output) == [])
        #expect(MetadataLoss.fields(of: book, books: [0, 1], in: output) == ["Notes"])
    }
}
