import Glibc
import Imaging
import PageModel
import Scratch
import Testing

@Suite struct RasterTonesTests {
    @Test(arguments: RasterFramingTests.formats)
    func grayIsTheLumaOfEncodedSamples(_ format: PixelFormat) {
        var random = SplitMix(seed: 31)
        let grid = PixelGrid.random(format, PixelSize(width: 13, height: 7), using: &random)
        let raster = grid.raster(resolution: Resolution(300), iccProfile: [1])
        let result = raster.gray()
        switch format {
        case .gray, .grayAlpha:
            #expect(result == raster)
            return
        case .rgb(let bits): #expect(result.format == .gray(bits: bits))
        case .rgba(let bits): #expect(result.format == .grayAlpha(bits: bits))
        case .palette: #expect(result.format == .gray(bits: 8))
        }
        #expect(result.resolution == Resolution(300) && result.iccProfile == nil)
        let bits = UInt64(result.format.bitsPerSample)
        let maximum = UInt64(1) << bits - 1
        for (pixel, gray) in zip(grid.rows.flatMap(\.self), PixelGrid(result).rows.flatMap(\.self)) {
            var (color, luma) = ([pixel >> (2 * bits) & maximum, pixel >> bits & maximum, pixel & maximum], gray)
            if case .palette(_, let colors) = format {
                color = (0..<3).map { 3 * Int(pixel) + $0 }.map { $0 < colors.count ? UInt64(colors[$0]) : 0 }
            } else if format.hasAlpha {
                color = [pixel >> (3 * bits) & maximum, pixel >> (2 * bits) & maximum, pixel >> bits & maximum]
                #expect(gray & maximum == pixel & maximum)
                luma = gray >> bits
            }
            let wanted = 0.299 * Double(color[0]) + 0.587 * Double(color[1]) + 0.114 * Double(color[2])
            #expect(abs(Double(luma) - wanted) < (bits == 8 ? 0.51 : 1.5))
        }
    }

    /// The same whole numbers as Pillow: (19595 R + 38470 G + 7471 B + 32768) / 65536, cut off.
    @Test func grayIsPillows() {
        let colors: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 20, 30, 200, 3, 90]
        let raster = Raster(size: PixelSize(width: 6, height: 1), format: .rgb(bits: 8), samples: colors)
        #expect(raster.gray().samples == [76, 150, 29, 255, 18, 72])
    }

    @Test(arguments: RasterFramingTests.formats, [(0.0, 1.0, 1.0), (0.1, 0.9, 1), (0.25, 0.7, 1.8), (0, 1, 0.5)])
    func levelsFollowTheFormula(_ format: PixelFormat, _ level: (Double, Double, Double)) {
        let (black, white, gamma) = level
        var random = SplitMix(seed: 32)
        let grid = PixelGrid.random(format, PixelSize(width: 11, height: 5), using: &random)
        let raster = grid.raster(resolution: Resolution(72), iccProfile: [3])
        let result = raster.levels(black: black, white: white, gamma: gamma)
        #expect(result.resolution == Resolution(72) && result.iccProfile == [3] && result.size == raster.size)
        if level == (0, 1, 1) {
            #expect(PixelGrid(result) == grid)
            return
        }
        func wanted(_ value: Double) -> Double { pow(min(max((value - black) / (white - black), 0), 1), 1 / gamma) }
        if case .palette(let bits, let colors) = format {
            guard case .palette(bits, let changed) = result.format else {
                Issue.record("no palette")
                return
            }
            #expect(result.samples == raster.samples)
            #expect(zip(colors, changed).allSatisfy { abs(wanted(Double($0) / 255) * 255 - Double($1)) < 0.501 })
            return
        }
        let before = RasterScalingTests.channels(raster)
        let after = RasterScalingTests.channels(result)
        for channel in before.indices {
            let isAlpha = format.hasAlpha && channel == before.count - 1
            let half = 0.501 / Double((1 << result.format.bitsPerSample) - 1)
            #expect(
                zip(before[channel], after[channel]).allSatisfy {
                    isAlpha ? $0 == $1 : abs(wanted($0) - $1) < half
                }, "channel \(channel)")
        }
    }

    @Test func grayOfFewBitsStaysSoWhereItCan() {
        let two = PixelGrid(.gray(bits: 2), [[0, 1, 2, 3, 1]]).raster()
        // 0, 1/3, 2/3, 1 become 0, 0, 1, 1.
        #expect(
            two.levels(black: 0.34, white: 0.66, gamma: 1) == PixelGrid(.gray(bits: 2), [[0, 0, 3, 3, 0]]).raster())
        #expect(
            two.levels(black: 0, white: 1, gamma: 2) == PixelGrid(.gray(bits: 8), [[0, 147, 208, 255, 147]]).raster())
        #expect(
            PixelGrid(.gray(bits: 1), [[0, 1]]).raster().levels(black: 0.2, white: 0.8, gamma: 2).format
                == .gray(bits: 1))
    }
}
