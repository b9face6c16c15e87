import AdapterKit
import PageModel
import Testing

@testable import ExternalAdapters

/// What plug-ins are told of a book, and what is taken from them.
@Suite struct BookListingTests {
    @Test func whatIsToldIsTaken() {
        let book = BookMetadata(
            title: "T <&>", authors: ["A", "B, Jr."], series: "S", number: "2.5", publisher: "P",
            date: BookDate(year: 2019, month: 5), summary: "One\n\nTwo", genres: ["A", "B, C"], tags: ["D"],
            isbn: ISBN("080442957X"), rights: "© P", language: "ja", direction: .rightToLeft)
        #expect(BookMetadata(plugin: book.forPlugin) == book)
        #expect(BookMetadata(plugin: BookMetadata().forPlugin) == BookMetadata())
    }

    @Test func whatIsOfAnotherKindIsPassedOver() {
        let json: JSON = [
            "title": 3, "authors": "A", "date": "May", "summary": ["x"], "genres": [1, "G", "G"], "isbn": "123",
            "rights": "two\nlines", "direction": "down",
        ]
        #expect(BookMetadata(plugin: json) == BookMetadata(genres: ["G"], rights: "two lines"))
    }
}
