import LayoutAnalysis
import PageModel
import Testing

@testable import Clean

@Suite struct SpeckTests {
    private static let size = PixelSize(width: 1240, height: 1754)

    /// Marks of one page: lines of letters with accents, dots and periods, a leader of dots, a screentone, and dust.
    private static func page() -> (samples: [UInt8], dust: [(x: Int, y: Int)]) {
        var samples = [UInt8](repeating: 250, count: size.area)
        func mark(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
            for row in y..<y + height { for column in x..<x + width { samples[row * size.width + column] = 20 } }
        }
        for line in 0..<20 {
            for letter in 0..<48 {
                mark(140 + 20 * letter, 200 + 36 * line, 4, 18)
                mark(148 + 20 * letter, 200 + 36 * line, 4, 18)
                if letter % 3 == 0 { mark(142 + 20 * letter, 192 + 36 * line, 3, 4) }
            }
            mark(140 + 20 * 48, 215 + 36 * line, 4, 4)
        }
        // A leader of dots, and a screentone.
        for dot in 0..<40 { mark(160 + 20 * dot, 1_000, 3, 3) }
        for y in 0..<40 { for x in 0..<40 { mark(200 + 8 * x, 1_100 + 8 * y, 2, 2) } }
        let dust = [(700, 1_600), (60, 1_540), (1_100, 1_500)]
        for (x, y) in dust { mark(x, y, 3, 3) }
        return (samples, dust.map { (x: $0.0, y: $0.1) })
    }

    @Test func onlyDustIsFound() {
        let (samples, dust) = Self.page()
        let found = Specks(Raster(size: Self.size, format: .gray(bits: 8), samples: samples)).boxes
        #expect(Set(found.map { [$0.left, $0.top] }) == Set(dust.map { [$0.x, $0.y] }))
    }

    @Test func aPieceOfAPaleLineStays() {
        let (page, dust) = Self.page()
        func found(lineOf level: UInt8) -> Set<[Int]> {
            var samples = page
            for x in 300..<500 { for y in 1_640...1_641 { samples[y * Self.size.width + x] = level } }
            for x in 390..<394 { for y in 1_640...1_641 { samples[y * Self.size.width + x] = 180 } }
            let boxes = Specks(Raster(size: Self.size, format: .gray(bits: 8), samples: samples)).boxes
            return Set(boxes.map { [$0.left, $0.top] })
        }
        let specks = Set(dust.map { [$0.x, $0.y] })
        #expect(found(lineOf: 250) == specks.union([[390, 1_640]]))
        #expect(found(lineOf: 214) == specks)
    }

    /// A drawing with a gray tone. On paper that a scanner saw, a small mark is dust.
    @Test(arguments: [(235, true), (255, false)]) func aDrawingByAProgramStays(paper: UInt8, hasSpecks: Bool) {
        var samples = Self.page().samples.map { $0 == 250 ? paper : $0 }
        for y in 1_460..<1_560 { for x in 300..<1_000 { samples[y * Self.size.width + x] = 170 } }
        let found = Specks(Raster(size: Self.size, format: .gray(bits: 8), samples: samples)).boxes
        #expect(found.isEmpty == !hasSpecks)
    }

    @Test func aLightShapeOnABlackPageIsNotPaper() {
        var samples = [UInt8](repeating: 0, count: Self.size.area)
        for y in 500..<900 { for x in 400..<800 { samples[y * Self.size.width + x] = 255 } }
        for y in 700..<703 { for x in 600..<603 { samples[y * Self.size.width + x] = 60 } }
        #expect(Specks(Raster(size: Self.size, format: .gray(bits: 8), samples: samples)).boxes.isEmpty)
    }

    @Test func smallImagesHaveNoSpecks() {
        let size = PixelSize(width: 120, height: 160)
        var samples = [UInt8](repeating: 250, count: size.area)
        samples[80 * size.width + 60] = 20
        #expect(Specks(Raster(size: size, format: .gray(bits: 8), samples: samples)).boxes.isEmpty)
    }

    @Test func pagesOfTextureStay() {
        let samples = (0..<Self.size.area).map { UInt8(truncatingIfNeeded: 60 + ($0 &* 7_919) % 150) }
        #expect(Specks(Raster(size: Self.size, format: .gray(bits: 8), samples: samples)).boxes.isEmpty)
    }

    private let small = PixelSize(width: 16, height: 9)

    @Test(arguments: [
        PixelFormat.gray(bits: 1), .gray(bits: 4), .gray(bits: 8), .gray(bits: 16), .rgb(bits: 8), .rgba(bits: 16),
        .palette(bits: 2, colors: [0, 0, 0, 90, 90, 90, 200, 190, 150, 255, 255, 255]),
    ])
    func specksGetTheColorAroundThem(_ format: PixelFormat) throws {
        let row = Raster.bytesPerRow(width: small.width, format: format)
        let paper = [UInt8](repeating: 0xFF, count: row * small.height)
        var samples = paper
        // The eighth of the bits of two rows, which hold the middle pixels.
        for y in 4...5 { samples[y * row + row / 2] = 0 }
        let bits = format.bitsPerPixel
        let (first, last) = (row / 2 * 8 / bits, (row / 2 * 8 + 7) / bits)
        let box = try #require(Despeckle.Box(PixelRect(x: first, y: 4, width: last - first + 1, height: 2)))
        let raster = Raster(size: small, format: format, samples: samples)
        #expect(Despeckle(specks: [box]).apply(to: raster).samples == paper)
        #expect(Despeckle(specks: []).apply(to: raster) == raster)
    }
}
