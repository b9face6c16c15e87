import Imaging
import PageModel
import Scratch
import Testing

/// Gray levels that show ink of any color.
@Suite struct RasterInkTests {
    private static let size = PixelSize(width: 100, height: 60)

    /// Paper, with a third of it printed in another color.
    private static func page(paper: [UInt8], ink: [UInt8]) -> Raster {
        let samples = (0..<size.area).flatMap { $0 % size.width < 33 ? ink : paper }
        return Raster(size: size, format: .rgb(bits: 8), samples: samples)
    }

    private static func levels(_ raster: Raster) -> (ink: UInt8, paper: UInt8) {
        let gray = raster.reducedToGray(by: 1, .ink)
        #expect(gray.format == .gray(bits: 8))
        return (gray.samples[0], gray.samples[50])
    }

    @Test(arguments: [[255, 255, 180], [180, 255, 255], [255, 180, 255], [255, 210, 180]] as [[UInt8]])
    func paleColorsCountAsInk(_ ink: [UInt8]) {
        let (found, paper) = Self.levels(Self.page(paper: [255, 255, 255], ink: ink))
        #expect(found == 180 && paper == 255)
        #expect(Self.page(paper: [255, 255, 255], ink: ink).reducedToGray(by: 1).samples[0] > 200)
    }

    /// On yellowed paper neither yellow nor white is ink.
    @Test func yellowedPaperIsPaper() {
        let paper: [UInt8] = [240, 225, 180]
        let (found, level) = Self.levels(Self.page(paper: paper, ink: [252, 238, 190]))
        #expect(level == 240 && found >= 240)
        #expect(Self.levels(Self.page(paper: paper, ink: [240, 225, 120])).ink == 160)
        #expect(Self.levels(Self.page(paper: paper, ink: [40, 38, 30])).ink == 40)
    }

    /// Ground of a single strong color is ink, however bright the color is.
    @Test func groundOfStrongColorIsInk() {
        let raster = Self.page(paper: [255, 152, 0], ink: [20, 200, 20])
        #expect(Self.levels(raster).paper == 0)
    }

    /// A picture of many colors has no paper to compare with.
    @Test func withoutPaperBrightnessMustDo() {
        var random = SplitMix(seed: 1)
        let samples = (0..<3 * Self.size.area).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let raster = Raster(size: Self.size, format: .rgb(bits: 8), samples: samples)
        #expect(raster.reducedToGray(by: 1, .ink) == raster.reducedToGray(by: 1))
    }

    /// Gray stays gray for any sample format.
    @Test func grayStays() {
        let gray = Raster(
            size: Self.size, format: .gray(bits: 8), samples: (0..<Self.size.area).map { UInt8($0 % 251) })
        #expect(gray.reducedToGray(by: 1, .ink) == gray)
        let deep = Raster(
            size: PixelSize(width: 2, height: 1), format: .rgb(bits: 16),
            samples: [255, 255, 255, 255, 180, 0] + [255, 255, 255, 255, 180, 0])
        #expect(deep.reducedToGray(by: 1, .ink).samples == [255, 255])
        let palette = Raster(
            size: PixelSize(width: 8, height: 1), format: .palette(bits: 1, colors: [255, 255, 255, 255, 255, 150]),
            samples: [0b0000_0011])
        #expect(palette.reducedToGray(by: 1, .ink).samples == [255, 255, 255, 255, 255, 255, 150, 150])
    }
}
