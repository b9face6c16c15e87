public import PageModel

/// The properties of an image format that are known without decoding: the signature, the size, whether the file is complete.
protocol PictureFormat: Sendable {
    /// Returns the encoding if these bytes begin a file of this format; the content alone decides.
    static func encoding(of bytes: ByteReader) -> ImageEncoding?

    /// Returns the size in the header; nil if the bytes end before it, or it is invalid.
    static func size(in bytes: ByteReader) -> PixelSize?

    /// Returns the bits of a pixel's decoded samples, alpha included; nil if the header does not contain them.
    static func bitsPerPixel(in bytes: ByteReader) -> Int?

    /// Returns the EXIF orientation, 1 to 8 (CIPA DC-008, tag 0x0112), if the bytes hold one.
    static func exifOrientation(in bytes: ByteReader) -> Int?

    /// Whether a file's bytes reach the end that its format requires. Bytes after that end are harmless.
    ///
    /// The check costs next to nothing for a complete file. If a format offers no cheap check, the result is true.
    static func isComplete(_ bytes: ByteReader) -> Bool

    /// Returns another defect of a file that reaches its end, if it shows at a small part of the cost of decoding.
    static func damage(_ bytes: ByteReader) -> Message?
}

extension PictureFormat {
    static func bitsPerPixel(in bytes: ByteReader) -> Int? { nil }
    static func exifOrientation(in bytes: ByteReader) -> Int? { nil }
    static func damage(_ bytes: ByteReader) -> Message? { nil }

    /// Returns the damage that decoding finds. The result is nil also for an image that is too large for this check, or of an
    /// unknown kind.
    ///
    /// It is used for rare formats, and for a file that looks invalid and may not be.
    static func decodingDamage(_ bytes: ByteReader, _ encoding: ImageEncoding) -> Message? {
        do throws(PictureFault) {
            let image = try PictureDecoder.decode(bytes.array, encoding, maximumPixels: 50_000_000)
            return image.diagnostics.first
        } catch {
            return error.kind == .damaged ? error.message : nil
        }
    }
}

/// The formats that jisui recognizes.
enum PictureFormats {
    private static let all: [any PictureFormat.Type] = [
        JPEGFormat.self, PNGFormat.self, WebPFormat.self, GIFFormat.self, TIFFFormat.self, HEIFFormat.self,
        JPEGXLFormat.self, JPEG2000Format.self, BMPFormat.self,
    ]

    /// Returns the format that these bytes begin, and its encoding.
    static func recognize(_ bytes: ByteReader) -> (format: any PictureFormat.Type, encoding: ImageEncoding)? {
        for format in all {
            if let encoding = format.encoding(of: bytes) { return (format, encoding) }
        }
        return nil
    }
}

extension PixelSize {
    /// Returns the size in a header; nil if it lacks a side or one is not positive.
    init?(stated width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.init(width: width, height: height)
    }
}

/// A cheap test whether an image file is damaged, for files that are copied without being decoded.
public enum PictureCheck {
    /// Returns the defect of an image file, as far as it shows without decoding all of it; nil if none is found.
    ///
    /// A JPEG must have its end. A PNG must have all rows and the right checksums. A GIF and a compressed BMP are decoded. In
    /// other formats the data must have the right length.
    ///
    /// - Parameters:
    ///   - bytes: all bytes of the file.
    ///   - encoding: the expected format.
    public static func defect(in bytes: [UInt8], _ encoding: ImageEncoding) -> Message? {
        // Defects of a format that jisui does not know are unknown.
        guard ImageEncoding.known.contains(encoding) else { return nil }
        let reader = ByteReader(bytes)
        guard let (format, actual) = PictureFormats.recognize(reader), actual == encoding else {
            return "the data is not \(encoding.name)"
        }
        return format.isComplete(reader) ? format.damage(reader) : PictureFault.endsTooEarly(encoding).message
    }
}

/// A count of the images in a file: the pages of a TIFF, the frames of an animation.
///
/// Decoding returns only the first one. A program that replaces the file by it should report the loss.
public enum PictureCount {
    /// Returns the number of images in a file. It is 1 for formats that hold only one, and if damage hides the number.
    ///
    /// - Parameter file: all bytes of the file.
    public static func pictures(in file: [UInt8]) -> Int {
        let bytes = ByteReader(file)
        let count =
            switch PictureFormats.recognize(bytes)?.1 {
            case .tiff: TIFFPages(file)?.pages.count ?? 1
            case .gif: GIFFormat.frames(bytes)
            case .webp: chunks("ANMF", bytes)
            case .png: animatedFrames(bytes)
            default: 1
            }
        return max(1, count)
    }

    /// Counts the chunks of one name in a RIFF file.
    private static func chunks(_ wanted: FourCC, _ bytes: ByteReader) -> Int {
        var (offset, count) = (12, 0)
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            if name == wanted { count += 1 }
            offset += 8 + length + length % 2
        }
        return count
    }

    /// Returns the frame count in the acTL chunk (PNG 3rd edition §11.3.6.1), which comes before the image's data.
    private static func animatedFrames(_ bytes: ByteReader) -> Int {
        var offset = 8
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IDAT" {
            if name == "acTL" { return bytes.uint32(at: offset + 8) ?? 1 }
            offset += 12 + length
        }
        return 1
    }
}
