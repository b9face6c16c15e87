import PageModel
import Testing

@Suite struct MetadataFieldTests {
    private let book = BookMetadata(
        title: "A", authors: ["W"], series: "S", number: "1", publisher: "P", genres: ["G", "H"], tags: ["T"],
        language: "ja", direction: .rightToLeft)

    /// The order of the keys in reports and in the web reader's files.
    @Test func keysKeepTheirOrder() {
        #expect(
            MetadataField.all.map(\.key) == [
                "title", "creators", "series", "volume", "number", "publisher", "date", "summary", "genres", "tags",
                "isbn", "rights", "language", "direction",
            ])
        #expect(Set(MetadataField.all.map(\.warningName)).count == MetadataField.all.count)
    }

    @Test func statedFieldsReplaceOthers() {
        var replaced = book
        replaced.replace(with: BookMetadata(title: "B", volume: "2", rights: "CC0"))
        #expect((replaced.title, replaced.volume, replaced.rights) == ("B", "2", "CC0"))
        #expect(replaced.authors == ["W"] && replaced.genres == ["G", "H"] && replaced.direction == .rightToLeft)
    }

    @Test func missingFieldsAreFilled() {
        var completed = BookMetadata(title: "B")
        completed.complete(with: book)
        #expect(completed.title == "B" && completed.authors == ["W"] && completed.number == "1")
        #expect(completed.direction == .rightToLeft && completed.tags == ["T"])
    }

    /// A volume is not combined with the number of another source.
    @Test func volumeStaysWithItsNumber() {
        var completed = BookMetadata(volume: "7")
        completed.complete(with: book)
        #expect(completed.volume == "7" && completed.number == nil)
    }

    @Test func joinedBooksKeepCommonValues() {
        let next = BookMetadata(
            title: "B", credits: [Credit("W", .author), Credit("I", .inker)], series: "X", number: "2", publisher: "P",
            summary: "s", genres: ["H"], tags: ["T"], language: "en", direction: .leftToRight)
        #expect(book.fieldsLost(joining: next) == ["Series", "Summary", "Genre", "LanguageISO"])
        var joined = book
        joined.join(next)
        #expect(joined.title == "A" && joined.series == "S" && joined.number == "1" && joined.publisher == "P")
        #expect(joined.credits == [Credit("W", .author), Credit("I", .inker)])
        #expect(joined.summary == nil && joined.genres == ["H"] && joined.tags == ["T"])
        #expect(joined.language == "ja" && joined.direction == .rightToLeft)
    }
}
