import Imaging
import PageModel
import Scratch
import Testing

/// Colors that files describe without an ICC profile. The expected values are those of transicc (lcms2).
@Suite struct DescribedColorTests {
    private static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// A PNG of one color with chunks after its header. Nobody checks their sums.
    private static func png(_ color: [UInt8], _ chunks: [(name: String, data: [UInt8])]) throws -> [UInt8] {
        let size = PixelSize(width: 4, height: 4)
        let format: PixelFormat = color.count == 1 ? .gray(bits: 8) : .rgb(bits: 8)
        let samples = (0..<size.area).flatMap { _ in color }
        let file = try PictureEncoder.encode(Raster(size: size, format: format, samples: samples), as: .png, .lossless)
        var result = Array(file[..<33])
        for chunk in chunks { result += big(chunk.data.count) + Array(chunk.name.utf8) + chunk.data + [0, 0, 0, 0] }
        return result + file[33...]
    }

    private static func shown(_ file: [UInt8]) throws -> [UInt8] {
        let raster = try PictureDecoder.decode(file, .png, maximumPixels: 1000).raster.inSRGB()
        return Array(raster.samples.prefix(raster.format.bitsPerPixel / 8))
    }

    private static func isNear(_ found: [UInt8], _ wanted: [Int]) -> Bool {
        found.count == wanted.count && zip(found, wanted).allSatisfy { abs(Int($0) - $1) <= 1 }
    }

    @Test func gammaOfPNGIsApplied() throws {
        // 0.5 as light is 188 in sRGB.
        #expect(
            Self.isNear(try Self.shown(try Self.png([128, 128, 128], [("gAMA", Self.big(100_000))])), [188, 188, 188]))
        #expect(Self.isNear(try Self.shown(try Self.png([128], [("gAMA", Self.big(100_000))])), [188]))
    }

    @Test func usualGammaAndSRGBChangeNothing() throws {
        for chunks in [
            [("gAMA", Self.big(45_455))], [("sRGB", [0]), ("gAMA", Self.big(100_000))], [("cICP", [1, 13, 0, 1])],
        ] as [[(String, [UInt8])]] {
            let file = try Self.png([128, 60, 20], chunks)
            #expect(try PictureDecoder.decode(file, .png, maximumPixels: 1000).raster.iccProfile == nil)
        }
    }

    @Test func primariesOfPNGAreApplied() throws {
        // Full green of DCI-P3 is beyond sRGB; a pale one is not.
        let displayP3 = [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        let chunk = displayP3.flatMap { Self.big(Int(($0 * 100_000).rounded())) }
        let expected = [89, 203, 110]
        for chunks in [[("cHRM", chunk)], [("cICP", [12, 13, 0, 1])]] as [[(String, [UInt8])]] {
            let found = try Self.shown(try Self.png([120, 200, 120], chunks))
            #expect(Self.isNear(found, expected), "\(found)")
        }
    }

    @Test func brightestLightOfHDRIsReported() throws {
        let file = try Self.png([148, 148, 148], [("cICP", [9, 16, 0, 1])])
        let image = try PictureDecoder.decode(file, .png, maximumPixels: 1000)
        #expect(image.loss?.english.contains("HDR") == true)
        // 58 % of the signal is paper white: 203 of 10,000 nits.
        #expect(Self.isNear(try Self.shown(file), [255, 255, 255]))
    }

    @Test func profileOfPNGForPDFIsThatOfItsPixels() throws {
        let file = try Self.png([128, 128, 128], [("gAMA", Self.big(100_000))])
        let contents = try #require(PNGContents(file))
        #expect(contents.iccProfile != nil)
        #expect(contents.iccProfile == (try PictureDecoder.decode(file, .png, maximumPixels: 1000).raster.iccProfile))
    }

    /// A TIFF of one Lab pixel.
    private static func lab(_ samples: [UInt8], bits: Int, photometric: Int) -> [UInt8] {
        let fields = [
            (256, 1), (257, 1), (258, bits), (259, 1), (262, photometric), (273, 8), (277, 3), (278, 1),
            (279, samples.count),
        ]
        var file: [UInt8] = Array("MM".utf8) + big(42, 2) + big(14) + samples
        file += [UInt8](repeating: 0, count: 14 - 8 - samples.count)
        file += big(fields.count, 2)
        for (tag, value) in fields { file += big(tag, 2) + big(3, 2) + big(1) + big(value, 2) + [0, 0] }
        return file + big(0)
    }

    @Test(
        arguments: [
            ([255, 0, 0], 8, 8, [255, 255, 255]), ([128, 0, 0], 8, 8, [119, 119, 119]), ([0, 0, 0], 8, 8, [0, 0, 0]),
            ([138, 81, 70], 8, 8, [255, 0, 0]), ([255, 128, 128], 8, 9, [255, 255, 255]),
            ([138, 209, 198], 8, 9, [255, 0, 0]), ([128, 20, 236], 8, 8, [141, 108, 154]),
        ] as [([UInt8], Int, Int, [Int])])
    func labOfTIFFIsConvertedByLCMS(samples: [UInt8], bits: Int, photometric: Int, expected: [Int]) throws {
        let file = Self.lab(samples, bits: bits, photometric: photometric)
        let image = try PictureDecoder.decode(file, .tiff, maximumPixels: 10)
        #expect(zip(image.raster.samples, expected).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(image.raster.samples)")
        #expect(image.loss?.english == "converted from Lab to RGB")
    }

    @Test(
        arguments: [
            ([0xFF, 0xFF, 0, 0, 0, 0], 8, [255, 255, 255]), ([0xFF, 0, 0x80, 0, 0x80, 0], 9, [255, 255, 255]),
        ]
            as [([UInt8], Int, [Int])])
    func deepLabIsConverted(samples: [UInt8], photometric: Int, expected: [Int]) throws {
        let file = Self.lab(samples, bits: 16, photometric: photometric)
        let raster = try PictureDecoder.decode(file, .tiff, maximumPixels: 10).raster
        #expect(raster.format == .rgb(bits: 16))
        let high = stride(from: 0, to: 6, by: 2).map { raster.samples[$0] }
        #expect(Self.isNear(high, expected), "\(high)")
    }

    @Test func pixelsUnderAWrongChecksumAreKept() throws {
        var file = try Fixture.bytes("gray.png")
        let data = try #require(file.indices.first { file[$0...].starts(with: Array("IDAT".utf8)) })
        let count = file[data - 4..<data].reduce(0) { $0 << 8 | Int($1) }
        let whole = try PictureDecoder.decode(file, .png, maximumPixels: 1_000_000)
        file[data + 4 + count] ^= 0xFF
        let image = try PictureDecoder.decode(file, .png, maximumPixels: 1_000_000)
        #expect(image.raster == whole.raster && whole.diagnostics.isEmpty)
        #expect(image.diagnostics.map(\.english) == ["a checksum is wrong"])
    }
}
