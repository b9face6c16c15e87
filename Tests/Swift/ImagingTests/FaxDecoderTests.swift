import Imaging
import PageModel
import Scratch
import Testing

@Suite struct FaxDecoderTests {
    private static let size = PixelSize(width: 19, height: 5)

    /// The picture that libtiff 4.7 made the data below of: black where (x² + 3y) mod 5 < 2.
    private static let picture = PixelGrid(
        .gray(bits: 1),
        (0..<size.height).map { y in (0..<size.width).map { x in (x * x + 3 * y) % 5 < 2 ? 0 : 1 } })

    static let cases: [(FaxDecoder.Coding, [UInt8])] = [
        (
            .group4,
            [
                0x26, 0xB9, 0x78, 0xBC, 0x5E, 0x88, 0x88, 0xC9, 0xAA, 0x23, 0xE4, 0x74, 0x47, 0xC8, 0xE8, 0x8F, 0x91,
                0xD0, 0x56, 0x12, 0x48, 0x24, 0x90, 0x49, 0x20, 0xAD, 0x34, 0xD3, 0x80, 0x08, 0x00, 0x80,
            ]
        ),
        (
            .group3OneDimensional,
            [
                0x00, 0x13, 0x5D, 0xE7, 0x9E, 0x70, 0x01, 0x18, 0x00, 0x26, 0xA8, 0x7C, 0x74, 0x3E, 0x3A, 0x1F, 0x1D,
                0x0F, 0x80, 0x08, 0xE9, 0xD0, 0xE9, 0xD0, 0xE9, 0xD0, 0xE9, 0xC0, 0x05, 0xF8, 0xE3, 0x8C,
            ]
        ),
        (
            .group3Mixed,
            [
                0x00, 0x19, 0xAE, 0xF3, 0xCF, 0x38, 0x00, 0x84, 0x44, 0x60, 0x03, 0x35, 0x43, 0xE3, 0xA1, 0xF1, 0xD0,
                0xF8, 0xE8, 0x7C, 0x00, 0x4C, 0x24, 0x90, 0x49, 0x20, 0x92, 0x41, 0x40, 0x06, 0xFC, 0x71, 0xC6,
            ]
        ),
    ]

    @Test(arguments: cases)
    func everyPixelIsDecoded(_ coding: FaxDecoder.Coding, _ data: [UInt8]) throws {
        let samples = try #require(FaxDecoder(coding: coding, size: Self.size).decode(data))
        let raster = Raster(size: Self.size, format: .gray(bits: 1), samples: samples)
        #expect(PixelGrid(raster) == Self.picture)
    }

    /// ITU-T T.6 by hand: each white row is "V0", a single 1; after them the end of the block, 000000000001 twice.
    @Test func whiteRowsAreWhite() {
        let data: [UInt8] = [0b1110_0000, 0b0000_0010, 0b0000_0000, 0b0010_0000]
        #expect(
            FaxDecoder(coding: .group4, size: PixelSize(width: 12, height: 3)).decode(data).map { Array($0) } != nil)
        let rows = FaxDecoder(coding: .group4, size: PixelSize(width: 8, height: 3)).decode(data)
        #expect(rows == [0xFF, 0xFF, 0xFF])
    }

    @Test(arguments: cases)
    func cutOrOtherDataDoesNotTrap(_ coding: FaxDecoder.Coding, _ data: [UInt8]) {
        let decoder = FaxDecoder(coding: coding, size: Self.size)
        let count = 3 * Self.size.height
        for length in 0..<data.count {
            #expect(decoder.decode(Array(data.prefix(length)))?.count ?? count == count)
        }
        var random = SplitMix(seed: 5)
        for _ in 0..<300 {
            let noise = (0..<40).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(decoder.decode(noise)?.count ?? count == count)
        }
    }

    @Test func noDataIsDamaged() {
        #expect(FaxDecoder(coding: .group4, size: Self.size).decode([]) == nil)
    }

    /// Group 4 leaves an encoder no choice: libtiff encodes the picture identically.
    @Test func encodedFaxRoundTrips() throws {
        let raster = FaxDecoderTests.picture.raster()
        #expect(FaxEncoder.encode(raster) == FaxDecoderTests.cases[0].1)
        let wide = Raster(size: PixelSize(width: 1, height: 3), format: .gray(bits: 1), samples: [0x80, 0, 0xFF])
        let fax = try #require(FaxEncoder.encode(wide))
        let rows = FaxDecoder(coding: .group4, size: wide.size).decode(fax)
        #expect(rows?.map { $0 & 0x80 } == [0x80, 0, 0x80])
        #expect(FaxEncoder.encode(Raster(size: wide.size, format: .gray(bits: 8), samples: [1, 2, 3])) == nil)
    }
}
