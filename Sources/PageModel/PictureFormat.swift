/// The facts of an image format that need no decoder.
///
/// A new format is a name and a value in this file, and a codec in the module Imaging. The codec has the signature, the
/// decoder and its memory.
public struct PictureFormat: Hashable, Sendable {
    /// The losses of encoding images in a format.
    public enum Writing: Hashable, Sendable {
        /// Every encoder keeps all pixels.
        case lossless
        /// No encoder keeps all pixels.
        case lossy
        /// A quality makes it lossy; without one it keeps all pixels.
        case either
    }

    /// The condition for an image to become PNG, without a request, for an output that does not show its format.
    public enum Storing: Hashable, Sendable {
        case always
        /// It was encoded without loss. Others would only become larger.
        case ifLossless
        case never
    }

    public let encoding: ImageEncoding
    /// The common name, for messages.
    public let name: String
    /// The extension of output files, without the dot.
    public let fileExtension: String
    /// The extensions of files in this format, in lower case, the most common first.
    public let extensions: [String]
    /// The encoder's losses; nil if jisui does not write the format.
    public let writing: Writing?
    public let storing: Storing
    /// Whether its decoder is large third-party code, which is rarely free of bugs for long.
    ///
    /// Such images are decoded in another process.
    public let isRisky: Bool

    private init(
        _ encoding: ImageEncoding, _ name: String, _ extensions: [String], fileExtension: String? = nil,
        writing: Writing? = nil, storing: Storing = .ifLossless, isRisky: Bool = true
    ) {
        self.encoding = encoding
        self.name = name
        self.extensions = extensions
        self.fileExtension = fileExtension ?? encoding.rawValue
        self.writing = writing
        self.storing = storing
        self.isRisky = isRisky
    }

    /// The formats that jisui recognizes as pages, in the order in which they are listed.
    public static let all: [PictureFormat] = [
        PictureFormat(
            .jpeg, "JPEG", ["jpg", "jpeg", "jpe", "jfif"], fileExtension: "jpg", writing: .lossy, isRisky: false),
        PictureFormat(.png, "PNG", ["png"], writing: .lossless, isRisky: false),
        PictureFormat(.gif, "GIF", ["gif"]),
        PictureFormat(.webp, "WebP", ["webp"], writing: .either),
        PictureFormat(.bmp, "BMP", ["bmp"], isRisky: false),
        PictureFormat(.avif, "AVIF", ["avif"]),
        PictureFormat(.heif, "HEIF", ["heic", "heif"]),
        // A PNG of the same pixels is larger than a JPEG XL.
        PictureFormat(.jpegXL, "JPEG XL", ["jxl"], writing: .either, storing: .never),
        PictureFormat(.tiff, "TIFF", ["tif", "tiff"], fileExtension: "tif", writing: .lossless),
        // Too few programs show JPEG 2000 to keep it. Files with and without the wrapper have any of the extensions.
        PictureFormat(.jpeg2000, "JPEG 2000", ["jp2", "j2k", "jpx", "j2c"], storing: .always),
        PictureFormat(.jpeg2000Codestream, "JPEG 2000", [], storing: .always),
    ]
}

extension ImageEncoding {
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
}
