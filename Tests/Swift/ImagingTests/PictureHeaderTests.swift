import Imaging
import PageModel
import Scratch
import Testing

@Suite struct PictureHeaderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let encoding: ImageEncoding
        let width: Int
        let height: Int
        var testDescription: String { name }
        var size: PixelSize { PixelSize(width: width, height: height) }
    }

    /// The results of Pillow 13, `file` 5.44 and the conformance suites' own descriptions.
    static let cases = [
        Case(name: "baseline.jpg", encoding: .jpeg, width: 5, height: 5),
        Case(name: "orientation-6.jpg", encoding: .jpeg, width: 128, height: 128),
        Case(name: "cmyk.jpg", encoding: .jpeg, width: 32, height: 32),
        Case(name: "progressive-icc.jpg", encoding: .jpeg, width: 32, height: 32),
        Case(name: "gray.png", encoding: .png, width: 32, height: 32),
        Case(name: "animated.png", encoding: .png, width: 3, height: 1),
        Case(name: "still.gif", encoding: .gif, width: 10, height: 10),
        Case(name: "lossy.webp", encoding: .webp, width: 240, height: 240),
        Case(name: "lossless.webp", encoding: .webp, width: 11, height: 11),
        Case(name: "extended.webp", encoding: .webp, width: 100, height: 30),
        Case(name: "fax.tif", encoding: .tiff, width: 6, height: 4),
        Case(name: "big.tif", encoding: .tiff, width: 16, height: 16),
        Case(name: "bitfields.bmp", encoding: .bmp, width: 6, height: 6),
        Case(name: "top-down.bmp", encoding: .bmp, width: 6, height: 6),
        Case(name: "single.avif", encoding: .avif, width: 4, height: 4),
        Case(name: "grid.avif", encoding: .avif, width: 80, height: 80),
        Case(name: "hevc.heif", encoding: .heif, width: 128, height: 128),
        Case(name: "codestream.jxl", encoding: .jpegXL, width: 32, height: 32),
        Case(name: "boxed.jxl", encoding: .jpegXL, width: 32, height: 32),
        Case(name: "gray.jp2", encoding: .jpeg2000, width: 4, height: 4),
        Case(name: "codestream.j2k", encoding: .jpeg2000Codestream, width: 8, height: 8),
    ]

    @Test(arguments: cases)
    func findsEncodingAndSize(_ expected: Case) throws {
        let header = try #require(PictureHeader(Fixture.bytes(expected.name)))
        #expect(header.encoding == expected.encoding)
        #expect(header.size == expected.size)
    }

    /// Headers that show a lossless encoding.
    @Test func losslessEncodingIsDetected() throws {
        func isLossless(_ bytes: [UInt8]) throws -> Bool { try #require(PictureHeader(bytes)).isLossless }
        for name in ["gray.png", "still.gif", "lossless.webp", "gray.jp2", "codestream.j2k"] {
            #expect(try isLossless(Fixture.bytes(name)), "\(name)")
        }
        for name in ["baseline.jpg", "lossy.webp", "single.avif"] {
            #expect(try !isLossless(Fixture.bytes(name)), "\(name)")
        }
        // The wavelet, the last byte of the segment that says how the picture is coded.
        for name in ["gray.jp2", "codestream.j2k"] {
            let bytes = try Fixture.bytes(name)
            let segment = try #require(bytes.firstRange(of: [0xFF, 0x52, 0, 12])).lowerBound
            #expect(try !isLossless(bytes.patched(at: segment + 13, [0])), "\(name)")
        }
    }

    /// Gray TIFFs need no conversion to gray.
    @Test(arguments: [
        ("gray-2.tif", true), ("gray-16-big-endian.tif", true), ("gray-8-inverted.tif", true), ("group-4.tif", true),
        ("gray-alpha-8.tif", true), ("rgb-8.tif", false), ("palette-4.tif", false), ("cmyk-8.tif", false),
        ("ycbcr-jpeg.tif", false),
    ])
    func grayTIFFsAreDetected(_ name: String, _ isGray: Bool) throws {
        let bytes = try Fixture.bytes("made/\(name)")
        #expect(PictureHeader(bytes)?.isGray == isGray)
        let decoded = try PictureDecoder.decode(bytes, .tiff, maximumPixels: 100_000)
        #expect(decoded.raster.format.hasColor != isGray)
    }

    /// The EXIF data of a WebP follow its picture: its beginning does not contain the orientation, and is marked as
    /// incomplete.
    @Test func exifAfterThePictureIsRead() throws {
        func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
            let count = UInt32(contents.count)
            return Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + contents
                + (contents.count % 2 == 0 ? [] : [0])
        }
        let picture = try Array(Fixture.bytes("lossy.webp").dropFirst(12))
        let exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let canvas: [UInt8] = [239, 0, 0, 239, 0, 0]
        let body = chunk("VP8X", [0x08, 0, 0, 0] + canvas) + picture + chunk("EXIF", exif)
        let file = chunk("RIFF", Array("WEBP".utf8) + body)
        let header = try #require(PictureHeader(file))
        #expect(header.isComplete && header.orientation == Orientation(exif: 6))
        let head = try #require(PictureHeader(Array(file.dropLast(8))))
        #expect(!head.isComplete && head.size == header.size && head.orientation == .upright)
        for expected in PictureHeaderTests.cases {
            #expect(try #require(PictureHeader(Fixture.bytes(expected.name))).isComplete, "\(expected)")
        }
    }

    /// As others and jisui encode: with alpha, turned, in boxes and without, small and of a common shape.
    @Test(.needs("cjxl", "djxl")) func losslessJPEGXLIsDetected() throws {
        for format in RasterScalingTests.formats + [.rgba(bits: 8), .grayAlpha(bits: 16)] {
            let size = PixelSize(width: 24, height: 16)
            let row = Raster.bytesPerRow(width: size.width, format: format)
            let raster = Raster(
                size: size, format: format,
                samples: (0..<row * size.height).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 5) })
            let png = PNGWriter.encode(raster)
            for (options, expected) in [("-d 0", true), ("-d 1", false), ("-d 0 --container=1", true)] {
                let file = try ReferenceTool.output("mv in in.png && cjxl \(options) in.png out.jxl", png, as: ".jxl")
                #expect(try #require(PictureHeader(file)).isLossless == expected, "\(format) \(options)")
            }
        }
        // A formerly lossy picture counts as lossy: it can become the JPEG again.
        let jpeg = try Fixture.bytes("baseline.jpg")
        let file = try ReferenceTool.output("mv in in.jpg && cjxl in.jpg out.jxl", jpeg, as: ".jxl")
        #expect(try !#require(PictureHeader(file)).isLossless)
    }

    /// A beginning gives the same result as the whole, or less; never a different one, and it never traps.
    @Test(arguments: cases)
    func prefixesNeverContradictTheWhole(_ expected: Case) throws {
        let bytes = try Fixture.bytes(expected.name)
        for count in bytes.indices {
            let header = PictureHeader(Array(bytes.prefix(count)))
            #expect(header?.encoding == expected.encoding || header == nil || expected.encoding == .avif)
            #expect(header?.size == expected.size || header?.size == nil)
        }
    }

    /// Any byte of a header may lie, two at once.
    @Test(arguments: cases)
    func survivesLies(_ expected: Case) throws {
        let bytes = try Fixture.bytes(expected.name)
        for offset in bytes.indices.prefix(400).dropLast() {
            for lie: [UInt8] in [[0, 0], [0xFF, 0xFF], [0x7F, 0xFF], [0x80, 0x00], [0xFF, 0x00]] {
                let lying = bytes.patched(at: offset, lie)
                _ = PictureHeader(lying)
                _ = JPEGHeader(lying)
                for encoding in ImageEncoding.known { _ = PictureCheck.defect(in: lying, encoding) }
            }
        }
    }

    @Test(arguments: [
        "", "B", "BM", "BMW is a car, and this is a text about it", "GIF", "GIF88a", "RIFF....WAVE", "II", "MM",
        "%PDF-1.7", "PK\u{3}\u{4}", "<svg xmlns='http://www.w3.org/2000/svg'/>", "P6 3 2 255 ",
    ])
    func otherDataIsNotRecognized(_ text: String) {
        #expect(PictureHeader(Array(text.utf8)) == nil)
    }

    @Test func videosAreNotRecognized() {
        #expect(PictureHeader([0, 0, 0, 20] + Array("ftypmp42".utf8) + [0, 0, 0, 0] + Array("isom".utf8)) == nil)
    }

    @Test(arguments: [
        ("mif1", "avif", ImageEncoding.avif), ("mif1", "heic", .heif), ("msf1", "hevc", .heif),
        ("avis", "msf1", .avif), ("heix", "mif1", .heif), ("mif1", "miaf", .heif), ("isom", "avif", .avif),
    ])
    func brandsDetermineTheCodec(_ major: String, _ compatible: String, _ expected: ImageEncoding) {
        let box = Array("ftyp\(major)".utf8) + [0, 0, 0, 0] + Array(compatible.utf8)
        #expect(PictureHeader([0, 0, 0, 20] + box)?.encoding == expected)
    }

    @Test func heightsBelowZeroRunFromTheTopDown() throws {
        let bytes = try Fixture.bytes("top-down.bmp")
        #expect(Array(bytes[22..<26]) == [0xFA, 0xFF, 0xFF, 0xFF])
        // The least 32-bit number has no positive counterpart in 32 bits.
        let extreme = bytes.patched(at: 22, [0, 0, 0, 0x80])
        #expect(PictureHeader(extreme)?.size == PixelSize(width: 6, height: 1 << 31))
    }

    @Test func oldBitmapsHaveShortSides() {
        var bytes = [UInt8]("BM".utf8) + [UInt8](repeating: 0, count: 12)
        bytes += [12, 0, 0, 0, 0x34, 0x12, 0xFF, 0xFF, 1, 0, 24, 0]
        #expect(PictureHeader(bytes)?.size == PixelSize(width: 0x1234, height: 0xFFFF))
    }

    /// Fields of a size header after ISO 18181-1 D.2, as (value, bits), lowest bit first.
    @Test(arguments: [
        // Small, height 8 x (7 + 1), ratio 1:1.
        ([[1, 1], [7, 5], [1, 3]], PixelSize(width: 64, height: 64)),
        // Small, height 8 x (8 + 1), ratio 16:9.
        ([[1, 1], [8, 5], [5, 3]], PixelSize(width: 128, height: 72)),
        // Small, no ratio.
        ([[1, 1], [8, 5], [0, 3], [0, 5]], PixelSize(width: 8, height: 72)),
        // Long, 13 bits for the height, no ratio, 9 bits for the width.
        ([[0, 1], [1, 2], [605, 13], [0, 3], [0, 2], [499, 9]], PixelSize(width: 500, height: 606)),
        // Long, 30 bits, ratio 2:1.
        ([[0, 1], [3, 2], [0x3FFF_FFFF, 30], [7, 3]], PixelSize(width: 1 << 31, height: 1 << 30)),
    ])
    func readsSizesOfJPEGXLBitByBit(_ fields: [[Int]], _ size: PixelSize) {
        let bits = fields.flatMap { field in (0..<field[1]).map { field[0] >> $0 & 1 } }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start...].prefix(8).enumerated().reduce(UInt8(0)) { $0 | UInt8($1.element) << UInt8($1.offset) }
        }
        #expect(PictureHeader([0xFF, 0x0A] + bytes)?.size == size)
    }

    @Test func boxedJPEGXLMayComeInPieces() throws {
        let codestream = try Fixture.bytes("codestream.jxl")
        let head = try Fixture.bytes("boxed.jxl").prefix(12)
        let piece = Array("jxlp".utf8) + [0, 0, 0, 0] + codestream
        let bytes = Array(head) + [0, 0, 0, UInt8(piece.count + 4)] + piece
        #expect(PictureHeader(bytes)?.size == PixelSize(width: 32, height: 32))
    }

    @Test func aJPEGMayLeaveItsHeightOpen() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        let header = try #require(PictureHeader(bytes.patched(at: frame + 5, [0, 0])))
        #expect(header.encoding == .jpeg)
        #expect(header.size == nil)
        let detailed = try #require(JPEGHeader(bytes.patched(at: frame + 5, [0, 0])))
        #expect(detailed.height == nil)
        #expect(detailed.width == 5)
    }

    @Test(arguments: [("orientation-8.png", 8), ("orientation-6.webp", 6), ("orientation-6.tif", 6), ("rgb-8.png", 1)])
    func headerContainsTheOrientation(_ name: String, _ value: Int) throws {
        let header = try #require(PictureHeader(Fixture.bytes("made/\(name)")))
        #expect(header.orientation == Orientation(exif: value))
    }
}
