import Metadata
import PageModel
import Scratch
import Testing

@testable import EPUBSink

/// By what an EPUB and its states are known, and how it is found in its series.
@Suite struct ReleaseTests {
    private let scratch: ScratchFolder
    private static let dublinCore = "http://purl.org/dc/elements/1.1/"

    init() throws {
        scratch = try ScratchFolder()
    }

    private func facts(
        _ name: String, _ book: BookMetadata, _ pages: [SyntheticEPUB.SyntheticPage] = [.init(), .init()]
    ) async throws -> (identifier: String?, modified: String?) {
        let made = try await SyntheticEPUB(pages, book: book, name: "\(name).epub", in: scratch)
        let identifier = try made.package.descendant(XMLName("identifier", in: ReleaseTests.dublinCore))?.text
        return (identifier, try metas(made).first { $0["property"] == "dcterms:modified" }?.text)
    }

    private func metas(_ made: SyntheticEPUB) throws -> [XMLElement] {
        try made.package.descendants(XMLName("meta", in: "http://www.idpf.org/2007/opf"))
    }

    @Test func identifierWithAnotherTitleOrCropStaysTheSame() async throws {
        let first = try await facts("1", BookMetadata(title: "A"))
        let titled = try await facts("2", BookMetadata(title: "B"))
        let cropped = SyntheticEPUB.SyntheticPage(shown: PixelRect(x: 8, y: 8, width: 40, height: 60))
        let cut = try await facts("3", BookMetadata(title: "A"), [.init(), cropped])
        #expect(titled.identifier == first.identifier)
        #expect(cut.identifier == first.identifier)
        let longer = try await facts("4", BookMetadata(title: "A"), [.init(), .init(), .init()])
        #expect(longer.identifier != first.identifier)
    }

    @Test func modifiedTimeOfAChangedBookDiffers() async throws {
        let first = try await facts("5", BookMetadata(title: "A"))
        let again = try await facts("6", BookMetadata(title: "A"))
        let titled = try await facts("7", BookMetadata(title: "B"))
        let cropped = SyntheticEPUB.SyntheticPage(shown: PixelRect(x: 8, y: 8, width: 40, height: 60))
        let cut = try await facts("8", BookMetadata(title: "A"), [.init(), cropped])
        #expect(first.modified == again.modified)
        #expect(Set([first.modified, titled.modified, cut.modified]).count == 3)
        let pattern = /(19[89]|20[01])[0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z/
        #expect(first.modified?.wholeMatch(of: pattern) != nil)
    }

    @Test(arguments: [
        ("0", "1970-01-01T00:00:00Z"), ("951827696", "2000-02-29T12:34:56Z"), ("1767225599", "2025-12-31T23:59:59Z"),
        ("4107542400", "2100-03-01T00:00:00Z"),
    ])
    func modifiedTimeOfTheEnvironmentIsTaken(_ epoch: String, _ text: String) {
        #expect(ReleaseTime.text(epoch: epoch, content: [[1]]) == text)
    }

    @Test func invalidTimeInTheEnvironmentIsIgnored() {
        let own = ReleaseTime.text(epoch: nil, content: [[1]])
        for epoch in ["", "-1", "now", "99999999999999999999", "253402300800"] {
            #expect(ReleaseTime.text(epoch: epoch, content: [[1]]) == own)
        }
    }

    @Test func volumeOfASeriesWithoutNumberBecomesThePosition() async throws {
        let made = try await SyntheticEPUB([.init()], book: BookMetadata(series: "S", volume: "3"), in: scratch)
        let all = try metas(made)
        #expect(all.first { $0["property"] == "group-position" }?.text == "3")
        #expect(all.first { $0["name"] == "calibre:series" }?["content"] == "S")
        #expect(all.first { $0["name"] == "calibre:series_index" }?["content"] == "3")
        let numbered = try await SyntheticEPUB(
            [.init()], book: BookMetadata(series: "S", volume: "3", number: "1.2.3"), name: "2.epub", in: scratch)
        let others = try metas(numbered)
        #expect(others.first { $0["property"] == "group-position" }?.text == "1.2.3")
        #expect(others.allSatisfy { $0["name"] != "calibre:series_index" })
    }

    @Test func contentsOfReorderedPagesComeInReadingOrder() async throws {
        let outline = [
            OutlineItem(title: "Part 1", page: 3, level: 0), OutlineItem(title: "One", page: 3, level: 1),
            OutlineItem(title: "Two", page: 1, level: 1), OutlineItem(title: "Part 2", page: 2, level: 0),
            OutlineItem(title: "Three", page: 2, level: 1),
        ]
        let made = try await SyntheticEPUB(
            [.init(), .init(), .init()], book: BookMetadata(outline: outline), in: scratch)
        let nav = try made.document("item/navigation-documents.xhtml")
        let xhtml = "http://www.w3.org/1999/xhtml"
        let toc = try #require(nav.descendants(XMLName("nav", in: xhtml)).first { $0["id"] == "toc" })
        let links = toc.descendants(XMLName("a", in: xhtml))
        #expect(links.map(\.text) == ["Two", "Part 2", "Three", "Part 1", "One"])
        let inner = toc.elements.last?.elements.map { $0.descendants(XMLName("a", in: xhtml)).map(\.text) }
        #expect(inner == [["Two"], ["Part 2", "Three"], ["Part 1", "One"]])
    }
}
