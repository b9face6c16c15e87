import AdapterKit
import PageModel
import Testing

@testable import Clean

@Suite struct BilevelTests {
    private static let size = PixelSize(width: 400, height: 300)

    /// Returns a page with strokes, dots and a soft stain, under light that falls to one side.
    private static func page() -> (gray: Raster, isInk: [Bool]) {
        var isInk = [Bool](repeating: false, count: size.area)
        for line in 0..<6 {
            for letter in 0..<25 {
                let (left, top) = (40 + 13 * letter, 40 + 40 * line)
                for y in top..<top + 18 { for x in left..<left + 3 { isInk[y * size.width + x] = true } }
                // The dot of an i, and a period.
                for y in top - 6..<top - 3 { for x in left..<left + 3 { isInk[y * size.width + x] = true } }
            }
        }
        let samples = isInk.indices.map { place -> UInt8 in
            let (x, y) = (place % size.width, place / size.width)
            let paper = 230 - 110 * Double(x) / Double(size.width)
            let (dx, dy) = (Double(x - 250), Double(y - 150))
            let stain = 60 * max(0, 1 - (dx * dx + dy * dy) / 3_600)
            return UInt8(isInk[place] ? (paper - stain) * 0.3 : paper - stain)
        }
        return (Raster(size: size, format: .gray(bits: 8), samples: samples), isInk)
    }

    private static func isInk(_ raster: Raster, _ place: Int) -> Bool {
        let (x, y) = (place % size.width, place / size.width)
        return raster.samples[y * raster.bytesPerRow + x / 8] & (0x80 >> UInt8(x % 8)) == 0
    }

    @Test func printIsFoundUnderShadowsAndStains() {
        let (gray, isInk) = Self.page()
        let result = gray.bilevel()
        #expect(result.format == .gray(bits: 1))
        let wrong = isInk.indices.count { isInk[$0] != Self.isInk(result, $0) }
        let ink = isInk.count { $0 }
        #expect(wrong * 50 <= ink, "\(wrong) wrong pixels of \(ink)")
    }

    @Test func dotsStay() {
        let (gray, _) = Self.page()
        let result = gray.bilevel()
        for line in 0..<6 {
            for letter in 0..<25 {
                #expect(Self.isInk(result, (36 + 40 * line) * Self.size.width + 41 + 13 * letter))
            }
        }
    }

    @Test func emptyPaperStaysEmpty() {
        let samples = (0..<Self.size.area).map { UInt8(200 + $0 % 3) }
        let result = Raster(size: Self.size, format: .gray(bits: 8), samples: samples).bilevel()
        #expect(result.samples.allSatisfy { $0 == 255 })
    }

    /// Grain has the sum of four even random numbers, which is nearly normal.
    private static func grain(_ strength: Int) -> [UInt8] {
        var seed: UInt32 = 1
        return (0..<size.area).map { _ in
            let sum = (0..<4).reduce(0) { sum, _ in
                seed = seed &* 1_664_525 &+ 1_013_904_223
                return sum + Int(seed >> 24) - 128
            }
            return UInt8(200 + sum * strength / 150)
        }
    }

    @Test(arguments: [2, 5, 10])
    func blankPaperWithAGrainBecomesWhite(_ strength: Int) {
        var samples = Self.grain(strength)
        let blank = Raster(size: Self.size, format: .gray(bits: 8), samples: samples).bilevel()
        #expect(blank.samples.allSatisfy { $0 == 255 })
        // A page number is print.
        for y in 280..<292 { for x in 196..<200 { samples[y * Self.size.width + x] = 40 } }
        let numbered = Raster(size: Self.size, format: .gray(bits: 8), samples: samples).bilevel()
        let black = numbered.samples.reduce(0) { $0 + (~$1).nonzeroBitCount }
        #expect((36...80).contains(black), "\(black) pixels for 48")
    }

    @Test(arguments: [1, 2, 3, 9])
    func smallImagesAreConverted(_ side: Int) {
        let size = PixelSize(width: side, height: side)
        let samples = (0..<size.area).map { UInt8($0 % 2 * 255) }
        let result = Raster(size: size, format: .gray(bits: 8), samples: samples).bilevel()
        #expect(result.size == size && result.format == .gray(bits: 1))
    }

    @Test(arguments: [
        (300.0, FitBox(width: 800, height: 600, enlarges: true), "scaled up from 300 to 600 pixels per inch"),
        (600, nil, "not scaled up: it has 600 pixels per inch"),
        (72, nil, "not scaled up: it has only 72 pixels per inch"),
        (nil, nil, "not scaled up: its resolution is unknown"),
    ])
    func pagesOfAKnownResolutionAreEnlarged(_ own: Double?, _ box: FitBox?, _ remark: String) {
        let resolution = own.map { Resolution($0) }
        let preview = PagePreview(raster: Self.page().gray, size: Self.size, resolution: resolution)
        let enlargement = Enlargement(.seen(preview), to: 600)
        #expect(enlargement.box == box && enlargement.finding.remark.english == remark)
        #expect(enlargement.isUnknown == (own == nil))
    }

    @Test func theResolutionGrowsWithThePage() throws {
        var gray = Self.page().gray
        gray.resolution = Resolution(300)
        let page = Page(id: 1, name: "1.png") { throw AdapterError(.damaged, "only its name is needed") }
        let box = FitBox(width: 800, height: 600, enlarges: true)
        let result = try Bilevel(page: OperatedPage(page), box: box).apply(to: gray)
        #expect(result.size == PixelSize(width: 800, height: 600) && result.format == .gray(bits: 1))
        #expect(result.resolution == Resolution(600))
        let ink = Self.page().isInk.count { $0 }
        let black = result.samples.reduce(0) { $0 + (~$1).nonzeroBitCount }
        #expect((3 * ink...5 * ink).contains(black), "\(black) pixels for \(ink) of a quarter of the area")
    }

    @Test func sizesFromTwoOptionsAreRefused() throws {
        let clean = Clean()
        var settings = clean.descriptor.settings
        settings.append(Setting("fit", .text, valueName: "box", help: "Fit"))
        let given = try Settings(settings, given: ["bilevel": "text", "bilevel-dpi": "600", "fit": "100x100"])
        let error = #expect(throws: AdapterError.self) { try Enlargement.resolution(given) }
        #expect(error?.code == .usage)
    }
}
