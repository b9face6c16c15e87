import Imaging
import PageModel
import Scratch
import Testing

@Suite struct RasterFramingTests {
    /// A table of colors for every index there can be.
    static func palette(_ bits: Int) -> PixelFormat {
        .palette(bits: bits, colors: (0..<3 << bits).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    }

    /// Every layout of samples: 1, 2, 4, 8, 16, 24, 32, 48 and 64 bits a pixel.
    static let formats: [PixelFormat] =
        [1, 2, 4, 8, 16].map { .gray(bits: $0) } + [8, 16].map { .rgb(bits: $0) } + [1, 2, 4, 8].map(palette)
        + [8, 16].map { .grayAlpha(bits: $0) } + [8, 16].map { .rgba(bits: $0) }

    private static func size(_ random: inout SplitMix) -> PixelSize {
        PixelSize(width: .random(in: 1...35, using: &random), height: .random(in: 1...20, using: &random))
    }

    private static func framed(_ raster: Raster, _ edits: [Edit]) throws -> Raster {
        raster.framed(try #require(Framing(raster.size, edits: edits)))
    }

    private static func edit(of size: PixelSize, _ random: inout SplitMix) -> Edit {
        if Int.random(in: 0..<4, using: &random) == 0 { return .mirror }
        if Bool.random(using: &random) { return .turn(quarters: .random(in: 1...3, using: &random)) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            return .inset(
                Insets(
                    top: .percent(.random(in: 0..<40, using: &random)), right: .percent(30),
                    bottom: .pixels(.random(in: 0...size.height / 3, using: &random)), left: .pixels(size.width / 3)))
        }
        let (x, y) = (Int.random(in: 0..<size.width, using: &random), Int.random(in: 0..<size.height, using: &random))
        return .crop(
            PixelRect(
                x: x, y: y, width: .random(in: 1...size.width - x, using: &random),
                height: .random(in: 1...size.height - y, using: &random)))
    }

    @Test(arguments: formats)
    func editsMatchThoseOnPlainPixels(_ format: PixelFormat) throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<80 {
            let grid = PixelGrid.random(format, Self.size(&random), using: &random)
            var edits: [Edit] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                edits.append(Self.edit(of: edits.applied(to: grid.size), &random))
            }
            // The padding bits must not get into the picture.
            let result = try Self.framed(grid.raster(padding: random.next().isMultiple(of: 2) ? 1 : 0), edits)
            #expect(PixelGrid(result) == grid.applying(edits), "\(grid.size) \(edits)")
            #expect(result.size == edits.applied(to: grid.size))
        }
    }

    @Test(arguments: formats)
    func fourQuarterTurnsChangeNothing(_ format: PixelFormat) throws {
        var random = SplitMix(seed: 2)
        for _ in 0..<50 {
            let raster = PixelGrid.random(format, Self.size(&random), using: &random).raster()
            #expect(try Self.framed(raster, [.turn(quarters: 1), .turn(quarters: 1), .turn(quarters: 2)]) == raster)
            #expect(try Self.framed(raster, [.turn(quarters: 3), .turn(quarters: 1)]) == raster)
        }
    }

    @Test func clockwiseIsClockwise() throws {
        let raster = Raster(size: PixelSize(width: 3, height: 2), format: .gray(bits: 8), samples: [1, 2, 3, 4, 5, 6])
        #expect(try Self.framed(raster, [.turn(quarters: 1)]).samples == [4, 1, 5, 2, 6, 3])
        #expect(try Self.framed(raster, [.turn(quarters: 2)]).samples == [6, 5, 4, 3, 2, 1])
        #expect(try Self.framed(raster, [.turn(quarters: 3)]).samples == [3, 6, 2, 5, 1, 4])
        #expect(try Self.framed(raster, []) == raster)
    }

    @Test func resolutionAndProfileFollowTheFraming() throws {
        let raster = PixelGrid(.gray(bits: 8), [[1, 2]]).raster(
            resolution: Resolution(horizontal: 300, vertical: 200), iccProfile: [7])
        let turned = try Self.framed(raster, [.turn(quarters: 1)])
        #expect(turned.resolution == Resolution(horizontal: 200, vertical: 300))
        #expect(turned.iccProfile == [7])
        let cropped = try Self.framed(raster, [.crop(PixelRect(x: 1, y: 0, width: 1, height: 1))])
        #expect(cropped.resolution == raster.resolution)
        #expect(cropped.iccProfile == [7])
        #expect(try Self.framed(raster, [.turn(quarters: 2)]).resolution == raster.resolution)
    }

    @Test func grayInColorBecomesGray() {
        let size = PixelSize(width: 2, height: 1)
        let gray = Raster(size: size, format: .rgb(bits: 8), samples: [5, 5, 5, 9, 9, 9], resolution: Resolution(72))
        #expect(gray.withoutNeedlessColor() == PixelGrid(.gray(bits: 8), [[5, 9]]).raster(resolution: Resolution(72)))
        for samples: [UInt8] in [
            [5, 5, 5, 9, 9, 8], [5, 5, 5, 9, 8, 9], [4, 5, 5, 9, 9, 9], [0, 255, 255, 9, 9, 9],
        ] {
            let raster = Raster(size: size, format: .rgb(bits: 8), samples: samples)
            #expect(raster.withoutNeedlessColor() == raster)
        }
        let deep = Raster(size: size, format: .rgb(bits: 16), samples: [5, 6, 5, 6, 5, 6, 9, 0, 9, 0, 9, 0])
        #expect(deep.withoutNeedlessColor() == PixelGrid(.gray(bits: 16), [[0x506, 0x900]]).raster())
        let tinted = Raster(size: size, format: .rgb(bits: 16), samples: [5, 6, 5, 6, 5, 6, 9, 0, 9, 0, 9, 1])
        #expect(tinted.withoutNeedlessColor() == tinted)
        // A profile is made for red, green and blue.
        let profiled = Raster(size: size, format: .rgb(bits: 8), samples: [5, 5, 5, 9, 9, 9], iccProfile: [1])
        #expect(profiled.withoutNeedlessColor() == profiled)
        // The one colored pixel is the last of many.
        let many = PixelSize(width: 5000, height: 3)
        let last = Raster(
            size: many, format: .rgb(bits: 8), samples: [UInt8](repeating: 3, count: 3 * many.area - 1) + [4])
        #expect(last.withoutNeedlessColor() == last)
    }

    @Test(arguments: formats.prefix(7))
    func invertedTwiceIsTheSame(_ format: PixelFormat) {
        var random = SplitMix(seed: 3)
        let grid = PixelGrid.random(format, PixelSize(width: 11, height: 3), using: &random)
        let maximum = UInt64(1) << format.bitsPerPixel &- 1
        let inverted = grid.raster().withBitsInverted()
        #expect(PixelGrid(inverted) == PixelGrid(format, grid.rows.map { $0.map { maximum - $0 } }))
        #expect(PixelGrid(inverted.withBitsInverted()) == grid)
    }
}
