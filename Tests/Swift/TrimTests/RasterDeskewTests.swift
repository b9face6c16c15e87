import Glibc
import Imaging
import PageModel
import Scratch
import Testing

@testable import Trim

@Suite struct RasterDeskewTests {
    private static let formats: [PixelFormat] = [
        .gray(bits: 1), .gray(bits: 8), .gray(bits: 16), .rgb(bits: 8), .rgb(bits: 16), .rgba(bits: 8),
    ]

    /// Samples of 8 bits by a function of the place.
    private static func picture(_ size: PixelSize, _ sample: (Double, Double) -> Double) -> Raster {
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                samples.append(UInt8(min(max(sample(Double(x), Double(y)), 0), 255).rounded()))
            }
        }
        return Raster(size: size, format: .gray(bits: 8), samples: samples)
    }

    /// The greatest difference of samples at least so many pixels from every edge.
    private static func difference(_ one: Raster, _ other: Raster, inset: Int) -> Int {
        var worst = 0
        for y in inset..<one.size.height - inset {
            for x in inset..<one.size.width - inset {
                let index = y * one.size.width + x
                worst = max(worst, abs(Int(one.samples[index]) - Int(other.samples[index])))
            }
        }
        return worst
    }

    @Test(arguments: formats, [0, 1]) func uniformPictureStaysUniform(_ format: PixelFormat, _ level: Int) {
        let size = PixelSize(width: 90, height: 61)
        let wide = format.bitsPerSample == 1 ? 1 : level == 0 ? 201 : 255
        let row = Raster.bytesPerRow(width: size.width, format: format)
        let byte: UInt8 = format.bitsPerSample == 1 ? (level == 0 ? 0 : 255) : UInt8(wide)
        let raster = Raster(
            size: size, format: format, samples: [UInt8](repeating: byte, count: row * size.height),
            resolution: Resolution(300))
        let turned = raster.deskewed(by: 3.7)
        #expect(turned.size == size && turned.resolution == Resolution(300))
        #expect(Set(turned.samples) == [byte])
    }

    /// Against waves whose every value is known anywhere.
    @Test(arguments: [-5.0, -1.2, 0.3, 4.4]) func pixelsAreRotatedAccurately(_ degrees: Double) {
        let size = PixelSize(width: 160, height: 120)
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        func wave(_ x: Double, _ y: Double) -> Double { 150 + 50 * sin(x / 4) + 40 * cos(y / 5 + 1) }
        let turned = Self.picture(size, wave).deskewed(by: degrees)
        let wanted = Self.picture(size) { x, y in
            let (dx, dy) = (x - 79.5, y - 59.5)
            // Clockwise on a page whose rows go down: a point to the right goes down.
            return wave(79.5 + dx * cosine + dy * sine, 59.5 - dx * sine + dy * cosine)
        }
        #expect(Self.difference(turned, wanted, inset: 16) <= 2)
    }

    @Test func turningBackGivesThePicture() {
        let size = PixelSize(width: 200, height: 150)
        let raster = Self.picture(size) { x, y in 128 + 90 * sin(x / 7) * cos(y / 6) }
        let back = raster.deskewed(by: 2.5).deskewed(by: -2.5)
        #expect(Self.difference(raster, back, inset: 20) <= 2)
        #expect(Self.difference(raster, raster.deskewed(by: 2.5), inset: 20) > 20)
    }

    /// A page with a scanner's black edge: the new corners are filled with paper all the same.
    @Test(arguments: [-5.0, 5.0]) func noCornerIsDark(_ degrees: Double) {
        let size = PixelSize(width: 300, height: 400)
        let raster = Self.picture(size) { x, y in
            min(x, y, 299 - x, 399 - y) < 8 ? 20 : 230 + Double(Int(x * 7 + y * 13) % 5)
        }
        let turned = raster.deskewed(by: degrees)
        for (x, y) in [(0, 0), (299, 0), (0, 399), (299, 399)] { #expect(turned.samples[y * 300 + x] >= 228) }
    }

    /// Each channel by itself: red paper brings red corners.
    @Test func theCornersHaveThePapersColor() {
        let size = PixelSize(width: 100, height: 100)
        let raster = Raster(
            size: size, format: .rgb(bits: 8), samples: (0..<size.area).flatMap { _ -> [UInt8] in [200, 120, 40] })
        #expect(raster.deskewed(by: 4).samples == raster.samples)
    }

    @Test(arguments: [(1, 1), (1, 50), (50, 1), (2, 3), (33, 7)]) func smallPicturesAreTurned(
        _ width: Int, _ height: Int
    ) {
        let size = PixelSize(width: width, height: height)
        let raster = Raster(
            size: size, format: .palette(bits: 1, colors: [9, 9, 9, 9, 9, 9]),
            samples: [UInt8](repeating: 0b1010_1010, count: (width + 7) / 8 * height))
        for degrees in [-45.0, -3, 0.01, 5, 45] {
            let turned = raster.deskewed(by: degrees)
            #expect(turned.size == size && turned.format == .rgb(bits: 8) && Set(turned.samples) == [9])
        }
    }
}
