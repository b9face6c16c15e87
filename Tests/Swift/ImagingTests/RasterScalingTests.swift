import Imaging
import PageModel
import Scratch
import Testing

@Suite struct RasterScalingTests {
    static let formats: [PixelFormat] = [
        .gray(bits: 8), .gray(bits: 16), .rgb(bits: 8), .rgb(bits: 16), .grayAlpha(bits: 8), .grayAlpha(bits: 16),
        .rgba(bits: 8), .rgba(bits: 16),
    ]

    static let sizes: [(PixelSize, PixelSize)] = [
        (40, 30, 20, 15), (40, 30, 13, 29), (17, 9, 41, 23), (1, 1, 1, 7), (1, 1, 5, 3), (1, 9, 1, 4), (9, 1, 3, 1),
        (64, 50, 1, 1), (5, 200, 40, 3), (2, 2, 64, 64), (301, 3, 7, 3),
    ].map { (PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.2, height: $0.3)) }

    /// Smooth with some noise: pictures in which a shift of a part of a pixel would show.
    static func picture(_ format: PixelFormat, _ size: PixelSize, _ random: inout SplitMix) -> Raster {
        let bits = format.bitsPerSample
        let channels = format.bitsPerPixel / bits
        let rows = (0..<size.height).map { y in
            (0..<size.width).map { x in
                (0..<channels).reduce(UInt64(0)) { pixel, channel in
                    let value = (x * 5 + y * 3 * (channel + 1)) % 60 + Int.random(in: 0...195, using: &random)
                    return pixel << UInt64(bits) | UInt64(bits == 8 ? value : value * 257)
                }
            }
        }
        return PixelGrid(format, rows).raster()
    }

    /// The samples of 8 or 16 bits, 0 to 1, channel by channel.
    static func channels(_ raster: Raster) -> [[Double]] {
        let bits = raster.format.bitsPerSample
        let count = raster.format.bitsPerPixel / bits
        let maximum = UInt64(1) << UInt64(bits) - 1
        let pixels = PixelGrid(raster).rows.flatMap(\.self)
        return (0..<count).map { channel in
            pixels.map { Double($0 >> UInt64((count - 1 - channel) * bits) & maximum) / Double(maximum) }
        }
    }

    @Test(arguments: formats, sizes)
    func everySampleIsTheReferences(_ format: PixelFormat, _ sizes: (PixelSize, PixelSize)) throws {
        var random = SplitMix(seed: 21)
        let raster = Self.picture(format, sizes.0, &random)
        let result = try raster.scaled(to: sizes.1)
        #expect(result.size == sizes.1 && result.format == format)
        let wanted = LanczosReference.scaled(raster, to: sizes.1)
        // A color that hardly covers is a quotient of small numbers.
        for (channel, values) in Self.channels(result).enumerated() {
            let alpha = format.hasAlpha ? wanted[wanted.count - 1] : []
            let worst =
                zip(values, wanted[channel]).enumerated().map { index, pair in
                    format.hasAlpha && alpha[index] < 0.02 ? 0 : abs(pair.0 - pair.1)
                }.max() ?? 1
            #expect(worst * 255 < (format.bitsPerSample == 8 ? 0.6 : 0.02), "channel \(channel)")
        }
    }

    /// Black and white in equal parts are half the light, which sRGB writes as 188.
    @Test func lightIsKept() throws {
        for format in [PixelFormat.gray(bits: 1), .gray(bits: 8), .palette(bits: 1, colors: [0, 0, 0, 255, 255, 255])] {
            let white: UInt64 = format.bitsPerPixel == 8 ? 255 : 1
            let board = PixelGrid(format, (0..<64).map { y in (0..<64).map { x in (x + y) % 2 == 0 ? white : 0 } })
            let half = try board.raster().scaled(to: PixelSize(width: 32, height: 32))
            #expect(half.format == (format.isIndexed ? .rgb(bits: 8) : .gray(bits: 8)))
            // Along the sides, the mirrored board differs from a board.
            let inner = half.framed(
                try #require(Framing(half.size, edits: [.crop(PixelRect(x: 4, y: 4, width: 24, height: 24))])))
            #expect(inner.samples.allSatisfy { (187...189).contains($0) })
            #expect(half.samples.allSatisfy { (175...201).contains($0) })
        }
    }

    @Test(arguments: formats, sizes)
    func oneColorStaysThatColor(_ format: PixelFormat, _ sizes: (PixelSize, PixelSize)) throws {
        var random = SplitMix(seed: 22)
        for _ in 0..<4 {
            // Covering a little at least: nothing has no color.
            let visible = UInt64(format.hasAlpha ? 0x8000 >> UInt64(16 - format.bitsPerSample) : 0)
            let pixel = random.next() >> UInt64(64 - format.bitsPerPixel) | visible
            let grid = PixelGrid(
                format, Array(repeating: Array(repeating: pixel, count: sizes.0.width), count: sizes.0.height))
            let result = Self.channels(try grid.raster().scaled(to: sizes.1))
            let wanted = Self.channels(PixelGrid(format, [[pixel]]).raster())
            for (values, value) in zip(result, wanted) {
                let slack = format.bitsPerSample == 8 ? 0 : 2.0 / 65535
                #expect(values.allSatisfy { abs($0 - value[0]) <= slack })
            }
        }
    }

    /// Transparent pixels have no effect on the colors next to them.
    @Test func hiddenColorsStayHidden() throws {
        let red: UInt64 = 0xFF00_00FF
        let hiddenGreen: UInt64 = 0x00FF_0000
        let grid = PixelGrid(
            .rgba(bits: 8), (0..<16).map { _ in (0..<32).map { $0 < 16 ? red : hiddenGreen } })
        let result = try grid.raster().scaled(to: PixelSize(width: 9, height: 5))
        for pixel in PixelGrid(result).rows.flatMap(\.self) where pixel & 255 > 0 {
            #expect(pixel >> 8 == 0xFF0000)
        }
        #expect(PixelGrid(result).rows[0][8] == 0)
    }

    @Test func resolutionIsScaledAndProfileIsKept() throws {
        let raster = PixelGrid(.gray(bits: 8), [[1, 2, 3, 4], [5, 6, 7, 8]]).raster(
            resolution: Resolution(horizontal: 300, vertical: 200), iccProfile: [7])
        let result = try raster.scaled(to: PixelSize(width: 2, height: 6))
        #expect(result.resolution == Resolution(horizontal: 150, vertical: 600))
        #expect(result.iccProfile == [7])
        #expect(try raster.scaled(to: raster.size) == raster)
        #expect(throws: PictureFault.self) { try raster.scaled(to: PixelSize(width: 0, height: 5)) }
    }

    /// Long strips and absurd ratios.
    @Test(arguments: [(1, 30_000, 1, 1), (30_000, 1, 1, 1), (1, 1, 20_000, 1), (1, 1, 1, 20_000), (3, 60_000, 2, 100)])
    func extremesAreScaled(_ width: Int, _ height: Int, _ toWidth: Int, _ toHeight: Int) throws {
        let size = PixelSize(width: width, height: height)
        let raster = Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: 77, count: size.area))
        let result = try raster.scaled(to: PixelSize(width: toWidth, height: toHeight))
        #expect(result.samples == [UInt8](repeating: 77, count: toWidth * toHeight))
    }
}

extension PixelFormat {
    var isIndexed: Bool {
        if case .palette = self { true } else { false }
    }
}
