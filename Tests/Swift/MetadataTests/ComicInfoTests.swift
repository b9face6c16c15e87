import PageModel
import Testing

@testable import Metadata

@Suite struct ComicInfoTests {
    private typealias PageFacts = ComicInfoWriter.PageFacts

    private func xml(_ book: BookMetadata, _ pages: [ComicInfoWriter.PageFacts] = []) -> String {
        var info = ComicInfoWriter(book)
        for page in pages { info.add(page) }
        return String(decoding: info.xml, as: UTF8.self)
    }

    @Test func allMetadataIsWrittenInSchemaOrder() {
        let book = BookMetadata(
            title: "T", authors: ["A", "B"], series: "S", volume: "2", number: "12.5", publisher: "P",
            date: BookDate(year: 2019, month: 5), summary: "One\n\nTwo", genres: ["Comedy", "Drama"],
            tags: ["school life"], isbn: ISBN("080442957X"), language: "ja", direction: .rightToLeft,
            outline: [
                OutlineItem(title: "Part", page: 7, level: 0), OutlineItem(title: "Chapter", page: 7, level: 1),
                OutlineItem(title: "Nowhere", page: nil, level: 0), OutlineItem(title: " ", page: 3, level: 0),
            ])
        let pages = [
            PageFacts(id: 3, byteCount: 3, size: PixelSize(width: 20, height: 30), isDouble: false),
            PageFacts(id: 7, byteCount: 1, size: PixelSize(width: 40, height: 30), isDouble: true),
            PageFacts(id: 8, byteCount: 2, size: nil, isDouble: false),
        ]
        #expect(
            xml(book, pages) == """
                <?xml version="1.0" encoding="utf-8"?>
                <ComicInfo>
                  <Title>T</Title>
                  <Series>S</Series>
                  <Number>12.5</Number>
                  <Volume>2</Volume>
                  <Summary>One

                Two</Summary>
                  <Year>2019</Year>
                  <Month>5</Month>
                  <Writer>A, B</Writer>
                  <Publisher>P</Publisher>
                  <Genre>Comedy, Drama</Genre>
                  <Tags>school life</Tags>
                  <PageCount>3</PageCount>
                  <LanguageISO>ja</LanguageISO>
                  <Manga>YesAndRightToLeft</Manga>
                  <Pages>
                    <Page Image="0" Type="FrontCover" ImageSize="3" ImageWidth="20" ImageHeight="30"/>
                    <Page Image="1" DoublePage="true" ImageSize="1" Bookmark="Part / Chapter" ImageWidth="40" ImageHeight="30"/>
                    <Page Image="2" ImageSize="2"/>
                  </Pages>
                  <GTIN>9780804429573</GTIN>
                </ComicInfo>

                """)
    }

    @Test func emptyMetadataIsOmitted() {
        let text = xml(BookMetadata(title: " \u{1} ", authors: ["", "\n"], series: "", language: "not a language"))
        #expect(
            text == """
                <?xml version="1.0" encoding="utf-8"?>
                <ComicInfo>
                  <PageCount>0</PageCount>
                </ComicInfo>

                """)
    }

    @Test func leftToRightIsWrittenToo() {
        #expect(xml(BookMetadata(direction: .leftToRight)).contains("<Manga>No</Manga>"))
    }
}
