import AdapterKit
import PageModel
import Testing

@testable import Clean

@Suite struct BorderTests {
    /// A scan with lines of letters on paper with a grain, and the parts that are not paper.
    private struct Scan {
        static let size = PixelSize(width: 600, height: 840)
        var samples: [UInt8]
        private(set) var isBorder = [Bool](repeating: false, count: size.area)
        private(set) var isPrint = [Bool](repeating: false, count: size.area)

        init(paper: UInt8 = 205, grain: Int = 5) {
            samples = (0..<Scan.size.area).map { paper - UInt8($0 * 7_919 % 1_009 % grain) }
            for y in 120..<700 where y % 18 < 10 {
                for x in 90..<510 where x % 10 < 4 { print(x, y) }
            }
        }

        mutating func print(_ x: Int, _ y: Int) {
            samples[y * Scan.size.width + x] = 40
            isPrint[y * Scan.size.width + x] = true
        }

        /// Makes a part of the page dark, with the grain of a scanner's bed.
        mutating func darken(_ level: UInt8 = 22, where isDark: (_ x: Int, _ y: Int) -> Bool) {
            for place in samples.indices where isDark(place % Scan.size.width, place / Scan.size.width) {
                samples[place] = level + UInt8(place % 3)
                isBorder[place] = true
            }
        }

        var raster: Raster { Raster(size: Scan.size, format: .gray(bits: 8), samples: samples) }

        func count(_ reading: BorderReading, _ isPart: [Bool]) -> (filled: Int, all: Int) {
            (isPart.indices.count { isPart[$0] && reading.pixels.isSet[$0] }, isPart.count { $0 })
        }
    }

    /// Bands at the left and the top, and a wedge at the right.
    private static func bordered(paper: UInt8 = 205, grain: Int = 5) -> Scan {
        var scan = Scan(paper: paper, grain: grain)
        scan.darken { x, y in x < 30 + y / 60 || y < 18 + x / 100 || x > 600 - y / 40 }
        return scan
    }

    @Test(arguments: [(205, 5), (255, 1)])
    func bordersOfScansBecomePaper(_ paper: UInt8, _ grain: Int) throws {
        let scan = Self.bordered(paper: paper, grain: grain)
        let reading = BorderReading(scan.raster, hasFilledCorners: false)
        #expect(reading.borders == 3 && reading.holes == 0)
        let border = scan.count(reading, scan.isBorder)
        #expect(border.filled * 100 >= border.all * 99, "\(border)")
        #expect(scan.count(reading, scan.isPrint).filled == 0)
        let surface = try #require(reading.surface)
        let filled = FillBorders(areas: reading.pixels.areas(of: 2), surface: surface).apply(to: scan.raster)
        #expect(filled.samples[0].distance(to: paper).magnitude <= 6)
        #expect(zip(scan.isPrint.indices, filled.samples).allSatisfy { !scan.isPrint[$0] || $1 == 40 })
    }

    @Test func theShadowBesideABorderBecomesPaperAsFarAsPrint() {
        var scan = Scan()
        for y in 300..<320 { for x in 40..<90 where x % 10 < 4 { scan.print(x, y) } }
        for y in 0..<Scan.size.height {
            for x in 0..<45 where !(300..<320).contains(y) || x < 38 {
                scan.samples[y * Scan.size.width + x] = UInt8(min(205, 20 + 4 * x))
            }
        }
        let reading = BorderReading(scan.raster, hasFilledCorners: false)
        #expect(reading.borders == 1)
        #expect(scan.count(reading, scan.isPrint).filled == 0)
        #expect((0..<35).allSatisfy { reading.pixels[$0, 500] })
    }

    @Test func punchHolesBecomePaper() {
        var scan = Scan()
        for middle in [270, 570] {
            scan.darken { x, y in (x - 40) * (x - 40) + (y - middle) * (y - middle) <= 144 }
        }
        let reading = BorderReading(scan.raster, hasFilledCorners: false)
        #expect(reading.borders == 0 && reading.holes == 2)
        let holes = scan.count(reading, scan.isBorder)
        #expect(holes.filled == holes.all && scan.count(reading, scan.isPrint).filled == 0)
    }

    /// Dark areas that are not the scanner's: a short one, one with print, one that drawings touch, and one hole.
    @Test func otherDarkAreasStay() {
        var short = Scan()
        short.darken { x, y in x < 30 && (300..<360).contains(y) }
        var printed = Self.bordered()
        for y in 0..<840 { for x in 4..<24 where (x + y) % 8 < 4 { printed.samples[y * 600 + x] = 220 } }
        var drawn = Scan()
        drawn.darken { x, y in x < 30 + y % 60 }
        var hole = Scan()
        hole.darken { x, y in (x - 40) * (x - 40) + (y - 420) * (y - 420) <= 144 }
        for scan in [short, drawn, hole] {
            let reading = BorderReading(scan.raster, hasFilledCorners: false)
            #expect(reading.borders == 0 && reading.holes == 0 && reading.surface == nil)
        }
        let reading = BorderReading(printed.raster, hasFilledCorners: false)
        #expect(!(100..<800).contains { reading.pixels[10, $0] })
    }

    /// A program drew them: white paper, and an exact band or solid black next to it.
    @Test func bandsOfADesignStay() {
        var exact = Scan(paper: 255, grain: 1)
        exact.darken(0) { x, _ in x < 30 }
        var art = Self.bordered(paper: 255, grain: 1)
        art.darken(0) { x, y in (200..<400).contains(x) && (720..<800).contains(y) }
        for scan in [exact, art] {
            #expect(BorderReading(scan.raster, hasFilledCorners: false).surface == nil)
        }
        let plate = Raster(
            size: Scan.size, format: .gray(bits: 8),
            samples: (0..<Scan.size.area).map { UInt8(truncatingIfNeeded: 60 + ($0 &* 7_919) % 150) })
        #expect(BorderReading(plate, hasFilledCorners: false).reason == "it shows no paper, or too little")
    }

    /// Deskewing fills the corners with paper, so a border may begin within the page.
    @Test func bordersOfDeskewedPagesAreFound() {
        var scan = Scan()
        scan.darken { x, y in (5 + y / 60..<25 + y / 60).contains(x) }
        #expect(BorderReading(scan.raster, hasFilledCorners: false).borders == 0)
        let reading = BorderReading(scan.raster, hasFilledCorners: true)
        #expect(reading.borders == 1)
        let border = scan.count(reading, scan.isBorder)
        #expect(border.filled * 100 >= border.all * 98, "\(border)")
    }

    @Test func pagesOfOneBitStaySo() throws {
        let scan = Self.bordered()
        let reading = BorderReading(scan.raster, hasFilledCorners: false)
        let operation = FillBorders(areas: reading.pixels.areas(of: 2), surface: try #require(reading.surface))
        let size = PixelSize(width: 1_200, height: 1_680)
        let black = Raster(size: size, format: .gray(bits: 1), samples: [UInt8](repeating: 0, count: 150 * 1_680))
        let filled = operation.apply(to: black)
        #expect(filled.format == black.format && filled.samples[0] == 255 && filled.samples[800 * 150 + 75] == 0)
    }

    @Test(arguments: [1, 2, 9])
    func smallImagesAreRead(_ side: Int) {
        let size = PixelSize(width: side, height: side)
        let raster = Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: 20, count: size.area))
        #expect(BorderReading(raster, hasFilledCorners: true).borders == 0)
    }
}

extension UInt8 {
    fileprivate func distance(to other: UInt8) -> Int { Int(other) - Int(self) }
}
