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

    private func planned(_ edits: [PageEdit], keepsPaper: Bool = true) throws -> (Planner, Page, Picture, PagePlan) {
        var picture = Picture(size: Self.scan, representations: [Sample.encoded(.jpeg)], reason: nil)
        picture.document = DocumentPage(format: "pdf", path: "book.pdf", index: 0, width: 400, height: 900)
        picture.shownPart = Self.part
        let page = Page(id: 1, name: "page 1", edits: edits) { [picture] in picture }
        var capabilities = SinkCapabilities(
            formats: [.jpeg], showsParts: true, rotationSupport: .quarterTurns, documents: ["pdf"])
        capabilities.keepsPaper = keepsPaper
        let planner = Planner(capabilities)
        return (planner, page, picture, try #require(try planner.plans(for: page, picture).first))
    }

    private func framing(_ edits: [PageEdit]) throws -> Framing {
        let (_, _, _, plan) = try planned(edits)
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

    @Test func theScanHasItsShareOfThePaper() {
        var picture = Picture(size: Self.scan, representations: [])
        picture.paper = Paper(mediaBox: [0, 0, 200, 300], cropBox: [0, 0, 200, 300], rotation: 0, userUnit: 1)
        picture.shownPart = Self.part
        let resolution = picture.resolution(of: Sample.page())
        #expect(resolution.map { [$0.horizontal, $0.vertical].map { $0.rounded() } } == [144, 216])
    }

    /// A new page has the paper of the old one, unless the image has another size or place on it.
    @Test(
        arguments: [
            ([.gray], true, true), ([.deskew(degrees: 2)], true, true), ([.gray], false, false),
            ([.gray, .turn(quarters: 1)], true, false), ([.fit(FitBox(width: 200, height: nil))], true, false),
            ([.crop(PixelRect(x: 0, y: 0, width: 2, height: 2)), .gray], true, false),
        ] as [([PageEdit], Bool, Bool)])
    func newPagesKeepTheirPaper(_ edits: [PageEdit], _ keepsPaper: Bool, _ isKept: Bool) throws {
        let (planner, page, picture, plan) = try planned(edits, keepsPaper: keepsPaper)
        #expect(planner.shownPart(of: page, picture, plan) == (isKept ? Self.part : .page))
        #expect(plan.reason.parts.contains { $0.note.code == .marginsDropped } == !isKept)
    }
}
