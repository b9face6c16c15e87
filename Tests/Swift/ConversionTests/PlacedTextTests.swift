import AdapterKit
import Conversion
import Imaging
import PageModel
import Scratch
import Spreads
import Testing

@testable import Audit
@testable import Flatten

/// Words and links go where the pixels go.
@Suite struct PlacedTextTests {
    /// The edits of the pages. Bars that are turned by some degrees are larger than their words: only their middles
    /// count.
    private static let edits: [(name: String, edits: [PageEdit], isSlanted: Bool)] = [
        ("nothing", [], false),
        ("crop", [.crop(PixelRect(x: 30, y: 37, width: 351, height: 499))], false),
        ("inset", [.inset(Insets(top: .percent(7), right: .pixels(9), bottom: .percent(3), left: .pixels(21)))], false),
        ("turn 1", [.turn(quarters: 1)], false), ("turn 2", [.turn(quarters: 2)], false),
        ("turn 3", [.turn(quarters: 3)], false),
        (
            "turns and crops",
            [
                .crop(PixelRect(x: 11, y: 13, width: 380, height: 540)), .turn(quarters: 1),
                .crop(PixelRect(x: 17, y: 5, width: 500, height: 370)), .turn(quarters: 1),
            ], false
        ),
        ("fit", [.fit(FitBox(width: 300, height: 300))], false),
        (
            "enlarge",
            [
                .crop(PixelRect(x: 30, y: 37, width: 351, height: 499)),
                .fit(FitBox(width: 700, height: nil, enlarges: true)),
            ], false
        ),
        ("tones", [.gray, .levels(black: 0.1, white: 0.9), .shades(bits: 4)], false),
        ("deskew", [.deskew(degrees: 3)], true),
        (
            "deskew and crop",
            [
                .deskew(degrees: -2),
                .keep(PixelRect(x: 20, y: 30, width: 370, height: 520), of: PixelSize(width: 400, height: 560)),
            ], true
        ),
        ("flatten", [.flatten(PlacedTextTests.mesh)], true),
        (
            "flatten, turn and fit",
            [.flatten(PlacedTextTests.mesh), .turn(quarters: 1), .fit(FitBox(width: 500, height: nil))], true
        ),
    ]

    private static let mesh: Flattening = {
        let shifts = (0..<63).map { index in
            let (x, y) = (Double(index % 9) / 8, Double(index / 9) / 6)
            return Flattening.Shift(across: 0.01 * (y - 0.5), down: 0.03 * x * x * (1 - y / 2))
        }
        guard let mesh = Flattening(columns: 9, rows: 7, shifts: shifts) else { preconditionFailure("it is a mesh") }
        return mesh
    }()

    /// Outputs that show everything by themselves, and those that show nothing.
    private static let sinks = [
        SinkCapabilities(
            formats: [.jpeg, .png], showsParts: true, rotationSupport: .all, features: [.text, .links]),
        SinkCapabilities(formats: [.jpeg, .png], honorsOrientation: false, features: [.text]),
        SinkCapabilities(formats: nil, features: [.text], takesRasters: true),
    ]

    private func finished(
        _ pages: [Page], _ capabilities: SinkCapabilities, edits: [PageEdit] = [], settings: [String: String] = [:],
        direction: Direction? = nil, selection: String? = nil, outline: [OutlineItem] = []
    ) async throws -> (pages: [FinishedPage], report: Report) {
        var pages = pages
        for index in pages.indices { pages[index].edits += edits }
        var stage = try Stage(FakeSource(pages, book: BookMetadata(outline: outline)), sink: FakeSink(capabilities))
        stage.job.settings = settings
        stage.job.direction = direction
        stage.job.selection = try selection.map { text throws(AdapterError) in try PageSelection(text) }
        let registry = Registry(
            sources: stage.registry.sources, transforms: [Spreads()], sinks: stage.registry.sinks
        )
        let report = try await Conversion(registry, stage.job).run()
        return (stage.sink.memory.now.pages, report)
    }

    /// Every word of a page, and how far it is from its bar.
    private func distances(_ page: FinishedPage) throws -> [(name: String, edges: Double, middle: Double)] {
        let raster = try page.seen()
        return page.text.flatMap(\.words).map { word in
            let distance = page.distance(of: word, in: raster)
            return (word.text, distance.edges, distance.middle)
        }
    }

    @Test(arguments: PlacedTextTests.edits.indices, MarkedPage.Form.allCases)
    func wordsStandWhereTheirPixelsAre(_ index: Int, _ form: MarkedPage.Form) async throws {
        let (name, edits, isSlanted) = Self.edits[index]
        for capabilities in Self.sinks {
            let page = try MarkedPage().page(1, form)
            let finished = try await finished([page], capabilities, edits: edits).pages
            let distances = try distances(#require(finished.first))
            #expect(distances.count == 5, "\(name)")
            for word in distances {
                #expect(word.middle <= 1.2, "\(name) of \(form): \(word)")
                if !isSlanted { #expect(word.edges <= 1.6, "\(name) of \(form): \(word)") }
            }
            let turns = edits.reduce(0) { if case .move(.turn(let quarters)) = $1 { $0 + quarters } else { $0 } }
            #expect(finished[0].text.allSatisfy { $0.turns == turns % 4 })
        }
    }

    /// Regions that were found between the edits are where the words are.
    @Test(arguments: PlacedTextTests.edits.indices, [MarkedPage.Form.png, .turnedJPEG])
    func regionsLieWhereTheirPixelsAre(_ index: Int, _ form: MarkedPage.Form) async throws {
        let (name, edits, _) = Self.edits[index]
        for capabilities in Self.sinks {
            for count in 0...edits.count {
                var page = try MarkedPage().page(1, form)
                var found = PageMap(MarkedPage().size)
                for edit in edits.prefix(count) { found.append(edit) }
                page.regions = MarkedPage().areas.map {
                    PageRegion(RegionKind("panel", afterEdits: count), found.place(of: $0))
                }
                var capabilities = capabilities
                capabilities.features.insert(.regions)
                let finished = try #require(try await finished([page], capabilities, edits: edits).pages.first)
                try #require(finished.regions.count == 5)
                for (region, word) in zip(finished.regions, finished.text.flatMap(\.words)) {
                    let (one, other) = (region.area, word.area)
                    let distances = [one.left - other.left, one.top - other.top, one.bottom - other.bottom]
                    #expect(distances.allSatisfy { abs($0) < 0.002 }, "\(name), after \(count)")
                }
            }
        }
    }

    @Test func regionsAreKeptOnHalvesAndMergedPages() async throws {
        func page(_ id: Int, _ size: PixelSize, _ bars: [PixelRect]) throws -> Page {
            let marked = MarkedPage(size: size, bars: bars)
            var page = try marked.page(id, .png)
            page.regions = marked.areas.enumerated().map { PageRegion(RegionKind("\(id).\($0)", afterEdits: 0), $1) }
            return page
        }
        let sink = SinkCapabilities(formats: [.png], features: [.regions])
        let bars = [PixelRect(x: 40, y: 50, width: 120, height: 20), PixelRect(x: 420, y: 60, width: 100, height: 24)]
        let halves = try await finished(
            [try page(1, PixelSize(width: 640, height: 400), bars)], sink,
            settings: ["spreads": "split", "fold": "50%"], direction: .leftToRight
        ).pages
        #expect(halves.map { $0.regions.map(\.content.id) } == [["1.0"], ["1.1"]])
        #expect(halves[1].regions[0].area == PageArea(left: 0.3125, top: 0.15, right: 0.625, bottom: 0.21))
        let size = PixelSize(width: 400, height: 560)
        let merged = try await finished(
            [try page(1, size, [bars[0]]), try page(2, size, [bars[0]])], sink,
            settings: ["spreads": "merge", "cover": "paired"], direction: .leftToRight
        ).pages
        #expect(merged.map { $0.regions.map(\.content.id) } == [["1.0", "2.0"]])
        #expect(merged[0].regions.map { ($0.area.left * 800).rounded() } == [40, 440])
    }

    @Test(arguments: MarkedPage.Form.allCases) func eachHalfHasItsWords(_ form: MarkedPage.Form) async throws {
        let wide = MarkedPage(
            size: PixelSize(width: 640, height: 400),
            bars: [
                PixelRect(x: 40, y: 50, width: 120, height: 20), PixelRect(x: 200, y: 300, width: 60, height: 30),
                PixelRect(x: 420, y: 60, width: 100, height: 24), PixelRect(x: 500, y: 330, width: 90, height: 16),
            ])
        for capabilities in Self.sinks {
            let finished = try await finished(
                [try wide.page(1, form)], capabilities, settings: ["spreads": "split", "fold": "50%"],
                direction: .rightToLeft
            ).pages
            #expect(finished.map { $0.text.map(\.text) } == [["1.2", "1.3"], ["1.0", "1.1"]])
            for word in try finished.flatMap(distances) { #expect(word.edges <= 1.6, "\(form): \(word)") }
        }
    }

    @Test(arguments: MarkedPage.Form.allCases, [Direction.leftToRight, .rightToLeft])
    func mergedPagesHaveBothPagesWords(_ form: MarkedPage.Form, _ direction: Direction) async throws {
        let other = MarkedPage(
            size: PixelSize(width: 352, height: 480), bars: [PixelRect(x: 70, y: 80, width: 55, height: 40)])
        for capabilities in Self.sinks {
            for seam in ["pad", "trim", "exact"] {
                let finished = try await finished(
                    [try MarkedPage().page(1, form), try other.page(2, form)], capabilities,
                    edits: [.turn(quarters: 2)],
                    settings: ["spreads": "merge", "cover": "paired", "gutter": "23", "seam": seam],
                    direction: direction
                ).pages
                let page = try #require(finished.count == 1 ? finished.first : nil)
                // The first page's words come first.
                #expect(page.text.map(\.text) == ["1.0", "1.1", "1.2", "1.3", "1.4", "2.0"])
                for word in try distances(page) { #expect(word.edges <= 1.6, "\(form) \(seam): \(word)") }
            }
        }
    }

    // MARK: Requests to sources

    @Test func unsupportedTextAndLinksAreNotRead() async throws {
        var page = try MarkedPage().page(1, .png)
        page.text = { throw Sample.damage }
        page.links = { throw Sample.damage }
        let (_, report) = try await finished([page], SinkCapabilities(formats: nil))
        #expect(report.warnings.isEmpty)
    }

    @Test func textThatCannotBeReadCostsThePageNothingElse() async throws {
        var page = try MarkedPage().page(1, .png)
        page.text = { throw Sample.damage }
        let (pages, report) = try await finished([page, try MarkedPage().page(2, .png)], Self.sinks[0])
        #expect(pages.map(\.text.count) == [0, 5])
        #expect(report.warnings.map(\.code) == ["text-dropped"])
        #expect(report.warnings[0].explanation == "page 1: left out its text and links: its data ends too early")
    }

    // MARK: Links

    private let toBoth = MarkedPage(
        bars: [PixelRect(x: 60, y: 70, width: 90, height: 20), PixelRect(x: 220, y: 74, width: 50, height: 24)],
        targets: [.page(2, at: nil), .page(3, at: nil)])

    private func targets(_ page: FinishedPage) -> [LinkTarget] { page.links.map(\.target) }

    @Test func linksFollowTheirPages() async throws {
        let pages = [try toBoth.page(1, .png), try MarkedPage().page(2, .png), try MarkedPage().page(3, .png)]
        let (all, report) = try await finished(pages, Self.sinks[0], selection: "3,1,2")
        #expect(targets(all[1]) == [.page(2, at: nil), .page(3, at: nil)])
        #expect(all.map(\.page.id) == [3, 1, 2] && report.warnings.isEmpty)
        let (found, area) = (all[1].links[0].area, toBoth.areas[0])
        #expect(abs(found.left - area.left) < 1e-9 && abs(found.bottom - area.bottom) < 1e-9)
    }

    @Test func droppedLinksToUnselectedPagesAreReported() async throws {
        let pages = [try toBoth.page(1, .png), try MarkedPage().page(2, .png), try MarkedPage().page(3, .png)]
        let (taken, report) = try await finished(pages, Self.sinks[0], selection: "1,3")
        #expect(targets(taken[0]) == [.page(3, at: nil)])
        #expect(report.warnings.map(\.explanation) == ["left out 1 link to a page that is not in the output"])
        #expect(report.warnings.map(\.code) == ["links-dropped"])
    }

    @Test func droppedLinksToUnreadablePagesAreReported() async throws {
        let pages = [try toBoth.page(1, .png), Sample.page(2, nil), try MarkedPage().page(3, .png)]
        let (_, report) = try await finished(pages, Self.sinks[0])
        #expect(report.warnings.map(\.code) == ["page-skipped", "links-dropped"])
    }

    @Test func droppedLinksToProgramsAreReported() async throws {
        let address = try #require(WebAddress("https://example.org/"))
        let page = MarkedPage(targets: [.other("a script"), .address(address), .other("a program")])
        let (pages, report) = try await finished([try page.page(1, .png)], Self.sinks[0])
        #expect(targets(pages[0]) == [.address(address)])
        #expect(
            report.warnings.map(\.explanation) == ["left out 2 links to programs, scripts or other files"])
    }

    /// A link, or an entry of the outline, targets the half that shows its place, or the half that is read first.
    @Test func linksTargetTheCorrectHalf() async throws {
        let wide = PixelSize(width: 640, height: 400)
        let places = [0.2, 0.8, nil].map { across in across.map { PagePoint(across: $0, down: 0.5) } }
        let contents = MarkedPage(targets: places.map { .page(2, at: $0) })
        let pages = [
            try contents.page(1, .png),
            try MarkedPage(size: wide, bars: [PixelRect(x: 40, y: 50, width: 120, height: 20)]).page(2, .png),
        ]
        let outline = [0.2, 0.8, nil].map { across in
            OutlineItem(title: "x", page: 2, at: across.map { PagePoint(across: $0, down: 0.1) }, level: 0)
        }
        let (finished, report) = try await finished(
            pages, Self.sinks[0], settings: ["spreads": "split", "fold": "50%"], direction: .rightToLeft,
            outline: outline)
        #expect(finished.map(\.page.name) == ["page 1", "page 2, right half", "page 2, left half"])
        let (right, left) = (finished[1].page.id, finished[2].page.id)
        #expect(targets(finished[0]) == zip([left, right, right], places).map { .page($0, at: $1) })
        #expect(report.book.outline.map(\.page) == [left, right, right])
        #expect(report.warnings.isEmpty)
    }

    @Test func linksToMergedPagesAreKept() async throws {
        let pages = [try toBoth.page(1, .png), try MarkedPage().page(2, .png), try MarkedPage().page(3, .png)]
        let sink = SinkCapabilities(formats: [.png], features: [.text, .links])
        let (finished, report) = try await finished(
            pages, sink, settings: ["spreads": "merge", "cover": "alone"], direction: .leftToRight)
        #expect(finished.count == 2 && finished[1].page.numbers.contains(3))
        #expect(targets(finished[0]) == [.page(2, at: nil), .page(3, at: nil)])
        #expect(report.warnings.isEmpty)
    }
}
