import Conversion
import OrderedJSON
import PageModel
import Planning
import Testing
@testable import Audit

/// Findings of types that only a plug-in knows.
@Suite struct FindingTests {
    private struct Panels: PageFinding {
        var count: Int

        var remark: Message { "\(count) panels" }

        func members(side: Side) -> [(key: String, value: FindingValue)] { [("panels", .integer(count))] }
    }

    private struct Place: PageFinding {
        var remark: Message { "the last of its chapter" }
        var isOfImage: Bool { false }

        func members(side: Side) -> [(key: String, value: FindingValue)] {
            [("ends", .boolean(true)), ("box", .box(nil)), ("place", .text(side.rawValue))]
        }
    }

    private struct Cut: PageFinding {
        var remark: Message { "cut a little" }
        var crops: Bool { true }

        func members(side: Side) -> [(key: String, value: FindingValue)] { [("share", .number(0.5))] }
    }

    private struct Whole: PageFinding {
        let words: Message
        var remark: Message { words }
        func counts(isCut: Bool) -> [FindingCount] {
            [FindingCount("unfolded", because: FindingCount.Reason("folded", words, order: 9)) { "\($0) unfolded" }]
        }

        func members(side: Side) -> [(key: String, value: FindingValue)] { [] }
    }

    @Test func laterFindingsReplaceThoseOfTheirType() {
        var page = Sample.page(1)
        page.findings[Panels.self] = Panels(count: 2)
        page.findings[Place.self] = Place()
        page.findings[Panels.self]?.count = 3
        #expect(page.findings.map { $0.remark } == ["3 panels", "the last of its chapter"])
        page.findings[Panels.self] = nil
        #expect(page.findings[Panels.self] == nil && page.findings.count == 1)
    }

    /// Reports begin with the last finding about the image, and lines of pages with the first.
    @Test func findingsOfOtherPluginsAreReported() async throws {
        var page = Sample.page(1)
        page.findings = [Place(), Panels(count: 3), Cut()]
        let report = try await Stage(FakeSource([page])).run()
        #expect(report.pages[0].remarks == ["3 panels", "cut a little", "the last of its chapter"])
        let text = report.json(version: "1").text
        #expect(text.contains("\"share\": 0.5, \"panels\": 3, \"ends\": true, \"box\": null, \"place\": \"single\""))
        #expect(report.changes.isEmpty)
    }

    /// A key occurs once in the report, even if two plug-ins put the reason into different words.
    @Test func reasonsWithOneIDAreCountedTogether() async throws {
        var pages = [Sample.page(1), Sample.page(2)]
        pages[0].findings = [Whole(words: "folded")]
        pages[1].findings = [Whole(words: "with a fold")]
        let report = try await Stage(FakeSource(pages)).run()
        #expect(report.changes.findings["unfolded"]?.counts.map(\.kind.reason?.id) == ["folded"])
        #expect(report.json(version: "1").text.contains("\"unfolded\": {\"folded\": 2}"))
    }
}
