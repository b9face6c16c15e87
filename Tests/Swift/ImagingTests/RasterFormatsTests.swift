import PageModel
import Testing

@testable import Imaging

@Suite struct RasterFormatsTests {
    /// A raster of a width that need not fill its last byte, and the value of each of its samples.
    private func made(width: Int, bits: Int) -> (raster: Raster, values: [Int]) {
        let size = PixelSize(width: width, height: 3)
        let row = Raster.bytesPerRow(width: width, format: .gray(bits: bits))
        var samples = [UInt8](repeating: 0, count: 3 * row)
        var values: [Int] = []
        for place in 0..<3 * width {
            let (y, x) = place.quotientAndRemainder(dividingBy: width)
            let value = (7 * place + 3 * y) % (1 << bits)
            samples[y * row + x * bits / 8] |= UInt8(value << (8 - bits - x * bits % 8))
            values.append(value)
        }
        return (Raster(size: size, format: .gray(bits: bits), samples: samples), values)
    }

    @Test(arguments: [1, 2, 4]) func fewBitsBecomeEightAndBack(_ bits: Int) {
        for width in 1...17 {
            let (raster, values) = made(width: width, bits: bits)
            let wide = raster.widened()
            #expect(wide.format == .gray(bits: 8))
            #expect(wide.samples.map(Int.init) == values.map { $0 * 255 / (1 << bits - 1) }, "\(width) of \(bits)")
            #expect(wide.packed(to: .gray(bits: bits)) == raster, "\(width) of \(bits)")
        }
    }

    @Test(arguments: [1, 2, 4]) func palettesBecomeTheirColors(_ bits: Int) {
        let colors = (0..<1 << bits).flatMap { [UInt8(3 * $0), UInt8(200 - $0), UInt8($0)] }
        for width in 1...17 {
            let (raster, values) = made(width: width, bits: bits)
            let wide = raster.with(.palette(bits: bits, colors: colors), raster.samples).widened()
            #expect(wide.format == .rgb(bits: 8))
            #expect(wide.samples == values.flatMap { colors[3 * $0..<3 * $0 + 3] }, "\(width) of \(bits)")
        }
    }
}
