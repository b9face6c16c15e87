/// An image format, named so that an external adapter can add a format that jisui does not know.
///
/// The raw value is the short name that reports and `--json` print.
public struct ImageEncoding: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let jpeg = ImageEncoding(rawValue: "jpeg")
    public static let png = ImageEncoding(rawValue: "png")
    public static let gif = ImageEncoding(rawValue: "gif")
    public static let webp = ImageEncoding(rawValue: "webp")
    public static let tiff = ImageEncoding(rawValue: "tiff")
    public static let bmp = ImageEncoding(rawValue: "bmp")
    public static let avif = ImageEncoding(rawValue: "avif")
    public static let heif = ImageEncoding(rawValue: "heif")
    public static let jpegXL = ImageEncoding(rawValue: "jxl")
    /// JPEG 2000 in its JP2 or JPX file wrapper.
    public static let jpeg2000 = ImageEncoding(rawValue: "jp2")
    /// A bare JPEG 2000 codestream, without the wrapper that defines the meaning of its colors.
    public static let jpeg2000Codestream = ImageEncoding(rawValue: "j2k")

    /// The formats that jisui recognizes as pages.
    public static let known: [ImageEncoding] = [
        .jpeg, .png, .gif, .webp, .tiff, .bmp, .avif, .heif, .jpegXL, .jpeg2000, .jpeg2000Codestream,
    ]

    /// The extension of output files in this format, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        default: rawValue
        }
    }

    /// The common name of the format, for messages.
    public var name: String {
        switch self {
        case .jpegXL: "JPEG XL"
        case .jpeg2000, .jpeg2000Codestream: "JPEG 2000"
        case .webp: "WebP"
        default: rawValue.uppercased()
        }
    }
}

/// The encoding of the images that jisui makes.
public struct EncodingRequest: Hashable, Codable, Sendable {
    /// The format; nil to keep each image's own if jisui can write it, and PNG otherwise.
    public var format: ImageEncoding?
    /// The quality from 1 to 100, for lossy formats; nil for the source's quality.
    public var quality: Int?

    /// The formats in which pages can be encoded.
    public static let formats: [ImageEncoding] = [.jpeg, .png, .webp, .jpegXL, .tiff]

    public init(format: ImageEncoding? = nil, quality: Int? = nil) {
        self.format = format
        self.quality = quality
    }
}

/// The method that brings a page from its source into the output, from the least lossy to the most.
public enum Treatment: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The source's own bytes are copied.
    case verbatim
    /// Every pixel keeps its value, in other bytes.
    case lossless
    /// Shapes are laid over the source's image, and all data that they do not touch are kept.
    case patched
    /// Decoded, changed, encoded once.
    case encoded
    /// Rendered at a resolution.
    case drawn = "rendered"

    /// Whether one loses less than the other.
    public static func < (one: Treatment, other: Treatment) -> Bool {
        allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
}
