import AdapterKit
import PageModel
import Testing

@testable import Rotate

@Suite struct RotateTests {
    private func passes(_ value: String) throws -> [Pass] {
        let rotate = Rotate()
        return rotate.passes(try Settings(rotate.descriptor.settings, given: ["rotate": value]))
    }

    @Test(arguments: [("90", 1), ("180", 2), ("270", 3)]) func fixedAnglesNeedNoAnalysis(
        _ value: String, _ quarters: Int
    ) throws {
        #expect(try passes(value).flatMap(\.edits) == [.move(.turn(quarters: quarters))])
    }

    @Test func autoIsAPassWithoutFixedEdits() throws {
        let passes = try passes("auto")
        #expect(passes.map(\.stage) == [.turn] && passes.flatMap(\.edits).isEmpty)
    }

    @Test(arguments: ["45", "360", "", "Auto"]) func otherValuesAreRefused(_ value: String) {
        #expect(throws: AdapterError.self) { _ = try passes(value) }
    }
}
