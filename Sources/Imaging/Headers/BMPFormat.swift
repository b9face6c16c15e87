internal import PageModel

/// BMP: <https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>, and the headers of OS/2.
enum BMPFormat: PictureFormat {
    /// The header sizes in use: CORE, OS/2 2.x short and long, INFO and its versions 2 to 5.
    private static let headerCounts: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]

    /// Two letters alone prove nothing, and a text may begin with "BM": the header's size has to be one that exists.
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        guard bytes.has("BM"), let count = bytes.uint32(at: 14, .little) else { return nil }
        return headerCounts.contains(count) ? .bmp : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        if bytes.uint32(at: 14, .little) == 12 {
            return PixelSize(stated: bytes.uint16(at: 18, .little), bytes.uint16(at: 20, .little))
        }
        // A negative height says that the rows run from the top down.
        return PixelSize(stated: bytes.int32(at: 18, .little), bytes.int32(at: 22, .little).map(abs))
    }

    /// The file's size in its own header is often wrong; where the rows lie is not. Compressed rows are not followed.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let size = size(in: bytes), let start = bytes.uint32(at: 10, .little) else { return false }
        let isCore = bytes.uint32(at: 14, .little) == 12
        guard let depth = bytes.uint16(at: isCore ? 24 : 28, .little) else { return false }
        let isPlain = isCore || [0, 3, 6].contains(bytes.uint32(at: 30, .little))
        guard isPlain else { return start <= bytes.count }
        let bytesPerRow = (size.width * depth + 31) / 32 * 4
        // Divided, since the product of two lies may overflow. Some writers leave out the last row's padding.
        return start <= bytes.count && (bytes.count - start + 3) / max(1, bytesPerRow) >= size.height
    }
}
