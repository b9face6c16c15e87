import Imaging
import PageModel
import Scratch
import Testing

@Suite struct RasterAlphaTests {
    /// Blended in fractions, which is slow and too simple to be wrong.
    private static func blended(_ pixel: [Int], over background: [Int], maximum: Int) -> [Int] {
        let alpha = Double(pixel[pixel.count - 1]) / Double(maximum)
        return zip(pixel.dropLast(), background).map {
            Int((Double($0) * alpha + Double($1 * maximum / 255) * (1 - alpha)).rounded())
        }
    }

    @Test(arguments: [PixelFormat.rgba(bits: 8), .rgba(bits: 16), .grayAlpha(bits: 8), .grayAlpha(bits: 16)])
    func blendsWithTheBackground(_ format: PixelFormat) {
        var random = SplitMix(seed: 3)
        let grid = PixelGrid.random(format, PixelSize(width: 40, height: 30), using: &random)
        let bits = format.bitsPerSample
        let maximum = (1 << bits) - 1
        for background: [UInt8] in [[255, 255, 255], [10, 120, 230], [0, 0, 0]] {
            let flat = grid.raster(resolution: Resolution(72)).flattened(
                on: RGB(red: background[0], green: background[1], blue: background[2]))
            let isGray = format == .grayAlpha(bits: bits) && background[0] == background[1]
            #expect(flat.format == (isGray ? .gray(bits: bits) : .rgb(bits: bits)))
            #expect(flat.resolution == Resolution(72))
            let colors = background.map { Int($0) }
            for (row, flatRow) in zip(grid.rows, PixelGrid(flat).rows) {
                for (value, flatValue) in zip(row, flatRow) {
                    func parts(_ value: UInt64, _ count: Int) -> [Int] {
                        (0..<count).reversed().map { Int(value >> UInt64($0 * bits) & UInt64(maximum)) }
                    }
                    var pixel = parts(value, format.bitsPerPixel / bits)
                    if pixel.count == 2, !isGray { pixel = [pixel[0], pixel[0], pixel[0], pixel[1]] }
                    let expected = Self.blended(pixel, over: colors, maximum: maximum)
                    let actual = parts(flatValue, expected.count)
                    #expect(zip(expected, actual).allSatisfy { abs($0 - $1) <= 1 })
                    if pixel.last == maximum { #expect(actual == Array(pixel.dropLast())) }
                }
            }
        }
    }

    @Test(arguments: [PixelFormat.gray(bits: 1), .rgb(bits: 8), .palette(bits: 1, colors: [1, 2, 3, 4, 5, 6])])
    func withoutAlphaNothingChanges(_ format: PixelFormat) {
        let raster = PixelGrid(format, [[0, 1, 1]]).raster()
        #expect(raster.flattened(on: RGB(red: 1, green: 2, blue: 3)) == raster)
    }

    /// The profile of colors stays with them; one of gray would say nothing of the colors that come in.
    @Test func profilesGoWithTheirColors() {
        let color = PixelGrid(.rgba(bits: 8), [[0x0102_0304]]).raster(iccProfile: [1])
        #expect(color.flattened(on: RGB(red: 1, green: 2, blue: 3)).iccProfile == [1])
        let gray = PixelGrid(.grayAlpha(bits: 8), [[0x0102]]).raster(iccProfile: [1])
        #expect(gray.flattened(on: RGB(red: 9, green: 9, blue: 9)).iccProfile == [1])
        #expect(gray.flattened(on: RGB(red: 1, green: 2, blue: 3)).iccProfile == nil)
    }
}
