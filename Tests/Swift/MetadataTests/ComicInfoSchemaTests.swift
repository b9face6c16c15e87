import PageModel
import Scratch
import Testing

@testable import Metadata

/// What jisui writes, before the schemas of ComicInfo (`Fixtures/schemas`).
@Suite(.needs("xmllint"))
struct ComicInfoSchemaTests {
    private static let texts = [nil, "T", "自炊 <&> \"q\" ]]> 'é' \u{1F4D6}", " \u{1}\u{B}line\nbreak\t\u{FFFE} "]
    private static let outline = [
        OutlineItem(title: "Part \"1\" & <2>", page: 1, level: 0), OutlineItem(title: "\u{2}", page: 2, level: 1),
        OutlineItem(title: "Nowhere", page: nil, level: 0), OutlineItem(title: "Last\n", page: 12, level: 0),
    ]

    /// Combinations of all that is said of a book and its pages, drawn by chance but always the same.
    private static func books(_ count: Int, with translator: Bool) -> [[UInt8]] {
        var random = SplitMix(seed: translator ? 2 : 1)
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
        return (0..<count).map { _ in
            let roles = CreatorRole.allCases.filter { translator || $0 != .translator }
            let book = BookMetadata(
                title: pick(texts),
                credits: (0..<pick([0, 1, 5])).map { Credit(pick(texts) ?? "A \($0)", pick(roles)) },
                series: pick(texts), volume: pick([nil, "2", "Two", "99999999999", "-1", "1998"]),
                number: pick([nil, "1", "12.5", "3a", "½"]), publisher: pick(texts),
                date: pick([
                    nil, BookDate(year: 1), BookDate(year: 2019, month: 5), BookDate(year: 9999, month: 12, day: 31),
                ]),
                summary: pick(texts), genres: pick([[], ["T"], ["自炊 <&>", "\u{1}\n"]]),
                isbn: translator ? pick([nil, ISBN("080442957X")]) : nil,
                language: pick([nil, "ja", "no language", "zh-Hant-TW"]),
                direction: pick([nil, .leftToRight, .rightToLeft]), outline: pick([[], outline]))
            var writer = ComicInfoWriter(book)
            for page in 0..<pick([0, 1, 12]) {
                let types = pick([[], [PageRole.frontCover], [.story], PageRole.allCases])
                let size = pick([nil, PixelSize(width: 1, height: 1), PixelSize(width: 60_000, height: 60_000)])
                writer.add(
                    .init(
                        id: page + 1, byteCount: pick([0, 1, 5_000_000_000]), size: size,
                        isDouble: pick([true, false]), roles: types))
            }
            return writer.xml
        }
    }

    /// What the judge says against documents, in one run over all of them.
    private func complaints(_ documents: [[UInt8]], _ schema: String) throws -> [Substring] {
        let scratch = try ScratchFolder()
        for (index, document) in documents.enumerated() { try scratch.write("\(index).xml", document) }
        let outcome = try Program.outcome(
            "xmllint --noout --nonet --schema '\(BuiltJisui.fixtures)/schemas/\(schema)' *.xml", in: scratch.path)
        let lines = outcome.errorText.split(separator: "\n")
        let complaints = lines.filter { !$0.hasSuffix(" validates") }
        #expect((outcome.status == 0) == complaints.isEmpty)
        #expect(lines.count - complaints.count == documents.count || !complaints.isEmpty, "all were looked at")
        return complaints
    }

    @Test func allButTranslatorsIsValidInTheReleasedSchema() throws {
        #expect(try complaints(Self.books(400, with: false), "ComicInfo-2.0.xsd").isEmpty)
    }

    @Test func everythingIsValidInTheDraft() throws {
        #expect(try complaints(Self.books(400, with: true), "ComicInfo-2.1-draft.xsd").isEmpty)
    }

    /// No element is empty: Kavita fails on one.
    @Test func noElementIsEmpty() throws {
        for document in Self.books(400, with: true) {
            let root = try XMLReader.read(document)
            #expect(root.elements.allSatisfy { !$0.text.isEmpty || !$0.elements.isEmpty })
        }
    }

    /// What a valid document becomes on its way is valid, and the judge is no pushover.
    @Test func aCarriedDocumentStaysValid() throws {
        let own = """
            <ComicInfo><Series>S</Series><Count>12</Count><Summary>Sum</Summary><Web>https://example.org</Web>
            <AgeRating>Teen</AgeRating><Pages><Page Image="0" Type="FrontCover Other" Key="k"/><Page Image="1"/></Pages>
            <CommunityRating>4.5</CommunityRating></ComicInfo>
            """
        var book = BookMetadata(
            title: "New", credits: [Credit("W", .author), Credit("E", .editor)], volume: "2", publisher: "P",
            date: BookDate(year: 2020, month: 2, day: 29), language: "ja", direction: .rightToLeft)
        book.documents = [SourceDocument(format: ComicInfo.format, bytes: Array(own.utf8), pages: [1, 2])]
        var writer = ComicInfoWriter(book)
        for id in [1, 2, 3] { writer.add(.init(id: id, byteCount: 9, size: nil, isDouble: id == 2, roles: [.story])) }
        #expect(try complaints([writer.xml], "ComicInfo-2.0.xsd").isEmpty)
        let wrong = String(decoding: writer.xml, as: UTF8.self).replacing("<Title>New</Title>", with: "")
            .replacing("</ComicInfo>", with: "<Title>New</Title></ComicInfo>")
        #expect(try !complaints([Array(wrong.utf8)], "ComicInfo-2.0.xsd").isEmpty)
    }
}
