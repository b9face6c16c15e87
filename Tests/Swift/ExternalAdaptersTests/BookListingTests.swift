import OrderedJSON
import PageModel
import Testing

@testable import ExternalAdapters

/// The metadata that plug-ins receive of a book, and that jisui accepts from them.
@Suite struct BookListingTests {
    @Test func metadataRoundTripsThroughPluginJSON() {
        let book = BookMetadata(
            title: "T <&>", authors: ["A", "B, Jr."], series: "S", number: "2.5", publisher: "P",
            date: BookDate(year: 2019, month: 5), summary: "One\n\nTwo", genres: ["A", "B, C"], tags: ["D"],
            isbn: ISBN("080442957X"), rights: "© P", language: "ja", direction: .rightToLeft)
        #expect(BookMetadata(plugin: book.forPlugin) == book)
        #expect(BookMetadata(plugin: BookMetadata().forPlugin) == BookMetadata())
    }

    @Test func metadataOfTheWrongTypeIsIgnored() {
        let json: JSON = [
            "title": 3, "authors": "A", "date": "May", "summary": ["x"], "genres": [1, "G", "G"], "isbn": "123",
            "rights": "two\nlines", "direction": "down",
        ]
        #expect(BookMetadata(plugin: json) == BookMetadata(genres: ["G"], rights: "two lines"))
    }
}
