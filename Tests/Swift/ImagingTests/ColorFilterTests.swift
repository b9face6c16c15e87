import PageModel
import Testing

@testable import Imaging

/// Pages for a screen under a filter of color cells.
@Suite struct ColorFilterTests {
    private static func page(_ width: Int, _ height: Int, _ sample: (Int, Int) -> UInt8) -> Raster {
        Raster(
            size: PixelSize(width: width, height: height), format: .gray(bits: 8),
            samples: (0..<width * height).map { sample($0 % width, $0 / width) })
    }

    /// Returns how the mean light of the pixels under one color differs from that of all, as the eye sees in one place.
    private static func falseColor(_ raster: Raster, _ isUnder: (Int, Int) -> Bool) -> Double {
        let (width, height) = (raster.size.width, raster.size.height)
        var (all, own, number): (Double, Double, Double) = (0, 0, 0)
        let (columns, rows) = (width / 4..<width / 4 * 3, height / 4..<height / 4 * 3)
        for y in rows {
            for x in columns {
                let light = Double(SRGBCurve.light8[Int(raster.samples[y * width + x])])
                all += light
                if isUnder(x, y) { (own, number) = (own + light, number + 1) }
            }
        }
        return abs(own / number - all / Double(columns.count * rows.count))
    }

    /// Patterns of two pixels lie under one color of a cell, diagonal ones of three under one of a stripe.
    @Test func finePatternsLoseTheirColor() {
        let patterns: [(Int, Int) -> Bool] = [
            { x, _ in x % 2 == 0 }, { x, y in (x + y) % 2 == 0 }, { x, y in (x + y) % 3 == 0 },
        ]
        for isUnder in patterns {
            let page = Self.page(120, 120) { isUnder($0, $1) ? 60 : 200 }
            let (before, after) = (Self.falseColor(page, isUnder), Self.falseColor(page.forColorFilter(), isUnder))
            #expect(before > 0.2 && after < before / 3, "\(before) became \(after)")
        }
    }

    /// A stroke of three pixels stays black, and its edge takes one pixel.
    @Test func strokesStaySharp() {
        let page = Self.page(100, 100) { x, _ in (50..<53).contains(x) ? 0 : 255 }
        let row = page.forColorFilter().samples[5000..<5100].map(Int.init)
        #expect(row[51] < 20 && row[0] == 255 && row[99] == 255)
        #expect(zip(row, row.dropFirst()).map { abs($0 - $1) }.max() ?? 0 > 140)
    }

    /// Rows of a strip and of its neighbors meet without a seam.
    @Test func stripsMakeOnePage() {
        let page = Self.page(40, 300) { x, y in UInt8((x * x + y * y / 3) % 256) }
        let turned = Self.page(40, 300) { x, y in page.samples[(299 - y) * 40 + x] }
        let (one, other) = (page.forColorFilter().samples, turned.forColorFilter().samples)
        let differences = one.indices.map { abs(Int(one[$0]) - Int(other[(299 - $0 / 40) * 40 + $0 % 40])) }
        #expect(differences.max() ?? 255 <= 1)
    }

    @Test func screentoneBecomesGray() {
        // Squares of two pixels, with half of the light.
        let page = Self.page(192, 192) { x, y in (x / 2 + y / 2) % 2 == 0 ? 255 : 0 }
        let middle = page.forColorFilter().samples[96 * 192 + 64..<96 * 192 + 128]
        #expect((middle.max() ?? 255) - (middle.min() ?? 0) < 12)
        #expect(abs(Double(SRGBCurve.light8[Int(middle[middle.startIndex])]) - 0.5) < 0.05)
    }

    /// A filter with a clear pixel in each cell takes a quarter of a color. Grays get none.
    @Test func colorsBecomeStronger() {
        func plain(_ color: [UInt8]) -> [UInt8] {
            let size = PixelSize(width: 20, height: 20)
            let samples = [[UInt8]](repeating: color, count: 400).flatMap { $0 }
            return Array(Raster(size: size, format: .rgb(bits: 8), samples: samples).forColorFilter().samples[0..<3])
        }
        #expect(plain([128, 128, 128]) == [128, 128, 128])
        let color = plain([150, 120, 110])
        let light = (color.map { SRGBCurve.light8[Int($0)] }, [150, 120, 110].map { SRGBCurve.light8[$0] })
        #expect(abs((light.0[0] - light.0[2]) / (light.1[0] - light.1[2]) - 4.0 / 3) < 0.05)
        // There is no stronger red.
        #expect(plain([255, 0, 0]).max() == 255 && (plain([255, 0, 0]).min() ?? 255) < 4)
    }
}
