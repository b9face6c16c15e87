public import PageModel

/// A picture for a page of a test book, unlike that of any other page.
public struct NumberedPicture: Hashable, Sendable {
    public var encoding: ImageEncoding
    public var size: PixelSize
    public var bytes: [UInt8]

    public init(encoding: ImageEncoding, size: PixelSize, bytes: [UInt8]) {
        self.encoding = encoding
        self.size = size
        self.bytes = bytes
    }

    /// A valid GIF of one pixel, with the number in a comment.
    public static func gif(_ number: Int) -> NumberedPicture {
        let comment = Array("page \(number)".utf8)
        var bytes = Array("GIF89a".utf8)
        bytes += [1, 0, 1, 0, 0x80, 0, 0]  // 1 × 1, a table of two colours
        bytes += [0, 0, 0, 255, 255, 255]
        bytes += [0x21, 0xFE, UInt8(comment.count)] + comment + [0]
        bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        bytes += [2, 2, 0x44, 1, 0]  // clear, pixel 0, end
        bytes += [0x3B]
        return NumberedPicture(encoding: .gif, size: PixelSize(width: 1, height: 1), bytes: bytes)
    }

    /// The picture as a source offers it.
    var encoded: EncodedPicture {
        EncodedPicture(encoding: encoding, size: size, byteCount: bytes.count) { bytes }
    }
}
