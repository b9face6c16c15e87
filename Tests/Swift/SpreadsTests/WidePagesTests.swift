import AdapterKit
import PageModel
import Testing

@testable import Spreads

/// `--wide`: wide pages on a screen that is held upright.
@Suite struct WidePagesTests {
    private func turns(_ given: [String: String], _ direction: Direction?) async throws -> [[PageEdit]] {
        var book = SyntheticSequence(widths: [20, 50])
        book.book.direction = direction
        return try await book.made(given).pages.map(\.edits)
    }

    /// The side of the next page is below after the turn, where the thumbs are.
    @Test func theDirectionDecidesTheTurn() async throws {
        let clockwise: [[PageEdit]] = [[], [.move(.turn(quarters: 1))]]
        let counterclockwise: [[PageEdit]] = [[], [.move(.turn(quarters: 3))]]
        #expect(try await turns(["wide": "rotate"], nil) == counterclockwise)
        #expect(try await turns(["wide": "rotate"], .leftToRight) == counterclockwise)
        #expect(try await turns(["wide": "rotate"], .rightToLeft) == clockwise)
        let given = ["wide": "rotate", "wide-turn": "counterclockwise"]
        #expect(try await turns(given, .rightToLeft) == counterclockwise)
        #expect(try await turns(["wide": "whole"], .rightToLeft) == [[], []])
    }

    @Test func bothShowsTheWholePageAndThenItsHalves() async throws {
        var book = SyntheticSequence(widths: [20, 50, 20])
        book.roles = [2: [.frontCover]]
        book.book.outline = [OutlineItem(title: "two", page: 2, level: 0)]
        let given = ["wide": "both", "fold": "48%"]
        let right = { (place: Int) in
            [
                PageEdit.move(
                    .keep(
                        PixelRect(x: place == 0 ? 0 : 24, y: 0, width: place == 0 ? 24 : 26, height: 30),
                        of: PixelSize(width: 50, height: 30)))
            ]
        }
        let made = try await book.made(given)
        #expect(made.pages.map(\.id) == [1, 2, 4, 5, 3] && made.pages.map(\.sourceID) == [1, 2, 2, 2, 3])
        #expect(made.pages.map(\.edits) == [[], [.move(.turn(quarters: 3))], right(0), right(1), []])
        #expect(made.pages.map(\.side) == [.single, .single, .left, .right, .left])
        #expect(made.pages.map(\.label) == ["1", "2", nil, nil, "3"])
        #expect(made.pages.map(\.roles) == [[], [.frontCover], [], [], []])
        #expect(made.book.outline == book.book.outline)
        book.book.direction = .rightToLeft
        let manga = try await book.made(given.merging(["wide-turn": "none"]) { $1 }).pages
        #expect(manga.map(\.edits) == [[], [], right(1), right(0), []])
    }

    /// Merged pages are wide, and the screen is still upright.
    @Test func mergedPagesAreTurned() async throws {
        let pages = try await SyntheticSequence(widths: [20, 20, 22, 50]).made(["spreads": "merge", "wide": "rotate"])
            .pages
        #expect(pages.map { $0.edits.contains(.move(.turn(quarters: 3))) } == [false, true, true])
    }

    @Test(arguments: [
        (
            ["wide": "rotate", "spreads": "split"],
            "--wide rotate and --spreads split both choose what happens to wide pages"
        ),
        (["wide": "both", "spreads": "merge"], "--wide both would split the pages that --spreads merge joins"),
        (["wide": "split", "wide-turn": "clockwise"], "--wide-turn has no effect without --wide rotate or both"),
        (["wide": "rotate", "wide-turn": "none"], "--wide rotate and --wide-turn none exclude each other"),
        (["wide": "rotate", "fold": "30%"], "--fold has no effect without --spreads split"),
    ])
    func contradictionsAreRejected(_ given: [String: String], _ message: String) async {
        let error = await #expect(throws: AdapterError.self) {
            try await SyntheticSequence(widths: [20, 50]).made(given)
        }
        #expect(error?.message.english == message)
    }
}
