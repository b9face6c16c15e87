import Imaging
import PageModel
import Testing

@Suite struct RasterComposingTests {
    private static func composed(_ parts: [(PixelGrid, x: Int, y: Int)], _ size: PixelSize, _ background: RGB) -> Raster
    {
        Raster.composed(parts.map { ($0.0.raster(), $0.x, $0.y) }, size: size, background: background)
    }

    @Test func bilevelPagesStayBilevel() {
        let left = PixelGrid(.gray(bits: 1), [[1, 0, 1], [0, 0, 1]])
        let right = PixelGrid(.gray(bits: 1), [[0, 1]])
        let whole = Self.composed([(left, x: 0, y: 0), (right, x: 9, y: 1)], PixelSize(width: 12, height: 2), .white)
        #expect(whole.format == .gray(bits: 1))
        #expect(
            PixelGrid(whole).rows == [[1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1]])
    }

    @Test func theFormatHoldsAllParts() {
        let gray = PixelGrid(.gray(bits: 8), [[10], [20]])
        let color = PixelGrid(.rgb(bits: 8), [[0x010203]])
        let size = PixelSize(width: 3, height: 2)
        let whole = Self.composed([(gray, x: 0, y: 0), (color, x: 2, y: 1)], size, RGB(red: 7, green: 8, blue: 9))
        #expect(whole.format == .rgb(bits: 8))
        #expect(whole.samples == [10, 10, 10, 7, 8, 9, 7, 8, 9, 20, 20, 20, 7, 8, 9, 1, 2, 3])
        // A color beside gray makes it color; gray beside bilevel makes it 8 bits.
        let plain = PixelGrid(.gray(bits: 1), [[1]])
        let wide = PixelSize(width: 2, height: 1)
        #expect(
            Self.composed([(plain, x: 0, y: 0)], wide, RGB(red: 1, green: 2, blue: 3)).samples == [
                255, 255, 255, 1, 2, 3,
            ])
        #expect(Self.composed([(plain, x: 0, y: 0)], wide, RGB(red: 5, green: 5, blue: 5)).samples == [255, 5])
        #expect(Self.composed([(plain, x: 1, y: 0)], wide, .black).samples.map { $0 & 0xC0 } == [0x40])
    }
}
