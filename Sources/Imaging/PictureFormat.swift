internal import PageModel

/// What can be told of a picture format without decoding: the signature, the size, whether the file is complete.
protocol PictureFormat: Sendable {
    /// The encoding, when these bytes begin a file of this format; judged by content alone.
    static func encoding(of bytes: ByteReader) -> ImageEncoding?

    /// The size the header states; nil when the bytes end before it, or it is broken.
    static func size(in bytes: ByteReader) -> PixelSize?

    /// The number EXIF has for how to lay the picture down (CIPA DC-008, tag 0x0112), if the bytes hold one.
    static func exifOrientation(in bytes: ByteReader) -> Int?

    /// Whether a whole file's bytes reach the end that its format asks for. Bytes after that end do no harm.
    ///
    /// Costs next to nothing for a complete file. Where a format gives no cheap way to tell, the answer is true.
    static func isComplete(_ bytes: ByteReader) -> Bool
}

extension PictureFormat {
    static func exifOrientation(in bytes: ByteReader) -> Int? { nil }
}

/// The formats jisui recognises.
enum PictureFormats {
    private static let all: [any PictureFormat.Type] = [
        JPEGFormat.self, PNGFormat.self, WebPFormat.self, GIFFormat.self, TIFFFormat.self, HEIFFormat.self,
        JPEGXLFormat.self, JPEG2000Format.self, BMPFormat.self,
    ]

    /// The format these bytes begin, and the encoding it is.
    static func recognise(_ bytes: ByteReader) -> (format: any PictureFormat.Type, encoding: ImageEncoding)? {
        for format in all {
            if let encoding = format.encoding(of: bytes) { return (format, encoding) }
        }
        return nil
    }
}

extension PixelSize {
    /// The size a header states; nil when it lacks a side or one is not positive.
    init?(stated width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.init(width: width, height: height)
    }
}
