import Metadata
import PageModel
import Testing

@testable import Conversion

@Suite struct MetadataOptionTests {
    private static let drawn = [
        Credit("P", .penciller), Credit("I", .inker), Credit("K", .colorist), Credit("D", .artist),
        Credit("E", .editor),
    ]

    /// Returns the credits of a book with a writer after the options have replaced them.
    private func credits(_ configure: (inout MetadataOptions) throws -> Void) rethrows -> [Credit] {
        var options = MetadataOptions()
        try configure(&options)
        var sequence = PageSequence(book: BookMetadata(authors: ["W"], credits: Self.drawn), pages: [])
        options.apply(to: &sequence)
        return sequence.book.credits
    }

    @Test func authorKeepsThoseWhoDrewTheBook() {
        #expect(
            credits { $0.book.replaceAuthors(with: ["A", "B"]) } == [.init("A", .author), .init("B", .author)]
                + Self.drawn)
        #expect(credits { $0.book.replaceAuthors(with: ["P"]) } == [.init("P", .author)] + Self.drawn)
    }

    @Test func metadataFileWithAuthorsKeepsOtherContributors() throws {
        let named = try credits { $0.file = try MetadataFile(Array(#"{"authors": ["A"]}"#.utf8)) }
        #expect(named == [.init("A", .author)] + Self.drawn)
    }

    @Test func metadataFileWithCreatorsReplacesAll() throws {
        let text = #"{"authors": ["A"], "creators": [{"name": "A", "role": "inker"}]}"#
        #expect(try credits { $0.file = try MetadataFile(Array(text.utf8)) } == [.init("A", .inker)])
    }
}
