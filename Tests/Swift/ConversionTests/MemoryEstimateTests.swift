import PageModel
import Testing

@testable import Conversion
@testable import Looks

/// The memory for the work on a page is estimated before it begins.
@Suite struct MemoryEstimateTests {
    private let size = PixelSize(width: 10_000, height: 12_000)

    /// Returns the estimate for changing the pixels of a bilevel page.
    private func memory(for operation: any PageOperation) throws -> Int {
        let picture = SampledPicture(compression: "CCITT G4", size: size, format: .gray(bits: 1)) {
            throw AdapterError(.damaged, "only for planning")
        }
        let operations = try #require(PixelOperations(size, .upright, [.change(operation)]))
        let plan = PagePlan(
            .encoded, Reason(Note(.gray)), encoding: nil, size: size, .render(.sampled(picture), operations, nil))
        return plan.memory
    }

    @Test func invertedPagesKeepTheirBits() throws {
        // The pixels before and after.
        #expect(try memory(for: Invert()) == 2 * size.area / 8)
        #expect(try memory(for: Tones(black: 0.1)) > size.area)
    }
}
