internal import CDeflate
internal import PageModel

/// A check for damage in a PNG that is copied without being decoded.
///
/// Decoding would take several times as long: rows are inflated and counted, but no filter is undone. The checksums show whether
/// the bytes are those that were written.
struct PNGCheck {
    /// The inflation limit. Larger images are not inflated: their chunks are checked, not their rows.
    private static let maximumInflatedBytes = 128 << 20
    private static let headerCount = 8

    /// The image size that the header states, and the bytes of a pixel's samples.
    private let size: PixelSize
    private let bitsPerPixel: Int
    private let isInterlaced: Bool

    /// - Returns: the defect of a PNG that reaches its end; nil if none is found.
    static func defect(_ bytes: ByteReader) -> Message? {
        if PNGCodec.isAppleVariant(bytes) { return PNGCodec.appleVariant }
        guard let check = PNGCheck(bytes) else { return "the PNG is damaged: its header makes no sense" }
        var data: [UInt8] = []
        var offset = headerCount
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IEND" {
            // Names that begin with a lowercase letter mark chunks that a decoder may ignore (PNG 3rd edition §5.4).
            if name.rawValue >> 29 & 1 == 0 {
                guard let content = bytes.part(at: offset + 4, count: 4 + length),
                    let sum = bytes.uint32(at: offset + 8 + length)
                else { return PictureFault.endsTooEarly(.png).message }
                let found = content.withBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
                guard found == UInt32(sum) else { return "the PNG is damaged: a checksum is wrong" }
                if name == "IDAT" { data += content.array.dropFirst(4) }
            }
            offset += 12 + length
        }
        return check.defect(inflating: data)
    }

    private init?(_ bytes: ByteReader) {
        guard bytes.has("IHDR", at: 12), let size = PNGCodec.size(in: bytes), let bits = bytes.uint8(at: 24),
            let type = bytes.uint8(at: 25), let interlace = bytes.uint8(at: 28),
            let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type], [1, 2, 4, 8, 16].contains(bits)
        else { return nil }
        self.size = size
        bitsPerPixel = samples * bits
        isInterlaced = interlace == 1
    }

    private func defect(inflating data: [UInt8]) -> Message? {
        guard size.area.multipliedReportingOverflow(by: bitsPerPixel).overflow == false,
            byteCount <= PNGCheck.maximumInflatedBytes,
            let decompressor = libdeflate_alloc_decompressor()
        else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var result = LIBDEFLATE_BAD_DATA
        var count = 0
        _ = [UInt8](unsafeUninitializedCapacity: max(1, byteCount)) { rows, filled in
            result = libdeflate_zlib_decompress(
                decompressor, data, data.count, rows.baseAddress, byteCount, &count)
            filled = 0
        }
        switch result {
        case LIBDEFLATE_SUCCESS where count < byteCount:
            if isInterlaced { return "the PNG is damaged: pixels are missing" }
            let rows = count / (byteCount / size.height)
            return "the PNG is damaged: \(size.height - rows) of \(size.height) rows are missing"
        // More data than the rows need is harmless.
        case LIBDEFLATE_SUCCESS, LIBDEFLATE_INSUFFICIENT_SPACE: return nil
        default: return "the PNG is damaged: its image data ends too early or contradicts itself"
        }
    }

    /// The bytes of all rows, each preceded by its filter (§9.2); for an interlaced image, those of seven passes (§8.1).
    private var byteCount: Int {
        func bytes(_ width: Int, _ height: Int) -> Int {
            width == 0 ? 0 : (1 + (width * bitsPerPixel + 7) / 8) * height
        }
        guard isInterlaced else { return bytes(size.width, size.height) }
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.reduce(0) { sum, pass in
            let (x, y, across, down) = pass
            return sum + bytes((size.width - x + across - 1) / across, (size.height - y + down - 1) / down)
        }
    }
}
