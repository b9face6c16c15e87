internal import PageModel

/// WebP: <https://developers.google.com/speed/webp/docs/riff_container>.
enum WebPFormat: PictureFormat {
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has("RIFF") && bytes.has("WEBP", at: 8) ? .webp : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        switch bytes.fourCC(at: 12) {
        case "VP8X":
            // The canvas, each side less one.
            PixelSize(stated: bytes.uint24(at: 24, .little).map { $0 + 1 }, bytes.uint24(at: 27, .little).map { $0 + 1 })
        case "VP8L":
            lossless(bytes)
        case "VP8 ":
            lossy(bytes)
        default:
            nil
        }
    }

    /// RFC 9649 §3.4: a signature byte, then each side less one in 14 bits.
    private static func lossless(_ bytes: ByteReader) -> PixelSize? {
        guard bytes.uint8(at: 20) == 0x2F, let sides = bytes.uint32(at: 21, .little) else { return nil }
        return PixelSize(width: sides & 0x3FFF + 1, height: sides >> 14 & 0x3FFF + 1)
    }

    /// RFC 6386 §9.1: a frame tag whose lowest bit is 0 for a key frame, a start code, and sides of 14 bits under
    /// 2 bits of scale.
    private static func lossy(_ bytes: ByteReader) -> PixelSize? {
        guard let tag = bytes.uint8(at: 20), tag & 1 == 0, bytes.has([0x9D, 0x01, 0x2A] as [UInt8], at: 23) else {
            return nil
        }
        return PixelSize(
            stated: bytes.uint16(at: 26, .little).map { $0 & 0x3FFF }, bytes.uint16(at: 28, .little).map { $0 & 0x3FFF })
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let count = bytes.uint32(at: 4, .little) else { return false }
        return 8 + count <= bytes.count
    }
}
