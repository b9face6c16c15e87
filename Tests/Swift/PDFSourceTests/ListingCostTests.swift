import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Looking at all pages of a book costs so much a page, however long the book is.
@Suite(.endsWhenItHangs) struct ListingCostTests {
    /// A book of pages that each have a content stream of their own.
    private static func book(_ pages: Int) -> [UInt8] {
        SyntheticPDF.bytes(
            pages: (0..<pages).map { "/MediaBox[0 0 40 50]/Contents \(3 + $0) 0 R" },
            (0..<pages).map { SyntheticPDF.stream("", "% \($0)\n0 0 m 9 9 l S") })
    }

    /// How often the file is opened: each time costs as much as there are objects.
    private static func openings(_ pages: Int) async throws -> Int {
        let bytes = SyntheticBytes(book(pages))
        let worker = try StructureWorker(
            bytes, password: nil, memory: PDFMemory(), limits: Limits(), seconds: Patience.secondsOfDrawing)
        let facts = try await worker.facts(showing: .crop)
        #expect(facts.pages.count == pages)
        for page in facts.pages { _ = try await worker.analysis(onPageAt: page.path, showing: .crop) }
        return bytes.openings
    }

    @Test func growsWithTheBookAndNotWithItsSquare() async throws {
        let (short, long) = (try await ListingCostTests.openings(4000), try await ListingCostTests.openings(8000))
        #expect(short > 1 && long > 1)
        #expect(long <= short + 1)
    }

    /// Labels are found without going through all that come before.
    @Test func everyPageMayHaveALabelRangeOfItsOwn() async throws {
        let count = 3000
        let ranges = (0..<count).map { "\($0)<</P(p\($0))>>" }.joined()
        let bytes = SyntheticBytes(
            SyntheticPDF.bytes(
                [
                    "<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[\(ranges)]>>>>",
                    "<</Type/Pages/Count \(count)/Kids[\((0..<count).map { "\(3 + $0) 0 R" }.joined(separator: " "))]>>",
                ] + (0..<count).map { _ in "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>" }))
        let facts = try await StructureWorker(
            bytes, password: nil, memory: PDFMemory(), limits: Limits(), seconds: Patience.secondsOfDrawing
        )
        .facts(showing: .crop)
        #expect(facts.pages.map(\.label) == (0..<count).map { "p\($0)" })
    }
}
