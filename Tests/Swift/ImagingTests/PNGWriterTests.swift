import Imaging
import PageModel
import Scratch
import Testing

@Suite struct PNGWriterTests {
    /// Pictures that suit one filter or another, and none.
    enum Motif: CaseIterable {
        case blank
        case acrossGradient
        case downGradient
        case plane
        case slope
        case noise

        func value(_ x: Int, _ y: Int, _ random: inout SplitMix) -> UInt64 {
            switch self {
            case .blank: .max
            case .acrossGradient: UInt64(x) &* 0x0101_0307_0103
            case .downGradient: UInt64(y) &* 0x0101_0307_0103
            case .plane: UInt64(3 * x + 5 * y) &* 0x0001_0001_0001
            case .slope: UInt64(3 * x + 5 * y) + random.next() & 3
            case .noise: random.next()
            }
        }

        func grid(_ format: PixelFormat, _ size: PixelSize) -> PixelGrid {
            var random = SplitMix(seed: 4)
            let maximum = UInt64(1) << format.bitsPerPixel &- 1
            return PixelGrid(
                format,
                (0..<size.height).map { y in (0..<size.width).map { x in value(x, y, &random) & maximum } })
        }
    }

    static let sizes = [(1, 1), (1, 9), (7, 1), (8, 8), (9, 5), (33, 17)].map { PixelSize(width: $0.0, height: $0.1) }

    @Test(arguments: RasterFramingTests.formats, Motif.allCases)
    func everyPixelRoundTrips(_ format: PixelFormat, _ motif: Motif) throws {
        for size in Self.sizes {
            let grid = motif.grid(format, size)
            let file = PNGWriter.encode(grid.raster(padding: 1))
            let read = try PNGReader(file).raster
            // The bit depth and the palette are part of this.
            #expect(PixelGrid(read) == grid, "\(size)")
            #expect(read.resolution == nil && read.iccProfile == nil)
            #expect(PictureCheck.defect(in: file, .png) == nil)
            #expect(PictureHeader(file)?.size == size)
            #expect(PNGWriter.encode(grid.raster(padding: 1)) == file)
        }
    }

    /// The same picture gives the same file, regardless of the invisible bits that a decoder left.
    @Test(arguments: RasterFramingTests.formats)
    func unusedBitsAreZero(_ format: PixelFormat) throws {
        for width in 1...9 {
            let grid = Motif.noise.grid(format, PixelSize(width: width, height: 3))
            let file = PNGWriter.encode(grid.raster(padding: 1))
            #expect(try PNGReader(file).raster == grid.raster(padding: 0))
            #expect(file == PNGWriter.encode(grid.raster(padding: 0)))
        }
    }

    @Test func chunksComeInTheOrderTheyMust() throws {
        let raster = PixelGrid(.palette(bits: 1, colors: [0, 0, 0, 255, 255, 255]), [[0, 1]]).raster(
            resolution: Resolution(300), iccProfile: [1, 2, 3])
        let types = try PNGReader(PNGWriter.encode(raster)).chunks.map(\.type)
        #expect(types == ["IHDR", "iCCP", "pHYs", "PLTE", "IDAT", "IEND"])
    }

    @Test(arguments: [(300.0, 300.0), (600, 300), (72, 72), (1, 2400), (254, 25.4)])
    func resolutionsRoundTrip(_ horizontal: Double, _ vertical: Double) throws {
        let wanted = Resolution(horizontal: horizontal, vertical: vertical)
        let file = PNGWriter.encode(PixelGrid(.gray(bits: 8), [[1]]).raster(resolution: wanted))
        let read = try #require(try PNGReader(file).raster.resolution)
        // Whole pixels per metre.
        #expect(abs(read.horizontal - horizontal) < 0.02 && abs(read.vertical - vertical) < 0.02)
    }

    @Test(arguments: [0, -1, .infinity, .nan, 1e12] as [Double])
    func impossibleResolutionsAreLeftOut(_ value: Double) throws {
        let file = PNGWriter.encode(
            PixelGrid(.gray(bits: 8), [[1]]).raster(resolution: Resolution(horizontal: value, vertical: 300)))
        #expect(try PNGReader(file).raster.resolution == nil)
    }

    @Test(arguments: [1, 628, 100_000])
    func profilesRoundTrip(_ count: Int) throws {
        let profile = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let file = PNGWriter.encode(PixelGrid(.rgb(bits: 8), [[1]]).raster(iccProfile: profile))
        #expect(try PNGReader(file).raster.iccProfile == profile)
    }

    /// Filters are used only if they save space.
    @Test func filtersFitThePicture() throws {
        let size = PixelSize(width: 64, height: 32)
        func filters(_ motif: Motif, _ format: PixelFormat) throws -> Set<UInt8> {
            Set(try PNGReader(PNGWriter.encode(motif.grid(format, size).raster())).filters.dropFirst())
        }
        #expect(try filters(.acrossGradient, .gray(bits: 8)) == [2])
        #expect(try filters(.slope, .gray(bits: 8)).isDisjoint(with: [0]))
        #expect(try filters(.noise, .gray(bits: 1)) == [0])
        #expect(try filters(.plane, RasterFramingTests.palette(8)) == [0])
        #expect(try !filters(.plane, .rgb(bits: 8)).contains(0))
    }
}
