internal import PageModel

/// PNG and APNG: <https://www.w3.org/TR/png-3/>, a signature and then chunks of length, name, data and CRC.
enum PNGFormat: PictureFormat {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The last chunk, which never holds data: length 0, "IEND", its CRC.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has(signature) ? .png : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        guard bytes.has("IHDR", at: 12) else { return nil }
        return PixelSize(stated: bytes.uint32(at: 16), bytes.uint32(at: 20))
    }

    /// An eXIf chunk, before or behind the picture's data (PNG 3rd edition §11.3.4.6).
    static func exifOrientation(in bytes: ByteReader) -> Int? {
        var offset = signature.count
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IEND" {
            if name == "eXIf" {
                return bytes.part(at: offset + 8, count: length).flatMap { TIFFDirectory($0)?.integer(.orientation) }
            }
            offset += 12 + length
        }
        return nil
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        if bytes.has(end, at: bytes.count - end.count) { return true }
        // Something follows the last chunk, or it is missing: only the chunks themselves can tell.
        var offset = signature.count
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4) {
            offset += 12 + length
            if name == "IEND" { return offset <= bytes.count }
        }
        return false
    }
}
