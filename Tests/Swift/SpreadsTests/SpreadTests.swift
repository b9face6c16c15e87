import AdapterKit
import AdapterTestKit
import PageModel
import Scratch
import Testing

@testable import Spreads

@Suite struct SpreadTests {
    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    private func error(_ book: SyntheticSequence, _ given: [String: String]) async -> AdapterError? {
        await #expect(throws: AdapterError.self) { try await book.made(given) }
    }

    @Test func nothingChangesWithoutOptions() async throws {
        let pages = try await SyntheticSequence(widths: [20, 20, 50]).made([:]).pages
        #expect(pages.allSatisfy { $0.side == .single && $0.spread == nil && $0.edits.isEmpty })
    }

    @Test func pagesGetTheirSides() async throws {
        var book = SyntheticSequence(widths: [20, 20, 20, 50, 20])
        #expect(try await book.made(["spreads": "pair"]).pages.map(\.side) == [.single, .left, .right, .single, .left])
        book.book.direction = .rightToLeft
        #expect(
            try await book.made(["spreads": "pair"]).pages.map(\.side) == [.single, .right, .left, .single, .right])
        // A square page is not wide, and one that the source calls double is.
        book.sizes[3].width = 30
        #expect(try await book.made(["spreads": "pair"]).pages.map(\.side) == [.single, .right, .left, .right, .left])
        book.isDouble = [4]
        #expect(try await book.made(["spreads": "pair"]).pages[3].side == .single)
        let ratio = ["spreads": "pair", "wide-ratio": "2"]
        book.isDouble = []
        book.sizes[3].width = 50
        #expect(try await book.made(ratio).pages[3].side == .right)
    }

    /// The second page of a book faces the third, also where the first was not chosen.
    @Test func aSelectionIsPairedAsItsBook() async throws {
        func sides(from first: Int, _ given: [String: String] = [:]) async throws -> [Side] {
            var sequence = SyntheticSequence(widths: [20, 20, 20, 20, 20]).sequence
            sequence.pages.removeFirst(first - 1)
            for index in sequence.pages.indices { sequence.pages[index].book = 0 }
            return try await SyntheticSequence(widths: []).made(given.merging(["spreads": "pair"]) { $1 }, of: sequence)
                .pages.map(\.side)
        }
        #expect(try await sides(from: 1) == [.single, .left, .right, .left, .right])
        #expect(try await sides(from: 2) == [.left, .right, .left, .right])
        #expect(try await sides(from: 2, ["cover": "alone"]) == [.single, .left, .right, .left])
        #expect(try await sides(from: 3) == [.single, .left, .right])
    }

    @Test func blanksFillFreePlaces() async throws {
        let book = SyntheticSequence(widths: [20, 20, 50, 20, 20, 22])
        let result = try await book.made(["spreads": "pair", "blanks": "true", "shift": "4"])
        #expect(result.pages.map(\.id) == [1, 2, 7, 3, 8, 4, 5, 6])
        #expect(result.pages.map(\.sourceID) == [1, 2, nil, 3, nil, 4, 5, 6])
        #expect(result.pages.map(\.side) == [.single, .left, .right, .single, .left, .right, .left, .right])
        let blank = result.pages[2]
        #expect(try await blank.examine().size == book.sizes[1])
    }

    /// A blank page has the paper of its neighbor.
    @Test func blanksHaveTheirNeighborsResolution() async throws {
        var book = SyntheticSequence(widths: [20, 20, 50])
        book.paper = Paper(mediaBox: [0, 0, 40, 60], cropBox: [0, 0, 40, 60], rotation: 0, userUnit: 1)
        let pages = try await book.made(["spreads": "pair", "blanks": "true"]).pages
        guard let blank = pages.first(where: { $0.sourceID == nil }),
            case .sampled(let sampled)? = try await blank.examine().representations.first
        else {
            Issue.record("there is no blank page")
            return
        }
        #expect(try await sampled.read().raster.resolution == Resolution(36))
    }

    /// The types of pages, and the books that they belong to, are kept through all changes.
    @Test func rolesAndBooksFollow() async throws {
        var book = SyntheticSequence(widths: [20, 20, 20, 20, 20])
        book.firstPages = [1, 4]
        book.roles = [1: [.frontCover], 2: [.story, .letters], 3: [.letters, .advertisement], 5: [.deleted]]
        let merged = try await book.made(["spreads": "merge", "single-on-canvas": "true", "cover": "alone"]).pages
        #expect(merged.map(\.id) == [1, 2, 4, 5])
        #expect(merged.map(\.roles) == [[.frontCover], [.story, .advertisement, .letters], [], [.deleted]])
        #expect(merged.map(\.book) == [1, 1, 2, 2])
        // A visible page is not hidden by a page that it is merged with; a page without a type is of the story.
        var marked = SyntheticSequence(widths: [20, 20, 20, 20, 20, 20, 20])
        marked.roles = [2: [.deleted], 4: [.story, .deleted], 5: [.deleted], 6: [.advertisement]]
        let hidden = try await marked.made(["spreads": "merge", "cover": "alone"]).pages
        #expect(hidden.map(\.roles) == [[], [.story], [.story, .deleted], [.story, .advertisement]])
        let paired = try await book.made(["spreads": "pair", "blanks": "true"]).pages
        for page in paired where page.sourceID == nil { #expect(page.roles.isEmpty && page.book > 0) }
        #expect(paired.filter { $0.sourceID != nil }.map(\.roles) == (1...5).map { book.roles[$0] ?? [] })
        book.sizes[1].width = 50
        let split = try await book.made(["spreads": "split", "fold": "50%"]).pages
        #expect(split.map(\.sourceID) == [1, 2, 2, 3, 4, 5] && split.map(\.book) == [1, 1, 1, 1, 2, 2])
        #expect(split[1].roles == [.story, .letters] && split[2].roles == [.story, .letters])
        // For a cover that was opened flat, the front is where reading begins.
        var cover = SyntheticSequence(widths: [50, 20])
        cover.roles = [1: [.frontCover]]
        #expect(
            try await cover.made(["spreads": "split", "fold": "50%"]).pages.map(\.roles) == [[], [.frontCover], []])
        cover.book.direction = .rightToLeft
        #expect(
            try await cover.made(["spreads": "split", "fold": "50%"]).pages.map(\.roles) == [[], [.frontCover], []])
    }

    @Test func facingPagesAreMerged() async throws {
        var book = SyntheticSequence([(20, 30), (21, 30), (22, 36), (23, 30)].map { PixelSize(width: $0, height: $1) })
        book.book.outline = (3...4).map { (page: Int) in OutlineItem(title: "chapter \(page)", page: page, level: 0) }
        let result = try await book.made(["spreads": "merge", "gutter": "5", "align": "bottom"])
        #expect(result.pages.map(\.id) == [1, 2, 4])
        #expect(result.pages[1].name == "page 2 + page 3" && result.pages[1].label == "2–3")
        #expect(result.book.outline.map(\.page) == [2, 4])
        let joined = try #require(try await result.pages[1].joined())
        #expect(joined.size == PixelSize(width: 48, height: 36))
        #expect(joined.parts.map(\.place) == [rect(0, 6, 21, 30), rect(26, 0, 22, 36)])
        #expect(joined.parts.map(\.page.id) == [2, 3])

        book.book.direction = .rightToLeft
        let reversed = try await book.made(["spreads": "merge", "align": "top"])
        let other = try #require(try await reversed.pages[1].joined())
        #expect(other.parts.map(\.page.id) == [3, 2])
        #expect(other.parts.map(\.place) == [rect(0, 0, 22, 36), rect(22, 0, 21, 30)])
        #expect(reversed.pages[1].id == 2)
    }

    @Test func pagesThatOverlapGiveWay() async throws {
        let result = try await SyntheticSequence(widths: [20, 20, 22]).made(["spreads": "merge", "gutter": "-4"])
        let joined = try #require(try await result.pages[1].joined())
        #expect(joined.size.width == 38)
        #expect(joined.parts[0].page.edits == [.move(.keep(rect(0, 0, 16, 30), of: PixelSize(width: 20, height: 30)))])
        #expect(joined.parts[1].place == rect(16, 0, 22, 30))
        let error = await error(SyntheticSequence(widths: [20, 20, 22]), ["spreads": "merge", "gutter": "-20"])
        #expect(error?.page == "page 2")
        // A page that is scaled to its place is cut before, so that it can be shown larger without scaling.
        let sizes = [(20, 30), (20, 30), (40, 60)].map { PixelSize(width: $0, height: $1) }
        let scaled = try await SyntheticSequence(sizes).made(["spreads": "merge", "gutter": "-8", "align": "scale"])
        let parts = try #require(try await scaled.pages[1].joined()).parts
        #expect(parts[0].page.edits.first == .move(.keep(rect(0, 0, 16, 30), of: sizes[1])))
        #expect(parts.map(\.place) == [rect(0, 0, 32, 60), rect(32, 0, 40, 60)])
    }

    @Test func smallerPagesAreScaledIfAsked() async throws {
        let book = SyntheticSequence([(20, 30), (20, 30), (44, 60)].map { PixelSize(width: $0, height: $1) })
        let joined = try #require(
            try await book.made(["spreads": "merge", "align": "scale"]).pages[1].joined())
        #expect(joined.size == PixelSize(width: 84, height: 60))
        #expect(
            joined.parts[0].page.edits == [.change(ScaledPart(frame: FitBox(width: nil, height: 60, enlarges: true)))])
        #expect(joined.parts[1].page.edits.isEmpty)
    }

    @Test func lonePagesStandOnACanvas() async throws {
        let given = ["spreads": "merge", "single-on-canvas": "true", "gutter": "2"]
        var book = SyntheticSequence(widths: [20, 20, 50])
        let pages = try await book.made(given).pages
        // A cover is a page on the right; in a book that is read from the right, on the left.
        #expect(try await pages[0].joined()?.parts[0].place == rect(22, 0, 20, 30))
        #expect(try await pages[1].joined()?.parts[0].place == rect(0, 0, 20, 30))
        #expect(try await pages[1].joined()?.size.width == 42)
        #expect(try await pages[2].joined() == nil)
        book.book.direction = .rightToLeft
        #expect(try await book.made(given).pages[0].joined()?.parts[0].place == rect(0, 0, 20, 30))
    }

    @Test func widePagesAreSplit() async throws {
        var book = SyntheticSequence(widths: [20, 50, 20])
        book.book.outline = (2...3).map { (page: Int) in OutlineItem(title: "chapter \(page)", page: page, level: 0) }
        let given = ["spreads": "split", "fold": "40%"]
        let left = try await book.made(given)
        let size = PixelSize(width: 50, height: 30)
        #expect(left.pages.map(\.id) == [1, 2, 4, 3])
        // The halves show their page; the source has no page 4.
        #expect(left.pages.map(\.sourceID) == [1, 2, 2, 3])
        #expect(left.pages.map(\.name) == ["page 1", "page 2, left half", "page 2, right half", "page 3"])
        // 40 % are 20 pixels; a JPEG's grid of 8 has 24 nearest.
        #expect(left.pages[1].edits == [.move(.keep(rect(0, 0, 24, 30), of: size))])
        #expect(left.pages[2].edits == [.move(.keep(rect(24, 0, 26, 30), of: size))])
        #expect(left.pages.map(\.side) == [.single, .left, .right, .left])
        // They are read one at a time.
        #expect(left.pages.allSatisfy { !$0.facesNextPage })
        #expect(left.book.outline == book.book.outline)
        book.book.direction = .rightToLeft
        let right = try await book.made(given)
        #expect(right.pages.map(\.name) == ["page 1", "page 2, right half", "page 2, left half", "page 3"])
        #expect(right.pages.map(\.id) == [1, 2, 4, 3])
        #expect(right.pages.map(\.side) == [.single, .right, .left, .right])
    }

    @Test func widePagesThatCannotBeAnalyzedStayWhole() async throws {
        var book = SyntheticSequence(widths: [20, 50, 50, 50, 20])
        book.damage = [2: "the JPEG is damaged"]
        book.errors = [3: AdapterError(.damaged, "no end"), 4: AdapterError(.tooLarge, "too many pixels")]
        let pages = try await book.made(["spreads": "split"]).pages
        #expect(pages.allSatisfy(\.edits.isEmpty) && pages.map(\.id) == [1, 2, 3, 4, 5])
        let reasons = ["its data is damaged", "it cannot be decoded", "too many pixels"]
        #expect(
            pages[1...3].map { $0.spread?.remark.english }
                == reasons.map { "kept whole: \($0); use --fold to split it" })
        #expect(pages.map { $0.spread?.damage?.english } == [nil, "the JPEG is damaged", "no end", nil, nil])
        #expect(pages[1...3].allSatisfy { $0.spread?.isWide == true })
        let cut = try await book.made(["spreads": "split", "fold": "50%"]).pages
        #expect(cut.count == 8 && cut.allSatisfy { $0.spread?.damage == nil })
    }

    @Test func widePagesAreTurned() async throws {
        let pages = try await SyntheticSequence(widths: [20, 50]).made(["spreads": "rotate"]).pages
        #expect(pages.map(\.edits) == [[], [.move(.turn(quarters: 1))]])
        let left = try await SyntheticSequence(widths: [20, 50]).made(["spreads": "rotate-left"]).pages
        #expect(left.map(\.edits) == [[], [.move(.turn(quarters: 3))]])
        #expect(left[1].spread?.remark.english == "a wide page, rotated counterclockwise")
    }

    /// Only the ratio counts: a page that is marked as double must be wide as well to be cut or turned.
    @Test(arguments: ["split", "rotate", "rotate-left"])
    func uprightPagesAreLeftAloneUnlessAskedFor(_ mode: String) async throws {
        var book = SyntheticSequence(widths: [20, 25, 20])
        book.isDouble = [2]
        #expect(try await book.made(["spreads": mode]).pages.map(\.edits) == [[], [], []])
        let asked = try await book.made(["spreads": mode, "wide-ratio": "0.7"])
        #expect(asked.pages.filter { !$0.edits.isEmpty }.count == (mode == "split" ? 2 : 1))
    }

    /// Each of several books begins with a cover of its own, and no page faces one of another book.
    @Test func booksInOneKeepTheirCovers() async throws {
        var book = SyntheticSequence(widths: [20, 20, 20, 20, 20, 20, 20])
        book.firstPages = [1, 5]
        let pages = try await book.made(["spreads": "merge"]).pages
        #expect(pages.map(\.name) == ["page 1", "page 2 + page 3", "page 4", "page 5", "page 6 + page 7"])
        let paired = try await book.made(["spreads": "merge", "cover": "paired"]).pages
        #expect(paired.map(\.name) == ["page 1 + page 2", "page 3 + page 4", "page 5 + page 6", "page 7"])
    }

    /// A merged page lists its parts, in case merging fails.
    @Test func mergedPagesKnowTheirParts() async throws {
        let pages = try await SyntheticSequence(widths: [20, 20, 20]).made(["spreads": "merge", "align": "scale"]).pages
        #expect(pages[1].parts.map(\.id) == [2, 3] && pages[0].parts.isEmpty)
    }

    @Test(arguments: [
        (["spreads": "pair", "shift": "7"], "--shift names page 7, which is not among the pages"),
        // The right half of page 3 is not page 4.
        (["spreads": "split", "shift": "4", "fold": "50"], "--shift names page 4, which is not among the pages"),
        (["spreads": "pair", "shift": "1"], "--shift 1 has no effect: it is the cover, which stands alone"),
        (["spreads": "pair", "shift": "3"], "--shift 3 has no effect: it is a wide page, which stands alone"),
        (["spreads": "pair", "shift": "2,x"], "--shift takes page numbers like 5 or 5,20, not '2,x'"),
        (["spreads": "pair", "wide-ratio": "no"], "--wide-ratio takes a number from 0.5 to 10, not 'no'"),
        (["spreads": "split", "fold": "0%"], "--fold takes a share of the width from 1% to 99%, not '0%'"),
        (["cover": "paired"], "--cover has no effect without --spreads pair or merge or split or join-art"),
        (
            ["spreads": "rotate", "shift": "2"],
            "--shift has no effect without --spreads pair or merge or split or join-art"
        ),
        (["spreads": "pair", "gutter": "3"], "--gutter has no effect without --spreads merge or join-art"),
    ])
    func uselessOrInvalidOptionsAreRejected(_ given: [String: String], _ message: String) async {
        #expect(await error(SyntheticSequence(widths: [20, 20, 50]), given)?.message.english == message)
    }

    @Test(arguments: SpreadOptions.Mode.allCases)
    func promisesAreKept(_ mode: SpreadOptions.Mode) async throws {
        let spreads = Spreads()
        let settings = try Settings(spreads.descriptor.settings, given: ["spreads": mode.rawValue])
        #expect(await checkTransform(spreads, settings: settings, mayRequestPreviews: true).isEmpty)
    }
}
