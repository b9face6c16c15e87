internal import PageModel

/// The headers of a BMP: <https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>, and those of OS/2.
struct BMPHeader {
    enum Compression: Int {
        case none = 0
        case runs8 = 1
        case runs4 = 2
        case bitFields = 3
        case bitFieldsWithAlpha = 6
    }

    let size: PixelSize
    /// Whether the first row stored is the top one.
    let isTopDown: Bool
    /// The bits of a pixel: 1, 2, 4, 8, 16, 24 or 32.
    let bits: Int
    let compression: Compression
    /// The offset of the rows in the file.
    let start: Int
    /// Red, green, blue bytes.
    let palette: [UInt8]
    /// The masks of red, green, blue and alpha in a pixel of 16 or 32 bits.
    let masks: [UInt32]
    let resolution: Resolution?
    let iccProfile: [UInt8]?

    /// - Throws: `PictureFault` if a field is missing or its value cannot be decoded.
    init(_ bytes: ByteReader) throws(PictureFault) {
        guard let stated = BMPCodec.size(in: bytes), let start = bytes.uint32(at: 10, .little),
            let count = bytes.uint32(at: 14, .little)
        else { throw .endsTooEarly(.bmp) }
        size = stated
        self.start = start
        let isCore = count == 12
        guard let bits = bytes.uint16(at: isCore ? 24 : 28, .little) else { throw .endsTooEarly(.bmp) }
        // A short header of OS/2 2 omits fields that are 0.
        let isShort = isCore || count < 40
        guard let kind = isShort ? 0 : bytes.uint32(at: 30, .little) else { throw .endsTooEarly(.bmp) }
        guard let compression = Compression(rawValue: kind), !(count == 64 && kind >= 3),
            BMPHeader.depths(compression).contains(bits)
        else { throw .isBroken(.bmp, "\(bits) bits in compression \(kind)") }
        self.bits = bits
        self.compression = compression
        isTopDown = !isCore && (bytes.int32(at: 22, .little) ?? 0) < 0
        resolution = isShort ? nil : BMPHeader.resolution(bytes)
        masks = BMPHeader.masks(bytes, bits, compression, headerCount: count)
        // Masks that follow a header of 40 bytes come before the palette.
        let masksCount = count == 40 ? [.bitFields: 12, .bitFieldsWithAlpha: 16][compression] ?? 0 : 0
        palette =
            bits > 8
            ? []
            : BMPHeader.palette(
                bytes, at: 14 + count + masksCount, bits, width: isCore ? 3 : 4,
                stated: isShort ? 0 : bytes.uint32(at: 46, .little) ?? 0, end: start)
        iccProfile = count == 124 ? BMPHeader.profile(bytes) : nil
        if bits <= 8, palette.isEmpty { throw .isBroken(.bmp, "it has no color table") }
    }

    private static func depths(_ compression: Compression) -> Set<Int> {
        switch compression {
        case .none: [1, 2, 4, 8, 16, 24, 32]
        case .runs8: [8]
        case .runs4: [4]
        case .bitFields, .bitFieldsWithAlpha: [16, 32]
        }
    }

    private static func masks(
        _ bytes: ByteReader, _ bits: Int, _ compression: Compression, headerCount: Int
    ) -> [UInt32] {
        switch compression {
        // Alpha counts only if a mask declares it: most writers leave arbitrary values in the fourth byte.
        case .none: return bits == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF_0000, 0xFF00, 0xFF, 0]
        case .bitFields, .bitFieldsWithAlpha:
            let hasAlpha = compression == .bitFieldsWithAlpha || headerCount >= 56
            return (0..<4).map { index in
                index == 3 && !hasAlpha
                    ? 0 : UInt32(truncatingIfNeeded: bytes.uint32(at: 54 + 4 * index, .little) ?? 0)
            }
        case .runs4, .runs8: return []
        }
    }

    /// Returns the palette with as many entries as exist, at most as many as indexes of that many bits can name.
    private static func palette(
        _ bytes: ByteReader, at start: Int, _ bits: Int, width: Int, stated: Int, end: Int
    ) -> [UInt8] {
        let wanted = stated > 0 ? min(stated, 1 << bits) : 1 << bits
        // If the rows begin before the table ends, the table is shorter than it should be.
        let room = end > start ? (end - start) / width : wanted
        var colors: [UInt8] = []
        for index in 0..<min(wanted, room) {
            let place = start + index * width
            guard let blue = bytes.uint8(at: place), let green = bytes.uint8(at: place + 1),
                let red = bytes.uint8(at: place + 2)
            else { break }
            colors += [UInt8(red), UInt8(green), UInt8(blue)]
        }
        return colors
    }

    private static func resolution(_ bytes: ByteReader) -> Resolution? {
        guard let across = bytes.int32(at: 38, .little), let down = bytes.int32(at: 42, .little), across > 0, down > 0
        else { return nil }
        return Resolution(horizontal: Double(across) * 0.0254, vertical: Double(down) * 0.0254)
    }

    /// Returns the profile that a header of version 5 embeds ("MBED"), counted from the header's beginning.
    private static func profile(_ bytes: ByteReader) -> [UInt8]? {
        guard bytes.uint32(at: 70, .little) == 0x4D42_4544, let offset = bytes.uint32(at: 126, .little),
            let count = bytes.uint32(at: 130, .little), count > 0
        else { return nil }
        return bytes.part(at: 14 + offset, count: count)?.array
    }
}

/// BMP: <https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>, and the headers of OS/2.
enum BMPCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.bmp]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try BMPDecoder.decode(file, maximumPixels: request.maximumPixels)
    }

    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { 0 }

    static func isLossless(_ bytes: ByteReader) -> Bool { true }

    /// The header sizes in use: CORE, OS/2 2.x short and long, INFO and its versions 2 to 5.
    private static let headerCounts: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]

    static let signatures = [PictureSignature(.bmp, "BM")]

    /// Returns the encoding if the header's size is a known one.
    ///
    /// Two letters alone are not a proof: a text may begin with "BM".
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        guard signatures.contains(where: { $0.begins(bytes) }), let count = bytes.uint32(at: 14, .little) else {
            return nil
        }
        return headerCounts.contains(count) ? .bmp : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        if bytes.uint32(at: 14, .little) == 12 {
            return PixelSize(stated: bytes.uint16(at: 18, .little), bytes.uint16(at: 20, .little))
        }
        // A negative height means that the rows run from the top down.
        return PixelSize(stated: bytes.int32(at: 18, .little), bytes.int32(at: 22, .little).map(abs))
    }

    static func bitsPerPixel(in bytes: ByteReader) -> Int? {
        bytes.uint16(at: bytes.uint32(at: 14, .little) == 12 ? 24 : 28, .little)
    }

    /// Returns the damage of compressed rows, because only their codes show how many rows exist.
    static func damage(_ bytes: ByteReader) -> Message? {
        let isCompressed = [1, 2].contains(bytes.uint32(at: 30, .little)) && bytes.uint32(at: 14, .little) != 12
        return isCompressed ? decodingDamage(bytes, .bmp) : nil
    }

    /// Whether the rows end within the file. Compressed rows are not followed.
    ///
    /// The file's size in its own header is often wrong; the offset of the rows is not.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let size = size(in: bytes), let start = bytes.uint32(at: 10, .little) else { return false }
        let isCore = bytes.uint32(at: 14, .little) == 12
        guard let depth = bytes.uint16(at: isCore ? 24 : 28, .little) else { return false }
        let isPlain = isCore || [0, 3, 6].contains(bytes.uint32(at: 30, .little))
        guard isPlain else { return start <= bytes.count }
        let bytesPerRow = (size.width * depth + 31) / 32 * 4
        // Divided, because the product of two numbers may overflow. Some writers omit the last row's padding.
        return start <= bytes.count && (bytes.count - start + 3) / max(1, bytesPerRow) >= size.height
    }
}
