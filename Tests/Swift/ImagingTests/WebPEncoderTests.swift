import Imaging
import PageModel
import Scratch
import Testing

@Suite struct WebPEncoderTests {
    /// The samples as RGB or RGBA of 8 bits, which is all WebP has.
    static func colors(_ grid: PixelGrid) -> [[UInt64]] {
        let bits = UInt64(grid.format.bitsPerSample)
        return grid.rows.map { row in
            row.map { pixel in
                switch grid.format {
                case .gray: pixel * 255 / (1 << bits - 1) * 0x010101
                case .grayAlpha: (pixel >> 8) * 0x0101_0100 | pixel & 255
                case .rgb, .rgba: pixel
                case .palette(_, let colors):
                    colors[3 * Int(pixel)..<3 * Int(pixel) + 3].reduce(0) { $0 << 8 | UInt64($1) }
                }
            }
        }
    }

    /// Colors that cannot be accessed are kept, too.
    @Test(.needs("dwebp"), arguments: RasterFramingTests.formats.filter { $0.bitsPerSample <= 8 })
    func losslessIsLossless(_ format: PixelFormat) throws {
        for size in [(1, 1), (7, 1), (1, 9), (33, 17)].map({ PixelSize(width: $0.0, height: $0.1) }) {
            let grid = PNGWriterTests.Motif.noise.grid(format, size)
            let raster = grid.raster(padding: 1)
            let file = try WebPEncoder.encode(raster, quality: nil)
            #expect(PictureHeader(file)?.size == size)
            #expect(PictureCheck.defect(in: file, .webp) == nil)
            let decoded = PixelGrid(try ReferenceTool.webp(file))
            var wanted = Self.colors(grid)
            // A picture that happens to be opaque is read as one.
            if format.hasAlpha && decoded.format == .rgb(bits: 8) { wanted = wanted.map { $0.map { $0 >> 8 } } }
            #expect(decoded.rows == wanted, "\(size)")
            #expect(try WebPEncoder.encode(raster, quality: nil) == file)
        }
    }

    @Test(.needs("dwebp"), arguments: [PixelFormat.gray(bits: 8), .rgb(bits: 8), .rgba(bits: 8), .rgb(bits: 16)])
    func lossyIsNearAndSmall(_ format: PixelFormat) throws {
        let size = PixelSize(width: 96, height: 64)
        let step = UInt64(format.bitsPerSample == 16 ? 257 : 1)
        let rows = (0..<size.height).map { y in
            (0..<size.width).map { x -> UInt64 in
                let bits = UInt64(format.bitsPerSample)
                let tones = [x * 2, x + y, 255 - y * 3].map { UInt64($0) * step }
                let color = format.bitsPerPixel == 8 ? tones[1] : tones.reduce(0) { $0 << bits | $1 }
                return format.hasAlpha ? color << bits | 200 : color
            }
        }
        let raster = PixelGrid(format, rows).raster()
        let fine = try WebPEncoder.encode(raster, quality: 95)
        let coarse = try WebPEncoder.encode(raster, quality: 20)
        #expect(coarse.count < fine.count)
        let decoded = RasterScalingTests.channels(try ReferenceTool.webp(fine))
        let source = RasterScalingTests.channels(raster)
        #expect(decoded.count == (format.hasAlpha ? 4 : 3))
        for (index, channel) in decoded.enumerated() {
            let wanted = source.count == 1 ? source[0] : source[index]
            let error = zip(channel, wanted).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(channel.count)
            #expect(error < 0.02, "channel \(index)")
        }
        if format.hasAlpha { #expect(decoded[3] == source[3]) }
    }

    @Test(.needs("webpmux")) func profilesAreKept() throws {
        let profile = (0..<1001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let raster = PixelGrid(.rgba(bits: 8), [[0x1020_3040, 0xFFFF_FFFF]]).raster(iccProfile: profile)
        for quality in [nil, 80] {
            let file = try WebPEncoder.encode(raster, quality: quality)
            #expect(try ReferenceTool.output("webpmux -get icc in -o out", file, as: "") == profile)
            #expect(PictureHeader(file)?.size == raster.size)
        }
    }

    @Test func sizesAndFormatsBeyondWebPAreRejected() throws {
        let wide = Raster(
            size: PixelSize(width: 16_384, height: 1), format: .gray(bits: 1),
            samples: [UInt8](repeating: 0, count: 2048))
        let fault = #expect(throws: PictureFault.self) { try WebPEncoder.encode(wide, quality: 80) }
        #expect(fault?.message.english.contains("16383") == true)
        let largest = Raster(
            size: PixelSize(width: 1, height: 16_383), format: .gray(bits: 8),
            samples: [UInt8](repeating: 0, count: 16_383))
        #expect(PictureHeader(try WebPEncoder.encode(largest, quality: nil))?.size == largest.size)
        let deep = PixelGrid(.gray(bits: 16), [[1]]).raster()
        #expect(throws: PictureFault.self) { try WebPEncoder.encode(deep, quality: nil) }
    }
}
