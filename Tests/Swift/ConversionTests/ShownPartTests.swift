import AdapterKit
import PageModel
import Testing

@testable import Conversion
@testable import Planning

/// Pages of PDFs of which the image is only a part, copied whole.
@Suite struct ShownPartTests {
    private static let scan = PixelSize(width: 400, height: 300)
    /// The scan is in the middle third of the page.
    private static let part = PageArea(left: 0, top: 1.0 / 3, right: 1, bottom: 2.0 / 3)

    private func framing(_ edits: [PageEdit]) throws -> Framing {
        var picture = Picture(size: Self.scan, representations: [Sample.encoded(.jpeg)], reason: nil)
        picture.document = DocumentPage(format: "pdf", path: "book.pdf", index: 0, width: 400, height: 900)
        picture.shownPart = Self.part
        let page = Page(id: 1, name: "page 1", edits: edits) { [picture] in picture }
        let planner = Planner(
            SinkCapabilities(formats: [.jpeg], showsParts: true, rotationSupport: .quarterTurns, documents: ["pdf"]))
        let plan = try #require(try planner.plans(for: page, picture).first)
        guard case .page(_, let framing) = plan.method.kept else { throw CancellationError() }
        return framing
    }

    /// The crop was found on the scan. It hides the paper around it.
    @Test func cropsOfTheScanAreOnThePage() throws {
        let crop = PixelRect(x: 40, y: 30, width: 200, height: 150)
        let framing = try framing([.move(.keep(crop, of: Self.scan))])
        #expect(framing.source == PixelSize(width: 400, height: 900))
        #expect(framing.rect == PixelRect(x: 40, y: 330, width: 200, height: 150))
    }

    @Test func rotatedScansAreCroppedOnThePage() throws {
        let crop = PixelRect(x: 0, y: 0, width: 300, height: 100)
        let framing = try framing([
            .move(.turn(quarters: 1)), .move(.keep(crop, of: PixelSize(width: 300, height: 400))),
        ])
        #expect(framing.rect == PixelRect(x: 300, y: 0, width: 300, height: 100))
    }

    /// Without a crop, the page stays whole.
    @Test func otherEditsKeepThePaper() throws {
        #expect(try framing([]).isWhole)
        #expect(try framing([.move(.turn(quarters: 1))]).isWhole)
    }
}
