import PageModel
import Testing

@testable import Imaging

@Suite struct JBIG2EncoderTests {
    /// Returns a page with strokes, blank rows, and a screen of random pixels in a part of it.
    private static func page(width: Int, height: Int) -> Raster {
        let stride = (width + 7) / 8
        var samples = [UInt8](repeating: 0xFF, count: stride * height)
        var state: UInt32 = 1
        for y in 0..<height {
            for x in 0..<width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let isStroke = y % 24 < 14 && (x + y / 5) % 17 < 3
                let isScreen = x > width / 2 && y > height / 2 && state >> 31 == 1
                if isStroke || isScreen { samples[y * stride + x / 8] &= ~(0x80 >> UInt8(x % 8)) }
            }
        }
        return Raster(
            size: PixelSize(width: width, height: height), format: .gray(bits: 1), samples: samples)
    }

    /// The decoder was tested with files of other programs.
    @Test(arguments: [(1, 1), (3, 9), (8, 2), (83, 121), (640, 480)])
    func everyPixelComesBack(_ width: Int, _ height: Int) throws {
        let page = Self.page(width: width, height: height)
        let data = try #require(JBIG2Encoder.encode(page))
        let rows = try JBIG2Decoder.decode(data, globals: [], size: page.size)
        #expect(rows == page.samples)
        #expect(JBIG2Decoder.isUsual(data, globals: []))
    }

    /// Long runs of unlikely pixels make the coder carry over bytes of ones.
    @Test func rareColorsComeBack() throws {
        for first in 0..<64 {
            let size = PixelSize(width: 512, height: 40)
            let samples = (0..<64 * 40).map { $0 % 64 < first ? UInt8.max : UInt8(truncatingIfNeeded: $0 * $0 * 41) }
            let page = Raster(size: size, format: .gray(bits: 1), samples: samples)
            let data = try #require(JBIG2Encoder.encode(page))
            #expect(try JBIG2Decoder.decode(data, globals: [], size: size) == samples, "\(first)")
        }
    }

    @Test func textIsSmallerThanFax() throws {
        let size = PixelSize(width: 640, height: 480)
        let page = Self.page(width: size.width, height: size.height / 2)
        let fax = try #require(FaxEncoder.encode(page))
        let data = try #require(JBIG2Encoder.encode(page))
        #expect(data.count * 10 < fax.count * 8, "\(data.count) of \(fax.count) bytes")
    }

    @Test func otherSamplesAreRefused() {
        let gray = Raster(size: PixelSize(width: 2, height: 1), format: .gray(bits: 8), samples: [0, 255])
        #expect(JBIG2Encoder.encode(gray) == nil)
    }
}
