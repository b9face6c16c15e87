import Imaging
import PageModel
import Scratch
import Testing

@Suite struct PNGStreamTests {
    /// Bands of any height, with and without the row above them, make up the picture.
    @Test(arguments: RasterFramingTests.formats)
    func bandsMakeUpThePicture(_ format: PixelFormat) throws {
        var random = SplitMix(seed: 8)
        for motif in PNGWriterTests.Motif.allCases {
            let grid = motif.grid(format, PixelSize(width: 33, height: 29))
            let raster = grid.raster(padding: 1, resolution: Resolution(300), iccProfile: [1, 2, 3])
            var stream = PNGStream(
                size: raster.size, format: format, resolution: raster.resolution, iccProfile: raster.iccProfile)
            var file = stream.head
            var start = 0
            while start < raster.size.height {
                let end = min(raster.size.height, start + .random(in: 1...12, using: &random))
                let isKnown = start > 0 && Bool.random(using: &random)
                let above = isKnown ? raster.rows(start - 1..<start).samples : nil
                file += stream.append(PNGBand(raster.rows(start..<end), below: above))
                start = end
            }
            file += stream.finish()
            let read = try PNGReader(file)
            #expect(PixelGrid(read.raster) == grid)
            #expect(read.raster.iccProfile == [1, 2, 3])
            #expect(PictureCheck.defect(in: file, .png) == nil)
        }
    }

    /// Every pair of formats joins in one that holds both: the values read are those that were written.
    @Test(arguments: RasterFramingTests.formats)
    func formatsJoinWithoutLoss(_ format: PixelFormat) {
        var random = SplitMix(seed: 9)
        let raster = PixelGrid.random(format, PixelSize(width: 9, height: 4), using: &random).raster()
        for other in RasterFramingTests.formats {
            let common = format.joined(with: other)
            #expect(common == other.joined(with: format))
            let wide = raster.widened(to: common)
            #expect(wide.format == common && wide.size == raster.size)
            // A format joined with itself does not change.
            #expect(wide.widened(to: common.joined(with: format)) == wide)
        }
        #expect(raster.widened(to: .rgba(bits: 16)).packed(to: .gray(bits: 1)).format == .rgba(bits: 16))
    }

    @Test func widenedSamplesAreTheSameColors() {
        let gray = PixelGrid(.gray(bits: 2), [[0, 1, 2, 3]]).raster()
        #expect(gray.widened(to: .rgb(bits: 8)).samples == [0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255])
        let palette = PixelGrid(.palette(bits: 1, colors: [1, 2, 3, 250, 251, 252]), [[1, 0]]).raster()
        #expect(palette.widened(to: .rgba(bits: 8)).samples == [250, 251, 252, 255, 1, 2, 3, 255])
        let deep = palette.widened(to: .rgb(bits: 16))
        #expect(deep.samples == [250, 250, 251, 251, 252, 252, 1, 1, 2, 2, 3, 3])
        #expect(deep.narrowed().samples == [250, 251, 252, 1, 2, 3])
    }

    @Test(arguments: [1, 2, 4])
    func samplesOfFewBitsRoundTrip(_ bits: Int) {
        var random = SplitMix(seed: 10)
        let raster = PixelGrid.random(.gray(bits: bits), PixelSize(width: 13, height: 5), using: &random).raster()
        #expect(raster.widened(to: .gray(bits: 8)).packed(to: .gray(bits: bits)) == raster)
    }

    @Test func levelsAreRoundedToTheNearestOfSixteen() throws {
        let all = Raster(
            size: PixelSize(width: 16, height: 16), format: .gray(bits: 8), samples: (0...255).map { UInt8($0) })
        let few = try #require(all.roundedToSixteenLevels())
        #expect(few.format == .gray(bits: 4))
        let levels = few.widened(to: .gray(bits: 8)).samples
        #expect(zip(levels, all.samples).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
        #expect(Set(levels).count == 16)
        #expect(few.roundedToSixteenLevels() == nil)
    }

    @Test func rowsAndColumnsAreCutOut() {
        let raster = PixelGrid(.gray(bits: 8), [[1, 2, 3], [4, 5, 6], [7, 8, 9]]).raster()
        #expect(raster.rows(1..<3).samples == [4, 5, 6, 7, 8, 9])
        #expect(raster.columns(1..<2).samples == [2, 5, 8])
        var samples = [UInt8](repeating: 0, count: 12)
        samples.lay(raster.columns(0..<2).rows(0..<2), x: 2, y: 1, width: 4)
        #expect(samples == [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 4, 5])
    }
}
