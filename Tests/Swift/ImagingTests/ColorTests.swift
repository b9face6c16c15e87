import Glibc
import Imaging
import PageModel
import Testing

@Suite struct ColorTests {
    /// sRGB's tone curve (IEC 61966-2-1), of light from 0 to 1.
    private static func encoded(_ light: Double) -> Double {
        let light = min(1, max(0, light))
        return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// A gray profile whose tone curve is a power.
    private static func grayProfile(gamma: Double) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
        let white: [UInt8] = [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]
        let fixed = Int(gamma * 256)
        let curve: [UInt8] = [0, 0, 0, 1, UInt8(fixed >> 8), UInt8(fixed & 255), 0, 0]
        let tags = [("wtpt", Array("XYZ \0\0\0\0".utf8) + white), ("kTRC", Array("curv\0\0\0\0".utf8) + curve)]
        let start = 128 + 4 + 12 * tags.count
        var table = number(tags.count)
        var body: [UInt8] = []
        for (name, data) in tags {
            table += Array(name.utf8)
            table += number(start + body.count)
            table += number(data.count)
            body += data
        }
        var head = number(start + body.count) + [0, 0, 0, 0, 2, 0x10, 0, 0]
        head += Array("mntrGRAYXYZ ".utf8) + [UInt8](repeating: 0, count: 12)
        head += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        head += white + [UInt8](repeating: 0, count: 48)
        return head + table + body
    }

    private static func raster(_ format: PixelFormat, _ samples: [UInt8], _ profile: [UInt8]?) -> Raster {
        let width = samples.count * 8 / format.bitsPerPixel
        return Raster(
            size: PixelSize(width: width, height: 1), format: format, samples: samples, resolution: Resolution(300),
            iccProfile: profile)
    }

    /// The profile "Wide" takes the first sample for blue, the second for red, the third for green, all of them linear.
    private static func fromWide(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
        [encoded(green), encoded(blue), encoded(red)]
    }

    private static let colors: [UInt8] = [0, 0, 0, 255, 255, 255, 10, 100, 200, 255, 0, 0, 3, 80, 5, 120, 120, 120]

    @Test func colorsAreConverted() throws {
        let profile = try Fixture.bytes("made/wide.icc")
        let converted = try Self.raster(.rgb(bits: 8), Self.colors, profile).inSRGB()
        #expect(converted.iccProfile == nil)
        #expect(converted.format == .rgb(bits: 8))
        #expect(converted.resolution == Resolution(300))
        for pixel in stride(from: 0, to: Self.colors.count, by: 3) {
            let light = Self.colors[pixel..<pixel + 3].map { Double($0) / 255 }
            for (index, value) in Self.fromWide(light[0], light[1], light[2]).enumerated() {
                #expect(abs(Double(converted.samples[pixel + index]) - 255 * value) <= 1.5)
            }
        }
    }

    @Test func alphaIsCarriedAlong() throws {
        let profile = try Fixture.bytes("made/wide.icc")
        let plain = try Self.raster(.rgb(bits: 8), Self.colors, profile).inSRGB()
        let alphas: [UInt8] = [0, 1, 2, 128, 254, 255]
        var samples: [UInt8] = []
        for pixel in 0..<6 { samples += Self.colors[3 * pixel..<3 * pixel + 3] + [alphas[pixel]] }
        let converted = try Self.raster(.rgba(bits: 8), samples, profile).inSRGB()
        for pixel in 0..<6 {
            #expect(converted.samples[4 * pixel + 3] == alphas[pixel])
            #expect(converted.samples[4 * pixel..<4 * pixel + 3] == plain.samples[3 * pixel..<3 * pixel + 3])
        }
    }

    private static func deep(_ values: [Int]) -> [UInt8] {
        values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// Every bit of 16 counts, alpha's too.
    @Test func deepSamplesAreConvertedExactly() throws {
        let profile = try Fixture.bytes("made/wide.icc")
        let alpha = 0x1234
        for pixel in [[100, 3000, 40_001], [65_535, 30, 257]] {
            let plain = try Self.raster(.rgb(bits: 16), Self.deep(pixel), profile).inSRGB()
            let light = pixel.map { Double($0) / 65_535 }
            for (index, value) in Self.fromWide(light[0], light[1], light[2]).enumerated() {
                let actual = Int(plain.samples[2 * index]) << 8 | Int(plain.samples[2 * index + 1])
                // A third of a level in 255: the profile's numbers have four decimals.
                #expect(abs(Double(actual) - 65_535 * value) <= 90)
            }
            let covered = try Self.raster(.rgba(bits: 16), Self.deep(pixel + [alpha]), profile).inSRGB()
            #expect(covered.samples == plain.samples + Self.deep([alpha]))
        }
    }

    @Test func aPaletteChangesInItsTable() throws {
        let profile = try Fixture.bytes("made/wide.icc")
        let plain = try Self.raster(.rgb(bits: 8), Self.colors, profile).inSRGB()
        let converted = try Self.raster(.palette(bits: 4, colors: Self.colors), [0x01, 0x23, 0x45], profile).inSRGB()
        #expect(converted.format == .palette(bits: 4, colors: plain.samples))
        #expect(converted.samples == [0x01, 0x23, 0x45])
    }

    @Test(arguments: [1, 1.8, 3])
    func grayStaysGray(_ gamma: Double) throws {
        let profile = Self.grayProfile(gamma: gamma)
        let levels = (0...255).map { UInt8($0) }
        let converted = try Self.raster(.gray(bits: 8), levels, profile).inSRGB()
        #expect(converted.format == .gray(bits: 8))
        for level in levels {
            let expected = 255 * Self.encoded(pow(Double(level) / 255, gamma))
            #expect(abs(Double(converted.samples[Int(level)]) - expected) <= 1.5)
        }
        let deep = try Self.raster(.gray(bits: 16), [0x80, 0x00, 0x12, 0x34], profile).inSRGB()
        let expected = 65_535 * Self.encoded(pow(Double(0x1234) / 65_535, gamma))
        #expect(abs(Double(Int(deep.samples[2]) << 8 | Int(deep.samples[3])) - expected) <= 40)
        let alpha = try Self.raster(.grayAlpha(bits: 8), [100, 7], profile).inSRGB()
        #expect(alpha.samples == [converted.samples[100], 7])
        // Few bits need more tolerance, because the levels move.
        let small = try Self.raster(.gray(bits: 4), [0x0F, 0x70], profile).inSRGB()
        #expect(small.format == .gray(bits: 8))
        #expect(small.samples == [0, 255, converted.samples[7 * 17], 0])
        let ink = Self.raster(.gray(bits: 1), [0b1010_0000], profile)
        #expect(try ink.inSRGB() == Self.raster(.gray(bits: 1), [0b1010_0000], nil))
    }

    @Test func sRGBPixelsStayUnchanged() throws {
        let bare = Self.raster(.rgb(bits: 8), Self.colors, nil)
        #expect(try bare.inSRGB() == bare)
        let named = Self.raster(.rgb(bits: 8), Self.colors, try Fixture.bytes("made/srgb.icc"))
        #expect(try named.inSRGB() == bare)
    }

    /// The prediction matches the result.
    @Test func colorChangesArePredicted() throws {
        let (wide, same) = (try Fixture.bytes("made/wide.icc"), try Fixture.bytes("made/srgb.icc"))
        for format in [
            PixelFormat.rgb(bits: 8), .rgb(bits: 16), .rgba(bits: 8), .palette(bits: 8, colors: Self.colors),
        ] {
            #expect(try Raster.isChangedInSRGB(format, wide) == true, "\(format)")
            #expect(try Raster.isChangedInSRGB(format, same) == false, "\(format)")
        }
        let dim = Self.grayProfile(gamma: 1.8)
        for format in [PixelFormat.gray(bits: 8), .gray(bits: 2), .grayAlpha(bits: 16)] {
            #expect(try Raster.isChangedInSRGB(format, dim) == true, "\(format)")
        }
        #expect(try Raster.isChangedInSRGB(.gray(bits: 1), dim) == false)
        for (format, profile) in [(PixelFormat.gray(bits: 1), wide), (.rgb(bits: 8), dim), (.gray(bits: 8), [1, 2])] {
            #expect(try Raster.isChangedInSRGB(format, profile) == nil, "\(format)")
        }
    }

    @Test func invalidOrMismatchedProfilesAreFaults() throws {
        let wide = try Fixture.bytes("made/wide.icc")
        let cmyk = try Fixture.bytes("made/cmyk.icc")
        let pictures = [
            Self.raster(.rgb(bits: 8), Self.colors, [1, 2, 3]), Self.raster(.rgb(bits: 8), Self.colors, []),
            Self.raster(.rgb(bits: 8), Self.colors, Array(wide.prefix(150))),
            Self.raster(.gray(bits: 8), [1, 2], wide),
            Self.raster(.rgb(bits: 8), Self.colors, cmyk),
        ]
        for picture in pictures { #expect(throws: PictureFault.self) { try picture.inSRGB() } }
        for count in 0..<wide.count {
            _ = try? Self.raster(.rgb(bits: 8), Self.colors, Array(wide.prefix(count))).inSRGB()
        }
    }

    /// An unusable profile costs no page: the samples are kept without it.
    @Test(arguments: [[], [1, 2, 3], [UInt8](repeating: 120, count: 200)] as [[UInt8]])
    func unusableProfileIsDropped(_ profile: [UInt8]) throws {
        let raster = PixelGrid(.rgb(bits: 8), [[0x102030, 0xFFEEDD]]).raster(iccProfile: profile)
        #expect(throws: PictureFault.self) { try raster.inSRGB() }
        let plain = try raster.withoutProfile()
        #expect(plain.samples == raster.samples && plain.iccProfile == nil)
    }
}
