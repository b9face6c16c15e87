import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Adjustments

@Suite struct AdjustmentsTests {
    private let size = PixelSize(width: 20, height: 10)

    private func edits(_ given: [String: String]) throws -> [PageEdit] {
        let adjustments = Adjustments()
        return adjustments.passes(try Settings(adjustments.descriptor.settings, given: given)).inOrderOfStages.flatMap(
            \.edits)
    }

    private func objection(_ given: [String: String]) -> String? {
        do {
            _ = try edits(given)
            return nil
        } catch {
            return (error as? AdapterError)?.message.english
        }
    }

    @Test func editsComeInTheirOrder() throws {
        let given = [
            "shades": "4", "levels": "10,90%", "gamma": "2", "fit": "10x", "enlarge": "true",
            "crop": "1",
        ]
        let insets = try #require(Insets("1"))
        #expect(
            try edits(given) == [
                .move(.inset(insets)),
                .change(Fit(frame: FitBox(width: 10, height: nil, enlarges: true))), .change(Gray(isImplied: true)),
                .change(Levels(black: 0.1, white: 0.9, gamma: 2)), .change(Shades(levels: 4)),
            ])
    }

    @Test func neutralValuesRequestNothing() throws {
        #expect(try edits([:]).isEmpty && edits(["gamma": "1", "levels": "0,100"]).isEmpty)
    }

    @Test(arguments: [
        ("crop", "a", "--crop takes lengths like 40 or 5%, one, two or four of them, not 'a'"),
        ("fit", "x", "--fit takes a box like 1072x1448, 1072x or x1448, not 'x'"),
        ("shades", "3", "--shades takes 2, 4, 8 or 16, not '3'"),
        ("levels", "9,3", "--levels takes two percentages, the smaller one first, like 10,95, not '9,3'"),
        ("gamma", "0", "--gamma takes a number from 0.1 to 10, not '0'"),
        ("color-filter", "true", "--color-filter needs --fit"), ("enlarge", "true", "--enlarge needs --fit"),
        ("sharpen", "50", "--sharpen needs --fit"),
        ("dither", "off", "--dither needs --shades"),
    ])
    func impossibleValuesAreRejected(_ name: String, _ value: String, _ message: String) {
        #expect(objection([name: value]) == message)
    }

    /// The options that a message names.
    @Test func operationsNameTheirOptions() throws {
        func options(_ given: [String: String]) throws -> [String] {
            try edits(given).flatMap { $0.operation?.options ?? [] }
        }
        #expect(try options(["fit": "1x1", "enlarge": "true", "gray": "true"]) == ["fit", "enlarge", "gray"])
        #expect(try options(["fit": "1x1", "sharpen": "40"]) == ["fit", "sharpen"])
        #expect(try options(["fit": "1x1", "color-filter": "true"]) == ["fit", "color-filter"])
        #expect(try options(["levels": "1,2"]) == ["levels"])
        #expect(try options(["levels": "1,2", "gamma": "2"]) == ["levels", "gamma"])
        // Shades need gray pixels, which no option requests here.
        #expect(try options(["shades": "16"]) == ["shades"])
        #expect(try options(["gray": "true", "shades": "16"]) == ["gray", "shades"])
        #expect(try options(["shades": "16", "dither": "off"]) == ["shades", "dither"])
    }

    /// Each pixel of a pattern would lie under another color.
    @Test func pagesForAColorFilterAreNotDithered() throws {
        let given = ["fit": "1x1", "color-filter": "true", "shades": "16"]
        #expect(try edits(given).last == .change(Shades(levels: 16, dithers: false)))
    }

    @Test func operationsKnowWhenTheyAreIdle() {
        let screen = FitBox(width: size.width, height: 4 * size.height)
        #expect(!ColorFilter(screen: screen).isNoOp(on: size, isGray: true))
        let larger = FitBox(width: size.width + 1, height: nil)
        #expect(ColorFilter(screen: larger).isNoOp(on: size, isGray: true))
        #expect(Gray().isNoOp(on: size, isGray: true) && !Gray().isNoOp(on: size, isGray: false))
        #expect(!Shades(levels: 2).isNoOp(on: size, isGray: true))
        #expect(Levels().isNoOp(on: size, isGray: false) && !Levels(gamma: 2).isNoOp(on: size, isGray: false))
        #expect(Fit(frame: FitBox(width: 40, height: 40)).isNoOp(on: size, isGray: false))
        #expect(Fit(frame: FitBox(width: 5, height: nil)).size(after: size) == PixelSize(width: 5, height: 3))
    }

    @Test func onlyScalingDependsOnTheWholePage() {
        let operations: [any PageOperation] = [
            Gray(), Shades(levels: 2), Levels(), Fit(frame: FitBox(width: 1, height: 1)),
        ]
        #expect(operations.map(\.isSameForParts) == [true, true, true, false])
        #expect(operations.map(\.grayLevels) == [nil, 2, nil, nil])
    }

    /// The samples after an operation on one row of colors: red, white and black.
    @Test func pixelsAreChanged() throws {
        let row = Raster(
            size: PixelSize(width: 3, height: 1), format: .rgb(bits: 8), samples: [255, 0, 0, 255, 255, 255, 0, 0, 0])
        let gray = Gray().apply(to: row)
        #expect(gray.format == .gray(bits: 8) && gray.samples.suffix(2) == [255, 0])
        #expect(Shades(levels: 2).apply(to: row).format == .gray(bits: 1))
        #expect(Levels(black: 0, white: 1, gamma: 1).apply(to: row).samples == row.samples)
        #expect(try Fit(frame: FitBox(width: 1, height: 1)).apply(to: row).size == PixelSize(width: 1, height: 1))
    }
}
