import PageModel
import Scratch
import Testing

@testable import Imaging

/// The reduction of pages to few gray levels.
@Suite struct GrayLevelsTests {
    private static func bits(_ levels: Int) -> Int { levels == 8 ? 4 : levels.trailingZeroBitCount }

    /// The samples of a raster, from 0 to 255.
    private static func samples(_ raster: Raster) -> [[Int]] {
        PixelGrid(raster.widened()).rows.map { $0.map { Int($0) } }
    }

    private static func raster(_ rows: [[Int]]) -> Raster {
        PixelGrid(.gray(bits: 8), rows.map { $0.map { UInt64($0) } }).raster(resolution: Resolution(300))
    }

    @Test(arguments: [2, 4, 8, 16], [8, 16])
    func ditheringKeepsTheLight(_ levels: Int, _ depth: Int) {
        let maximum = 1 << depth - 1
        // A ramp without its ends, which stay black and white, and a size that does not fill its bytes.
        let size = PixelSize(width: 201, height: 64)
        let samples = (0..<size.width).map { 20 + $0 * 215 / (size.width - 1) }
        let row = samples.map { UInt64($0 * maximum / 255) }
        let raster = PixelGrid(.gray(bits: depth), Array(repeating: row, count: size.height))
            .raster(resolution: Resolution(300))
        let result = raster.withGrayLevels(levels, dithers: true)
        #expect(result.format == .gray(bits: Self.bits(levels)) && result.size == size)
        #expect(result.resolution == Resolution(300))
        let shown = Self.samples(result)
        // The ends of the ramp lie between two of 16 levels.
        #expect(Set(shown.flatMap(\.self)).count == (levels == 16 ? 14 : levels))
        // Eight levels are stored as the nearest ones of 16.
        let tolerance = levels == 8 ? 0.04 : 0.01
        for start in stride(from: 0, to: 200, by: 20) {
            let columns = start..<start + 20
            let light = shown.reduce(0.0) { sum, row in
                sum + columns.reduce(0.0) { $0 + Double(SRGBCurve.light8[row[$1]]) }
            }
            let wanted = columns.reduce(0.0) { $0 + Double(SRGBCurve.light8[samples[$1]]) } / 20
            #expect(abs(light / Double(20 * size.height) - wanted) < tolerance, "\(levels) levels, from \(start)")
        }
    }

    /// Two levels around each sample, so that a smooth tone has no noise.
    @Test(arguments: [4, 8, 16]) func pixelsTakeTheLevelsAroundThem(_ levels: Int) {
        var random = SplitMix(seed: 7)
        let rows = (0..<40).map { _ in (0..<60).map { _ in Int.random(in: 0...255, using: &random) } }
        let shown = Self.samples(Self.raster(rows).withGrayLevels(levels, dithers: true))
        let step = 255 / (levels - 1) + 8
        for (row, result) in zip(rows, shown) {
            for (sample, level) in zip(row, result) { #expect(abs(sample - level) <= step) }
        }
    }

    @Test(arguments: [2, 4, 8, 16]) func whiteBlackAndThinLinesAreKept(_ levels: Int) {
        // Gray tones beside white and black, and lines of one pixel across paper and tone.
        var rows = (0..<60).map { _ in (0..<90).map { $0 < 30 ? 255 : $0 < 60 ? 140 : 2 } }
        for y in rows.indices { (rows[y][10], rows[y][45]) = (40, 20) }
        for x in 0..<60 { rows[30][x] = 25 }
        let shown = Self.samples(Self.raster(rows).withGrayLevels(levels, dithers: true))
        let rounded = Self.samples(Self.raster(rows).withGrayLevels(levels, dithers: false))
        for (y, row) in shown.enumerated() {
            let kept = Array(0..<30) + (y == 30 ? [] : [45]) + Array(60..<90)
            for x in kept where !(y == 30 && x == 0) && !(x == 10 && (29...31).contains(y)) {
                #expect(row[x] == rounded[y][x], "\(x), \(y)")
            }
        }
        // The tone itself is a mixture of levels.
        #expect(Set(shown[15][31..<44]).count > 1)
    }

    /// Blue noise has no runs: a tone of half the light is neither in stripes nor in blocks.
    @Test func twoLevelsMixFinely() {
        let shown = Self.samples(
            Self.raster(Array(repeating: Array(repeating: 188, count: 128), count: 128))
                .withGrayLevels(2, dithers: true))
        for y in stride(from: 8, to: 120, by: 8) {
            for x in stride(from: 8, to: 120, by: 8) {
                let white = (y..<y + 8).reduce(0) { sum, y in sum + shown[y][x..<x + 8].count { $0 == 255 } }
                #expect((24...40).contains(white), "\(x), \(y)")
            }
        }
    }

    /// Rings with soft edges, as enlarged lines have them: each gray of the edges is between two levels.
    @Test func sixteenLevelsOfSoftEdgesMakeASmallPNG() {
        let rows = (0..<300).map { y in
            (0..<300).map { x in
                let (across, down) = (Double(x % 100 - 50), Double(y % 75 - 37))
                let distance = Int((across * across + down * down).squareRoot() * 64)
                return min(max(abs(distance % 640 - 320) - 100, 0), 200) * 255 / 200
            }
        }
        let shown = Self.raster(rows).withGrayLevels(16, dithers: true)
        // Floyd-Steinberg with a preference of the levels that came before: 8835 bytes.
        #expect(PNGWriter.encode(shown).count < 6000)
    }

    /// The last pixel of a row of an odd width is alone in its byte.
    @Test func sixteenLevelsFitAnySize() {
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 9), PixelSize(width: 9, height: 2)] {
            let rows = Array(repeating: Array(repeating: 130, count: size.width), count: size.height)
            let shown = Self.raster(rows).withGrayLevels(16, dithers: true)
            #expect(shown.size == size && shown.format == .gray(bits: 4))
            #expect(Self.samples(shown).allSatisfy { $0.allSatisfy { [119, 136].contains($0) } })
        }
    }

    @Test func plainTonesStay() {
        var random = SplitMix(seed: 33)
        for bits in [1, 2, 4] {
            let small = PixelGrid.random(.gray(bits: bits), PixelSize(width: 19, height: 8), using: &random)
            let step = UInt64(255 / (1 << bits - 1))
            let wide = PixelGrid(.gray(bits: 8), small.rows.map { $0.map { $0 * step } }).raster(iccProfile: [9])
            for dithers in [false, true] {
                #expect(PixelGrid(wide.withGrayLevels(1 << bits, dithers: dithers)) == small)
                #expect(small.raster().withGrayLevels(1 << bits, dithers: dithers) == small.raster())
            }
        }
        // Four levels are not among eight.
        let four = PixelGrid(.gray(bits: 2), [[0, 1, 2, 3]]).raster()
        #expect(four.withGrayLevels(8, dithers: false) == PixelGrid(.gray(bits: 4), [[0, 4, 11, 15]]).raster())
    }
}
