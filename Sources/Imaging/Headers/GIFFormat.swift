internal import PageModel

/// GIF: <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>.
enum GIFFormat: PictureFormat {
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has("GIF87a") || bytes.has("GIF89a") ? .gif : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        PixelSize(stated: bytes.uint16(at: 6, .little), bytes.uint16(at: 8, .little))
    }

    /// Hops from block to block, 255 bytes at a time, until the trailer.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let flags = bytes.uint8(at: 10) else { return false }
        var offset = 13 + colourTableCount(flags)
        while let introducer = bytes.uint8(at: offset) {
            switch introducer {
            case 0x3B:
                return true
            case 0x2C:
                // An image: position, size and flags, a colour table, the LZW code size, data.
                guard let flags = bytes.uint8(at: offset + 9) else { return false }
                offset += 10 + colourTableCount(flags) + 1
            case 0x21:
                offset += 2
            default:
                // Decoders stop here as if it were the end; nothing has been cut off.
                return true
            }
            while let length = bytes.uint8(at: offset), length > 0 { offset += 1 + length }
            offset += 1
        }
        return false
    }

    private static func colourTableCount(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }
}
