public import PageModel

/// What can be told of a picture format without decoding: the signature, the size, whether the file is complete.
protocol PictureFormat: Sendable {
    /// The encoding, when these bytes begin a file of this format; judged by content alone.
    static func encoding(of bytes: ByteReader) -> ImageEncoding?

    /// The size the header states; nil when the bytes end before it, or it is broken.
    static func size(in bytes: ByteReader) -> PixelSize?

    /// The bits of a pixel's samples, alpha included, when they are decoded; nil where the header does not tell.
    static func bitsPerPixel(in bytes: ByteReader) -> Int?

    /// The EXIF orientation, 1 to 8 (CIPA DC-008, tag 0x0112), if the bytes hold one.
    static func exifOrientation(in bytes: ByteReader) -> Int?

    /// Whether a whole file's bytes reach the end that its format asks for. Bytes after that end do no harm.
    ///
    /// Costs next to nothing for a complete file. Where a format gives no cheap way to tell, the answer is true.
    static func isComplete(_ bytes: ByteReader) -> Bool

    /// What else is wrong with a file that reaches its end, as far as that shows at a small part of what decoding costs.
    static func damage(_ bytes: ByteReader) -> String?
}

extension PictureFormat {
    static func bitsPerPixel(in bytes: ByteReader) -> Int? { nil }
    static func exifOrientation(in bytes: ByteReader) -> Int? { nil }
    static func damage(_ bytes: ByteReader) -> String? { nil }

    /// What decoding finds wrong, for formats that are rare, or a file that looks broken and may not be.
    ///
    /// - Returns: nil also for what is too large to be decoded for this, or of a kind that jisui does not know.
    static func decodingDamage(_ bytes: ByteReader, _ encoding: ImageEncoding) -> String? {
        do throws(PictureFault) {
            let image = try PictureDecoder.decode(bytes.array, encoding, mostPixels: 50_000_000)
            return image.diagnostics.first
        } catch {
            return error.kind == .damaged ? error.message : nil
        }
    }
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

/// A cheap test whether a picture file is damaged, for files that are copied without being decoded.
public enum PictureCheck {
    /// What is wrong with a picture file, as far as that shows without decoding all of it; nil when nothing is found.
    ///
    /// Of a JPEG the end is looked for; of a PNG the rows are counted and checksums compared; a GIF and a compressed BMP
    /// are decoded; of other formats it is seen whether the data reaches as far as it should.
    ///
    /// - Parameters:
    ///   - bytes: all bytes of the file.
    ///   - encoding: the format that the file should have.
    public static func defect(in bytes: [UInt8], _ encoding: ImageEncoding) -> String? {
        // Of a format that jisui does not know, nothing is known to be wrong.
        guard ImageEncoding.known.contains(encoding) else { return nil }
        let reader = ByteReader(bytes)
        guard let (format, actual) = PictureFormats.recognise(reader), actual == encoding else {
            return "the data is no \(encoding.name)"
        }
        return format.isComplete(reader) ? format.damage(reader) : PictureFault.endsTooEarly(encoding).message
    }
}

/// Counts the pictures in a file: the pages of a TIFF, the frames of an animation.
///
/// Decoding gives only the first one, so that a program which replaces the file by it should say what is lost.
public enum PictureCount {
    /// - Parameter file: all bytes of a file.
    /// - Returns: the number of pictures; 1 for formats that hold only one, and where damage hides how many there are.
    public static func pictures(in file: [UInt8]) -> Int {
        let bytes = ByteReader(file)
        let count =
            switch PictureFormats.recognise(bytes)?.1 {
            case .tiff: TIFFPages(file)?.pages.count ?? 1
            case .gif: GIFFormat.frames(bytes)
            case .webp: chunks("ANMF", bytes)
            case .png: animatedFrames(bytes)
            default: 1
            }
        return max(1, count)
    }

    /// The chunks of one name in a RIFF file.
    private static func chunks(_ wanted: FourCC, _ bytes: ByteReader) -> Int {
        var (offset, count) = (12, 0)
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            if name == wanted { count += 1 }
            offset += 8 + length + length % 2
        }
        return count
    }

    /// What the acTL chunk says (PNG 3rd edition §11.3.6.1), which stands before the picture's data.
    private static func animatedFrames(_ bytes: ByteReader) -> Int {
        var offset = 8
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IDAT" {
            if name == "acTL" { return bytes.uint32(at: offset + 8) ?? 1 }
            offset += 12 + length
        }
        return 1
    }
}
