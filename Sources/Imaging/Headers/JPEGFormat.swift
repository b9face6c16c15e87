internal import PageModel

/// JPEG: ITU-T T.81.
enum JPEGFormat: PictureFormat {
    private static let end: [UInt8] = [0xFF, 0xD9]

    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has([0xFF, 0xD8, 0xFF] as [UInt8]) ? .jpeg : nil
    }

    /// A height of 0 is told by a marker behind the first scan (DNL): unknown without reading the scan.
    static func size(in bytes: ByteReader) -> PixelSize? {
        for segment in JPEGSegments(bytes) where JPEGHeader.Frame(rawValue: segment.marker) != nil {
            return PixelSize(stated: segment.contents.uint16(at: 3), segment.contents.uint16(at: 1))
        }
        return nil
    }

    static func exifOrientation(in bytes: ByteReader) -> Int? {
        var application = JPEGApplicationData()
        for segment in JPEGSegments(bytes) { application.take(segment) }
        return application.exif?.integer(.orientation)
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let scan = JPEGSegments(bytes).first(where: { $0.marker == 0xDA }) else { return false }
        let start = scan.offset + 4 + scan.contents.count
        let tail = bytes.countWithoutPadding - end.count
        if tail >= start, bytes.has(end, at: tail) { return true }
        // Something follows the end marker, or it is missing: only the scans themselves can tell.
        return hasEnd(bytes, from: start)
    }

    /// Looks for the end marker behind the scans, passing over the tables between them.
    private static func hasEnd(_ bytes: ByteReader, from start: Int) -> Bool {
        var offset = start
        while let found = bytes.firstOffset(of: 0xFF, from: offset), let code = bytes.uint8(at: found + 1) {
            switch code {
            case 0xD9:
                return true
            case 0xC4, 0xCC, 0xDA...0xDF, 0xE0...0xEF, 0xFE:
                guard let length = bytes.uint16(at: found + 2) else { return false }
                offset = found + 2 + length
            case 0xFF:
                offset = found + 1
            default:
                offset = found + 2
            }
        }
        return false
    }
}
