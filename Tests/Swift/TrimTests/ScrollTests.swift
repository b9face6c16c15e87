import AdapterKit
import PageModel
import Testing
import Trim

/// A horizontal scroll that was cut into pages: its picture continues from page to page.
@Suite struct ScrollTests {
    private static let size = SyntheticPage.size

    /// Parts with print over their whole width, between these rows.
    private static func trimmed(_ rows: [Range<Int>], margin: Int = 0) async throws -> [Page] {
        let pages = rows.enumerated().map { index, rows in
            var page = SyntheticPage.paper(seed: UInt64(index))
            // Bands of brush strokes that cross the cuts.
            for top in stride(from: rows.lowerBound, to: rows.upperBound - 12, by: 30) {
                page.fill(PixelRect(x: margin, y: top, width: size.width - 2 * margin, height: 10), 40)
            }
            page.fill(
                PixelRect(x: margin, y: rows.upperBound - 10, width: size.width - 2 * margin, height: 10), 40)
            return page
        }
        let trim = Trim()
        let sequence = PageSequence(
            book: BookMetadata(),
            pages: pages.indices.map { index in
                Page(id: index + 1, name: "part \(index + 1)") { throw AdapterError(.damaged, "only for looking at") }
            })
        let settings = try Settings(
            trim.descriptor.settings, given: ["trim": "page", "trim-margin": "0px", "trim-confidence": "0.1"])
        return try await trim.apply(
            to: sequence, settings, TransformRequest(previews: SyntheticBook(pages), width: 2)
        ).pages
    }

    @Test func partsKeepOneHeight() async throws {
        let boxes = try await Self.trimmed([200..<600, 240..<700, 180..<560, 220..<640])
            .map { try #require($0.kept) }
        #expect(boxes.allSatisfy { $0.y == boxes[0].y && $0.height == boxes[0].height && $0.x == 0 }, "\(boxes)")
        #expect(abs(boxes[0].y - 180) < 6 && abs(boxes[0].y + boxes[0].height - 700) < 6, "\(boxes)")
    }

    /// Dark pages may have the same form, so the remark states what was seen, and not that it is a scroll.
    @Test func remarkStatesTheSameRows() async throws {
        let pages = try await Self.trimmed([200..<600, 240..<700, 180..<560, 220..<640])
        let remarks = pages.compactMap { $0.findings.compactMap { ($0 as? PageLayout)?.remark.english }.first }
        let end = "; to the same rows as the pages next to it, because all reach the side edges"
        #expect(remarks.count == 4 && remarks.allSatisfy { $0.hasSuffix(end) && !$0.contains("scroll") }, "\(remarks)")
    }

    /// Pages with margins on both sides are no scroll.
    @Test func pagesWithMarginsKeepBoxesOfTheirOwn() async throws {
        let boxes = try await Self.trimmed([200..<600, 240..<700, 180..<560], margin: 60)
            .map { try #require($0.kept) }
        #expect(boxes[0].y != boxes[1].y && boxes[1].y != boxes[2].y, "\(boxes)")
    }
}
