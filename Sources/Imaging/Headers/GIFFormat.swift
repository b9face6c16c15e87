internal import PageModel

/// GIF: <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>.
enum GIFFormat: PictureFormat {
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has("GIF87a") || bytes.has("GIF89a") ? .gif : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        PixelSize(stated: bytes.uint16(at: 6, .little), bytes.uint16(at: 8, .little))
    }

    static func isComplete(_ bytes: ByteReader) -> Bool { walk(bytes).isComplete }

    /// How many images there are.
    static func frames(_ bytes: ByteReader) -> Int { walk(bytes).frames }

    /// Hops from block to block, 255 bytes at a time, until the trailer.
    private static func walk(_ bytes: ByteReader) -> (isComplete: Bool, frames: Int) {
        var frames = 0
        guard let flags = bytes.uint8(at: 10) else { return (false, 0) }
        var offset = 13 + colourTableCount(flags)
        while let introducer = bytes.uint8(at: offset) {
            switch introducer {
            case 0x3B:
                return (true, frames)
            case 0x2C:
                // An image: position, size and flags, a colour table, the LZW code size, data.
                guard let flags = bytes.uint8(at: offset + 9) else { return (false, frames) }
                frames += 1
                offset += 10 + colourTableCount(flags) + 1
            case 0x21:
                offset += 2
            default:
                // Decoders stop here as if it were the end; nothing has been cut off.
                return (true, frames)
            }
            while let length = bytes.uint8(at: offset), length > 0 { offset += 1 + length }
            offset += 1
        }
        return (false, frames)
    }

    private static func colourTableCount(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }
}
