internal import CDeflate
package import PageModel

/// The contents of a PNG file, with its rows still compressed: other formats use the same filters and compression.
package struct PNGContents: Sendable {
    package let size: PixelSize
    /// The meaning of the samples.
    package let format: PixelFormat
    /// The rows, each preceded by its filter, as one zlib stream (PNG 3rd edition §9.2, §10).
    package let data: [UInt8]
    /// Whether rows are stored in several passes.
    package let isInterlaced: Bool
    /// Whether a tRNS chunk makes some of the pixels transparent.
    package let hasTransparentColors: Bool
    /// The profile in the file, or one made from the colors that it describes by numbers.
    package let iccProfile: [UInt8]?
    package let resolution: Resolution?

    /// - Parameter file: all bytes of the file.
    /// - Returns: nil if it is not a PNG, or its structure is invalid. The rows are not checked.
    package init?(_ file: [UInt8]) {
        let bytes = ByteReader(file)
        guard PNGCodec.encoding(of: bytes) != nil, let size = PNGCodec.size(in: bytes),
            let bits = bytes.uint8(at: 24),
            let type = bytes.uint8(at: 25), let interlacing = bytes.uint8(at: 28)
        else { return nil }
        var data: [UInt8] = []
        var colors: [UInt8] = []
        var profile: [UInt8]?
        var resolution: Resolution?
        var hasTransparentColors = false
        var offset = 8
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IEND" {
            guard let contents = bytes.part(at: offset + 8, count: length) else { return nil }
            switch name {
            case "IDAT": data += contents.array
            case "PLTE": colors = contents.array
            case "tRNS": hasTransparentColors = true
            case "iCCP": profile = PNGContents.profile(contents)
            case "pHYs":
                if contents.uint8(at: 8) == 1, let across = contents.uint32(at: 0), let down = contents.uint32(at: 4),
                    across > 0, down > 0
                {
                    resolution = Resolution(horizontal: Double(across) * 0.0254, vertical: Double(down) * 0.0254)
                }
            default: break
            }
            offset += 12 + length
        }
        let isKnown =
            switch type {
            case 0: [1, 2, 4, 8, 16].contains(bits)
            case 3: [1, 2, 4, 8].contains(bits) && (3...768).contains(colors.count) && colors.count % 3 == 0
            case 2, 4, 6: [8, 16].contains(bits)
            default: false
            }
        guard isKnown, interlacing < 2, !data.isEmpty else { return nil }
        self.size = size
        format =
            switch type {
            case 0: .gray(bits: bits)
            case 2: .rgb(bits: bits)
            case 3: .palette(bits: bits, colors: colors)
            case 4: .grayAlpha(bits: bits)
            default: .rgba(bits: bits)
            }
        self.data = data
        self.isInterlaced = interlacing == 1
        self.hasTransparentColors = hasTransparentColors
        iccProfile = PNGColors.profile(bytes, own: profile)
        self.resolution = resolution
    }

    /// Creates the contents of a raster as `PNGWriter` compresses it.
    package init?(_ raster: Raster) {
        self.init(PNGWriter.encode(raster))
    }

    /// Returns the profile in an iCCP chunk: a name, a zero, the method, a zlib stream (§11.3.2.3).
    private static func profile(_ chunk: ByteReader) -> [UInt8]? {
        guard let end = chunk.firstOffset(of: 0, from: 0), end < 80, chunk.uint8(at: end + 1) == 0,
            let packed = chunk.part(from: end + 2)
        else { return nil }
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        // The longest printer profiles have some megabytes.
        var capacity = 1 << 16
        while capacity <= 1 << 24 {
            var result = LIBDEFLATE_BAD_DATA
            let profile = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
                result = packed.withBytes {
                    libdeflate_zlib_decompress(
                        decompressor, $0.baseAddress, $0.count, buffer.baseAddress, capacity, &filled)
                }
                if result != LIBDEFLATE_SUCCESS { filled = 0 }
            }
            if result == LIBDEFLATE_SUCCESS { return profile }
            if result != LIBDEFLATE_INSUFFICIENT_SPACE { return nil }
            capacity *= 4
        }
        return nil
    }
}
