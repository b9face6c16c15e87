import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEG2000DecoderTests {
    /// The samples that a PNG can hold unchanged; nil if there are none.
    private func exact(_ data: [UInt8], pixels: Int) -> Raster? {
        let encoding: ImageEncoding = data.starts(with: [0, 0, 0, 12]) ? .jpeg2000 : .jpeg2000Codestream
        return try? PictureDecoder.decode(data, DecodeRequest(encoding, maximumPixels: pixels, isExact: true)).raster
    }

    /// The samples are those that Pillow 12 reads, through OpenJPEG 2.5.4.
    @Test func grayOf8BitsInAFile() throws {
        let raster = try #require(exact(Fixture.bytes("gray.jp2"), pixels: 16))
        #expect(raster.size == PixelSize(width: 4, height: 4))
        #expect(raster.format == .gray(bits: 8))
        #expect(raster.samples == [0, 0, 255, 255, 0, 0, 255, 255, 255, 255, 0, 0, 255, 255, 0, 0])
    }

    /// One sample for many lines: the picture has the size of the grid that samples lie on.
    @Test func samplesFurtherApartThanPixels() throws {
        var bytes = try Fixture.bytes("gray.jp2")
        let marker = try #require(bytes.firstRange(of: [0xFF, 0x51] as [UInt8])).lowerBound
        // The vertical distance of the first component's samples (T.800 A.5.1).
        bytes[marker + 42] = 43
        #expect(exact(bytes, pixels: 16) == nil)
        let image = try PictureDecoder.decode(bytes, .jpeg2000, maximumPixels: 16)
        #expect(image.raster.size == PixelSize(width: 4, height: 4))
    }

    /// The header shows whether other formats can hold the picture unchanged.
    @Test func simplePicturesAreKnown() throws {
        let file = try Fixture.bytes("gray.jp2")
        let header = try #require(JPEG2000Header(file))
        #expect(header.isGray && header.bits == 8 && header.iccProfile == nil)
        #expect(header.size == PixelSize(width: 4, height: 4))
        #expect(JPEG2000Header(Self.rgb)?.isGray == false)
        let marker = try #require(file.firstRange(of: [0xFF, 0x51] as [UInt8])).lowerBound
        // Samples of 9 bits, signed ones, and those that lie further apart than pixels.
        for (offset, value) in [(40, UInt8(8)), (40, 0x87), (41, 2), (42, 2)] {
            var odd = file
            odd[marker + offset] = value
            #expect(JPEG2000Header(odd) == nil, "\(offset) \(value)")
        }
        let color = try #require(file.firstRange(of: Array("colr".utf8))).lowerBound
        var odd = file
        // Another color space.
        odd[color + 10] = 18
        #expect(JPEG2000Header(odd) == nil)
        #expect(try JPEG2000Header(Fixture.bytes("codestream.j2k")) == nil)
        for count in 0..<file.count { _ = JPEG2000Header(Array(file[..<count])) }
    }

    /// A codestream of four tiles; 16 bits are big-endian.
    @Test func grayOf16BitsBare() throws {
        let raster = try #require(exact(Fixture.bytes("codestream.j2k"), pixels: 64))
        #expect(raster.size == PixelSize(width: 8, height: 8))
        #expect(raster.format == .gray(bits: 16))
        #expect(Array(raster.samples.prefix(12)) == [0, 0x1A, 0, 0x17, 0, 0x0F, 0, 0x1B, 0, 0x0F, 0, 0x1B])
        #expect(PixelGrid(raster).rows.joined().max() == 33 && PixelGrid(raster).rows.joined().min() == 15)
    }

    /// Written by Pillow 12 without loss: 3 × 2 pixels, the i-th of them (10 i, 255 − 20 i, 7 i + 1).
    private static let rgb: [UInt8] = hex(
        """
        0000000c6a5020200d0a870a00000014667479706a703220000000006a7032200000002d6a70326800000016696864720000
        0002000000030003070700000000000f636f6c7201000000000010000000a46a703263ff4fff51002f000000000003000000
        020000000000000000000000030000000200000000000000000003070101070101070101ff52000c00000001000004040001
        ff5c00044040ff640025000143726561746564206279204f70656e4a5045472076657273696f6e20322e352e34ff90000a00
        000000002c0001ff93df803807a369fa7d3611cfb41c01e038c3a47d7fcfb41c088fece825028fffd9
        """)

    /// The same with an alpha component.
    private static let alpha: [UInt8] = hex(
        """
        0000000c6a5020200d0a870a00000014667479706a703220000000006a7032200000004f6a70326800000016696864720000
        0002000000030004070700000000000f636f6c72010000000000100000002263646566000400000000000100010000000200
        0200000003000300010000000000a96a703263ff4fff51003200000000000300000002000000000000000000000003000000
        0200000000000000000004070101070101070101070101ff52000c00000001000004040001ff5c00044040ff640025000143
        726561746564206279204f70656e4a5045472076657273696f6e20322e352e34ff90000a00000000002e0001ff93cfb40c08
        9067cfb4140890625b81cfb4180890606f227fcfb4180890606f200bffd9
        """)

    /// 3 × 2 gray pixels of 16 bits.
    private static let deep: [UInt8] = hex(
        """
        ff4fff5100290000000000030000000200000000000000000000000300000002000000000000000000010f0101ff52000c00
        000001000004040001ff5c00044080ff640025000143726561746564206279204f70656e4a5045472076657273696f6e2032
        2e352e34ff90000a00000000001f0001ff93cffc3034081dade9b3fdb4fa4b664cfd3fffd9
        """)

    private static func hex(_ text: String) -> [UInt8] {
        let digits = Array(text.filter { $0.isHexDigit })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test func colorInAFileAndBare() throws {
        let samples: [UInt8] = (0..<6).flatMap { (index: UInt8) -> [UInt8] in
            [10 * index, 255 - 20 * index, 7 * index + 1]
        }
        let start = try #require(Self.rgb.firstRange(of: [0xFF, 0x4F, 0xFF, 0x51])?.lowerBound)
        for data in [Self.rgb, Array(Self.rgb[start...])] {
            let raster = try #require(exact(data, pixels: 6))
            #expect(raster.size == PixelSize(width: 3, height: 2))
            #expect(raster.format == .rgb(bits: 8))
            #expect(raster.samples == samples)
        }
    }

    @Test func everyBitOf16Counts() throws {
        let raster = try #require(exact(Self.deep, pixels: 6))
        #expect(Array(PixelGrid(raster).rows.joined()) == [0x0102, 0xFFFE, 300, 4000, 50_000, 65_535])
    }

    @Test func picturesWithAlphaOrTooManyPixelsAreRejected() throws {
        #expect(exact(Self.alpha, pixels: 6) == nil)
        // One pixel more than allowed.
        #expect(exact(Self.rgb, pixels: 5) == nil)
    }

    @Test func cutOrOtherDataDoesNotTrap() throws {
        for data in [Self.rgb, Self.deep, try Fixture.bytes("codestream.j2k")] {
            for length in 0..<data.count { _ = exact(Array(data.prefix(length)), pixels: 100) }
            var random = SplitMix(seed: 6)
            for _ in 0..<300 {
                var copy = data
                copy[Int.random(in: 0..<data.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
                if let raster = exact(copy, pixels: 100) { #expect(raster.size.area <= 100) }
            }
        }
        #expect(exact([], pixels: 100) == nil)
        #expect(try exact(Fixture.bytes("baseline.jpg"), pixels: 100) == nil)
    }
}
