internal import PageModel

/// JPEG 2000: boxes (JP2 and JPX, ITU-T T.800 Annex I) or a bare codestream (Annex A).
enum JPEG2000Format: PictureFormat {
    private static let container: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    /// The markers SOC and SIZ.
    private static let codestream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]

    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        if bytes.has(codestream) { return .jpeg2000Codestream }
        return bytes.has(container) ? .jpeg2000 : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        if bytes.has(codestream) { return codestreamSize(bytes) }
        for box in Box.all(in: bytes) {
            guard let contents = box.contents else { return nil }
            if box.type == "jp2h", let header = Box.first("ihdr", in: contents) {
                return PixelSize(stated: header.uint32(at: 4), header.uint32(at: 0))
            }
            if box.type == "jp2c" { return codestreamSize(contents) }
        }
        return nil
    }

    /// The reference grid less the offset of the picture in it (T.800 A.5.1).
    private static func codestreamSize(_ bytes: ByteReader) -> PixelSize? {
        guard bytes.has(codestream), let right = bytes.uint32(at: 8), let bottom = bytes.uint32(at: 12),
            let left = bytes.uint32(at: 16), let top = bytes.uint32(at: 20)
        else { return nil }
        return PixelSize(stated: right - left, bottom - top)
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        if bytes.has(codestream) { return tilesAreComplete(bytes) }
        for box in Box.all(in: bytes) {
            guard box.isComplete else { return false }
            if box.type == "jp2c" { return box.contents.map(tilesAreComplete) ?? false }
        }
        return false
    }

    /// Follows the tile-parts, each of which says how long it is, to the end marker (T.800 A.4.2, A.4.4).
    private static func tilesAreComplete(_ bytes: ByteReader) -> Bool {
        let end: [UInt8] = [0xFF, 0xD9]
        var offset = 2
        while let marker = bytes.uint16(at: offset), marker != 0xFF90 {
            guard marker > 0xFF00, let length = bytes.uint16(at: offset + 2), length >= 2 else { return false }
            offset += 2 + length
        }
        while bytes.uint16(at: offset) == 0xFF90 {
            guard let length = bytes.uint32(at: offset + 6) else { return false }
            // Zero: the last one reaches to the end marker.
            if length == 0 { return bytes.has(end, at: bytes.countWithoutPadding - end.count) }
            guard length >= 14 else { return false }
            offset += length
        }
        return bytes.has(end, at: offset)
    }
}
