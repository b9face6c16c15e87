public import PageModel

/// What the beginning of a file says about the picture in it. The file's name plays no part.
public struct PictureHeader: Hashable, Sendable {
    /// The bytes at a picture's beginning that are normally enough to find its size.
    public static let headCount = 65_536

    public let encoding: ImageEncoding
    /// The size as the picture is stored: an EXIF orientation or a HEIF rotation is not applied.
    ///
    /// nil when the header reaches further than the bytes given, is broken, or leaves the size open.
    public let size: PixelSize?

    /// - Parameter bytes: the beginning of a file, or all of it.
    /// - Returns: nil when it is no picture jisui knows.
    public init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard let (format, encoding) = PictureFormats.recognise(reader) else { return nil }
        self.encoding = encoding
        size = format.size(in: reader)
    }
}
