import AdapterKit
import PageModel
import Testing

@testable import Clean
@testable import Imaging

@Suite struct MixedTests {
    private static let size = PixelSize(width: 600, height: 800)
    /// The place of the photograph on the page.
    private static let photograph = PixelRect(x: 120, y: 420, width: 360, height: 240)

    /// Returns a page with lines of letters over a photograph of soft tones.
    private static func page(hasPhotograph: Bool = true) -> Raster {
        var samples = [UInt8](repeating: 235, count: size.area)
        for line in 0..<12 {
            for letter in 0..<36 {
                for y in 60 + 28 * line..<76 + 28 * line {
                    for x in 60 + 13 * letter..<63 + 13 * letter { samples[y * size.width + x] = 40 }
                }
            }
        }
        if hasPhotograph {
            for y in photograph.y..<photograph.y + photograph.height {
                for x in photograph.x..<photograph.x + photograph.width {
                    samples[y * size.width + x] = UInt8(40 + (x * 7 + y * 3) / 9 % 120)
                }
            }
        }
        return Raster(
            size: size, format: .gray(bits: 8), samples: samples, resolution: Resolution(110))
    }

    private static func reading(_ raster: Raster) -> ToneReading {
        ToneReading(.seen(PagePreview(raster: raster, size: raster.size, resolution: raster.resolution)))
    }

    @Test func anImageStaysAndPrintBecomesBlackAndWhite() throws {
        let raster = Self.page()
        let reading = Self.reading(raster)
        guard case .around(let tones) = reading.edit else {
            Issue.record("\(reading.finding.remark.english)")
            return
        }
        let page = Page(id: 1, name: "1") { throw AdapterError(.unsupported, "not needed") }
        let mixed = try MixedBilevel(page: OperatedPage(page), tones: tones, box: nil).apply(to: raster)
        let place = Self.photograph
        var (changed, wrong, seen) = (0, 0, 0)
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let (old, new) = (raster.samples[y * Self.size.width + x], mixed.samples[y * Self.size.width + x])
                let isInside =
                    x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height
                if isInside, new != old { changed += 1 }
                guard !isInside, y < 400 else { continue }
                seen += 1
                if new != (old < 100 ? 0 : 255) { wrong += 1 }
            }
        }
        // Cells at the edge of the image may be print.
        #expect(changed * 2 < place.width * place.height, "\(changed) pixels")
        // Corners of strokes may become round, and strokes a pixel wider.
        #expect(wrong * 33 < seen, "\(wrong) of \(seen) pixels")
    }

    @Test func aPageOfPrintHasNoImages() {
        let reading = Self.reading(Self.page(hasPhotograph: false))
        #expect(reading.finding.share == 0)
        if case .whole = reading.edit {} else { Issue.record("\(reading.finding.remark.english)") }
    }

    /// A page of tones without paper stays as it is.
    @Test func aPlateStays() {
        let samples = (0..<Self.size.area).map { place in
            UInt8(60 + (place % Self.size.width + place / Self.size.width) % 200 * 6 / 10)
        }
        let reading = Self.reading(Raster(size: Self.size, format: .gray(bits: 8), samples: samples))
        #expect(reading.edit == nil && reading.finding.share != 0)
    }
}
