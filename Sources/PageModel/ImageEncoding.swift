/// An image format, named so that an external adapter can add a format that jisui does not know.
///
/// The raw value is the short name that reports and `--json` print.
public struct ImageEncoding: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The formats that jisui recognizes as pages.
    public static let known = PictureFormat.all.map(\.encoding)

    /// Creates the format that a file's extension promises; nil if no known format has it.
    ///
    /// - Parameter fileExtension: the extension in lower case, without the dot.
    public init?(fileExtension: String) {
        guard let format = PictureFormat.all.first(where: { $0.extensions.contains(fileExtension) }) else { return nil }
        self = format.encoding
    }

    /// The facts of the format; nil for a format that jisui does not know.
    public var format: PictureFormat? { PictureFormat.all.first { $0.encoding == self } }

    /// The extension of output files in this format, without the dot.
    public var fileExtension: String { format?.fileExtension ?? rawValue }

    /// The extensions of files in this format, in lower case; none for a format that jisui does not know.
    public var extensions: [String] { format?.extensions ?? [] }

    /// The common name of the format, for messages.
    public var name: String { format?.name ?? rawValue.uppercased() }

    /// The media type (MIME type) of files in this format.
    public var mediaType: String { "image/\(rawValue)" }

    /// Whether `EncodingRequest.quality` has an effect on images in this format.
    public var hasQuality: Bool { [.lossy, .either].contains(format?.writing) }
}

/// The encoding of the images that jisui makes.
public struct EncodingRequest: Hashable, Sendable {
    /// The format; nil to keep each image's own if jisui can write it, and PNG otherwise.
    public var format: ImageEncoding?
    /// The quality from 1 to 100, for lossy formats; nil for the source's quality.
    public var quality: Int?
    /// Whether the quality is a limit: an image that was encoded with a lower one keeps that.
    public var isLimit = false

    /// The formats in which pages can be encoded.
    public static let formats = PictureFormat.all.filter { $0.writing != nil }.map(\.encoding)

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
    /// An overlay is composited on the source's image, and all data that it does not touch are kept.
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
