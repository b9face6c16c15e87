internal import PageModel

/// WebP: <https://developers.google.com/speed/webp/docs/riff_container>.
enum WebPFormat: PictureFormat {
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has("RIFF") && bytes.has("WEBP", at: 8) ? .webp : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        switch bytes.fourCC(at: 12) {
        case "VP8X":
            extended(bytes)
        case "VP8L":
            lossless(bytes)
        case "VP8 ":
            lossy(bytes)
        default:
            nil
        }
    }

    /// The canvas: each side less one in 24 bits.
    private static func extended(_ bytes: ByteReader) -> PixelSize? {
        guard let width = bytes.uint24(at: 24, .little), let height = bytes.uint24(at: 27, .little) else { return nil }
        return PixelSize(width: width + 1, height: height + 1)
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
        guard let width = bytes.uint16(at: 26, .little), let height = bytes.uint16(at: 28, .little) else { return nil }
        return PixelSize(stated: width & 0x3FFF, height & 0x3FFF)
    }

    /// Whether the first picture in the file is one that WebP's lossless coder made.
    static func isLossless(_ bytes: ByteReader) -> Bool {
        var offset = 12
        while let name = bytes.fourCC(at: offset), let count = bytes.uint32(at: offset + 4, .little) {
            if name == "VP8L" { return true }
            if name == "VP8 " { return false }
            // A frame of an animation holds its picture behind 16 bytes of its own.
            offset += name == "ANMF" ? 24 : 8 + count + count % 2
        }
        return false
    }

    /// The EXIF chunk of an extended file. Some writers put the name in front that the segment of a JPEG has.
    static func exifOrientation(in bytes: ByteReader) -> Int? {
        guard bytes.fourCC(at: 12) == "VP8X" else { return nil }
        var offset = 12
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            if name == "EXIF" {
                let contents = bytes.part(at: offset + 8, count: length)
                let tiff = contents?.has("Exif\0\0") == true ? contents?.part(from: 6) : contents
                return tiff.flatMap { TIFFDirectory($0)?.integer(.orientation) }
            }
            // Chunks begin at even places.
            offset += 8 + length + length % 2
        }
        return nil
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let count = bytes.uint32(at: 4, .little) else { return false }
        return 8 + count <= bytes.count
    }
}
