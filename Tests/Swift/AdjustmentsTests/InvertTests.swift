import AdapterKit
import PageModel
import Testing

@testable import Adjustments

@Suite struct InvertTests {
    private let size = PixelSize(width: 2, height: 1)

    @Test(arguments: [
        (PixelFormat.gray(bits: 8), [0, 200], [255, 55]),
        (.gray(bits: 1), [0b0100_0000], [0b1011_1111]),
        (.rgb(bits: 8), [0, 1, 2, 253, 254, 255], [255, 254, 253, 2, 1, 0]),
        (.gray(bits: 16), [0x12, 0x34, 0, 0], [0xED, 0xCB, 0xFF, 0xFF]),
    ])
    func samplesAreInverted(_ format: PixelFormat, _ samples: [UInt8], _ inverted: [UInt8]) {
        let result = Invert().apply(
            to: Raster(size: size, format: format, samples: samples, resolution: Resolution(300)))
        #expect(result.format == format && result.samples == inverted && result.resolution == Resolution(300))
    }

    @Test func colorsOfAPaletteAreInverted() {
        let palette = PixelFormat.palette(bits: 8, colors: [0, 10, 20, 255, 255, 255])
        let result = Invert().apply(to: Raster(size: size, format: palette, samples: [0, 1]))
        #expect(result.format == .palette(bits: 8, colors: [255, 245, 235, 0, 0, 0]) && result.samples == [0, 1])
    }

    /// Transparent parts show the white paper, which becomes black.
    @Test func transparentPixelsBecomeBlack() {
        let result = Invert().apply(to: Raster(size: size, format: .grayAlpha(bits: 8), samples: [7, 0, 7, 255]))
        #expect(result.format == .gray(bits: 8) && result.samples == [0, 248])
    }

    @Test func itComesBeforeTheLevels() throws {
        let adjustments = Adjustments()
        let given = ["invert": "true", "gray": "true", "levels": "1,2"]
        let passes = adjustments.passes(try Settings(adjustments.descriptor.settings, given: given))
        let edits = passes.inOrderOfStages.flatMap(\.edits)
        #expect(edits.map { $0.operation?.options ?? [] } == [["gray"], ["invert"], ["levels"]])
        #expect(edits[1].operation?.note.text?.english == "made negative")
    }

    @Test func reportsUseItsText() {
        let note = Note(.partIsChanged, ["page": "page 3"], operations: [Invert().note])
        #expect(note.message.english == "page 3 is made negative" && note.values["operations"] == "inverted")
    }

    /// Facing pages that the output shows next to each other need not become one image for it.
    @Test func pagesNextToEachOtherAreInvertedByThemselves() {
        #expect(Invert().isSameForParts)
    }
}
