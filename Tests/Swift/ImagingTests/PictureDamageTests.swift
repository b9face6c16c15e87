import CDeflate
import PageModel
import Testing

@testable import Imaging

/// Files that reach their end but lack pixels: they are copied, and their damage is reported.
@Suite struct PictureDamageTests {
    private static let size = PixelSize(width: 9, height: 8)

    /// A gray PNG with this many rows, and a change of their compressed data.
    private static func png(
        rows: Int, isInterlaced: Bool = false, spoil: (inout [UInt8]) -> Void = { _ in }
    ) -> [UInt8] {
        var file = PNGWriter.head(size: size, format: .gray(bits: 8), resolution: nil, iccProfile: nil)
        if isInterlaced {
            // The header's last byte; its checksum follows it.
            file[28] = 1
            let sum = file[12..<29].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
            file.replaceSubrange(29..<33, with: sum.bigEndianBytes)
        }
        let bytes = (0..<rows * (size.width + 1)).map { $0.isMultiple(of: size.width + 1) ? 0 : UInt8($0 & 63) }
        var data = bytes.withUnsafeBytes { Deflate.compressed($0, .zlib, level: 6) }
        spoil(&data)
        file.appendChunk("IDAT", Array(data.prefix(20)))
        file.appendChunk("IDAT", Array(data.dropFirst(20)))
        file.appendChunk("IEND", [])
        return file
    }

    @Test func aPNGWithoutSomeRows() {
        #expect(PictureCheck.defect(in: Self.png(rows: 8), .png) == nil)
        // Too many do no harm.
        #expect(PictureCheck.defect(in: Self.png(rows: 9), .png) == nil)
        #expect(PictureCheck.defect(in: Self.png(rows: 5), .png) == "the PNG is damaged: 3 of 8 rows are missing")
        #expect(PictureCheck.defect(in: Self.png(rows: 0), .png) == "the PNG is damaged: 8 of 8 rows are missing")
    }

    @Test func aPNGWhoseDataEndsTooEarly() {
        for count in [0, 1, 2, 10, 30] {
            let file = Self.png(rows: 8) { $0.removeLast($0.count - count) }
            #expect(
                PictureCheck.defect(in: file, .png)?.english.hasPrefix("the PNG is damaged: its image data") == true)
        }
    }

    @Test func aPNGWithAWrongChecksum() {
        var file = Self.png(rows: 8)
        file[50] ^= 1
        #expect(PictureCheck.defect(in: file, .png) == "the PNG is damaged: a checksum is wrong")
        // A wrong checksum of an ancillary chunk does not affect the picture.
        var noted = Array(Self.png(rows: 8).dropLast(12))
        noted.appendChunk("tEXt", Array("a".utf8))
        noted[noted.count - 1] ^= 1
        noted.appendChunk("IEND", [])
        #expect(PictureCheck.defect(in: noted, .png) == nil)
    }

    /// Seven passes: 2 × 1, 1 × 1, 3 × 1, 2 × 2, 5 × 2, 4 × 4 and 9 × 4 pixels, with a filter for each row.
    @Test func anInterlacedPNG() {
        let needed = 3 + 2 + 4 + 2 * 3 + 2 * 6 + 4 * 5 + 4 * 10
        for (rows, isWhole) in [(10, true), (8, false)] {
            #expect((rows * 10 >= needed) == isWhole)
            let defect = PictureCheck.defect(in: Self.png(rows: rows, isInterlaced: true), .png)
            #expect(defect == (isWhole ? nil : "the PNG is damaged: pixels are missing"))
        }
    }

    @Test(arguments: ["gray-1", "gray-alpha-16-interlaced", "rgb-8-interlaced", "palette-2", "gray-1-interlaced"])
    func soundPNGs(_ name: String) throws {
        #expect(try PictureCheck.defect(in: Fixture.bytes("made/\(name).png"), .png) == nil)
    }

    @Test func aGIFWithoutSomePixels() {
        // Twenty-four pixels of one color, and one.
        for (codes, isWhole) in [([0x84, 0x8F, 0xA9, 0x57] as [UInt8], true), ([0x44, 0x01], false)] {
            var file = Array("GIF89a".utf8) + [4, 0, 6, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            file += [0x2C, 0, 0, 0, 0, 4, 0, 6, 0, 0, 2, UInt8(codes.count)] + codes + [0, 0x3B]
            #expect((PictureCheck.defect(in: file, .gif) == nil) == isWhole, "\(codes)")
        }
    }

    /// libtiff counts the rows of a strip that it reads as a whole from -1; the message must not show that.
    @Test func aTIFFTruncatedAfterItsDirectory() {
        let entries: [(tag: UInt16, value: UInt32)] = [
            (256, 50), (257, 60), (258, 8), (259, 1), (262, 1), (273, 122), (277, 1), (278, 60), (279, 3000),
        ]
        var file: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0, UInt8(entries.count), 0]
        for (tag, value) in entries {
            for number in [UInt32(tag) | 4 << 16, 1, value] { file += number.bigEndianBytes.reversed() }
        }
        file += [0, 0, 0, 0] + [UInt8](repeating: 7, count: 2860)
        let fault = #expect(throws: PictureFault.self) { try PictureDecoder.decode(file, .tiff, maximumPixels: 10_000) }
        #expect(fault?.message == "the TIFF cannot be decoded (the file ends too early)")
    }

    @Test func aTIFFWhoseStripIsCutOff() throws {
        let raster = Raster(
            size: PixelSize(width: 50, height: 40), format: .gray(bits: 8),
            samples: (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 >> 3) })
        let file = try TIFFEncoder.encode(raster)
        #expect(PictureCheck.defect(in: file, .tiff) == nil)
        // The directory comes first in what libtiff would read of it: the cut takes samples where they come last.
        let directory = try #require(TIFFDirectory(ByteReader(file)))
        let starts = try #require(directory.integers(.stripOffsets))
        let counts = try #require(directory.integers(.stripByteCounts))
        let end = try #require(zip(starts, counts).map { $0 + $1 }.max())
        guard end == file.count else { return }
        #expect(PictureCheck.defect(in: Array(file.dropLast(counts[0] / 2)), .tiff) != nil)
    }

    @Test func aBMPWithoutSomeRuns() throws {
        let file = try Fixture.bytes("made/runs-8.bmp")
        #expect(PictureCheck.defect(in: file, .bmp) == nil)
        #expect(PictureCheck.defect(in: Array(file.dropLast(file.count / 20)), .bmp) != nil)
    }

    /// The sizes in front say that the file is whole.
    @Test(arguments: ["lossy.webp", "extended.webp"]) func aTruncatedWebPWithAdjustedSizes(_ name: String) throws {
        var file = try Fixture.bytes(name)
        #expect(PictureCheck.defect(in: file, .webp) == nil)
        file.removeLast(file.count / 2 & ~1)
        let count = UInt32(file.count - 8)
        for index in 0..<4 { file[4 + index] = UInt8(truncatingIfNeeded: count >> UInt32(8 * index)) }
        #expect(PictureCheck.defect(in: file, .webp) == "the WebP ends too early")
    }
}
