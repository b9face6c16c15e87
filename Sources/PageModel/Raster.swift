/// An image as plain samples in memory.
public struct Raster: Hashable, Sendable {
    public let size: PixelSize
    public let format: PixelFormat
    /// The rows from the top down, each `bytesPerRow` long; padding bits at a row's end have no meaning.
    public let samples: [UInt8]
    /// The pixels per inch across and down, if the source knows them.
    public var resolution: Resolution?
    /// The ICC profile that defines the colors of the samples.
    public var iccProfile: [UInt8]?

    /// - Precondition: `samples` holds exactly `height` rows of `bytesPerRow` bytes.
    public init(
        size: PixelSize, format: PixelFormat, samples: [UInt8], resolution: Resolution? = nil,
        iccProfile: [UInt8]? = nil
    ) {
        precondition(samples.count == Raster.bytesPerRow(width: size.width, format: format) * size.height)
        self.size = size
        self.format = format
        self.samples = samples
        self.resolution = resolution
        self.iccProfile = iccProfile
    }

    public var bytesPerRow: Int {
        Raster.bytesPerRow(width: size.width, format: format)
    }

    /// Returns the number of bytes in one row of `width` pixels.
    public static func bytesPerRow(width: Int, format: PixelFormat) -> Int {
        (width * format.bitsPerPixel + 7) / 8
    }
}

/// The meaning of a raster's samples.
///
/// Samples are packed most significant bit first, 16-bit samples are big-endian, and every row begins at a byte. PNG
/// and PDF share this layout, so most rasters need no conversion between them.
public enum PixelFormat: Hashable, Sendable {
    /// One gray sample of 1, 2, 4, 8 or 16 bits; 0 is black.
    case gray(bits: Int)
    /// Red, green and blue of 8 or 16 bits each.
    case rgb(bits: Int)
    /// An index of 1, 2, 4 or 8 bits into a table of red, green and blue bytes, three per entry.
    case palette(bits: Int, colors: [UInt8])
    /// A gray sample and its opacity, of 8 or 16 bits each.
    ///
    /// Alpha, here and in `rgba`, is straight: colors are not multiplied by it, and its highest value is opaque.
    case grayAlpha(bits: Int)
    /// Red, green, blue and opacity, of 8 or 16 bits each.
    case rgba(bits: Int)

    /// The bits of one sample.
    public var bitsPerSample: Int {
        switch self {
        case .gray(let bits), .rgb(let bits), .palette(let bits, _), .grayAlpha(let bits), .rgba(let bits): bits
        }
    }

    /// The bits of one pixel.
    public var bitsPerPixel: Int {
        switch self {
        case .gray(let bits), .palette(let bits, _): bits
        case .grayAlpha(let bits): 2 * bits
        case .rgb(let bits): 3 * bits
        case .rgba(let bits): 4 * bits
        }
    }

    /// Whether pixels may be transparent: the last sample of each is its opacity.
    public var hasAlpha: Bool {
        switch self {
        case .gray, .rgb, .palette: false
        case .grayAlpha, .rgba: true
        }
    }
}

/// The pixels that a source rendered, decoded or decompressed, and the problems found.
public struct DecodedImage: Sendable {
    public var raster: Raster
    /// The faults in the data that were ignored, one line each: the image may be incomplete.
    public var diagnostics: [Message]
    /// The loss from converting samples that a raster cannot hold, such as "converted from CMYK to RGB"; nil if they are those of
    /// the file.
    public var loss: Message?
    /// The color of the paper of a page in color, if the raster shows the amount of its ink; nil if it was not found.
    public var paper: RGB?
    /// The number of images in the file, if only the decoder can count them. This is the first.
    public var pictureCount = 1
    /// The change by the shapes over the image; nil without such shapes.
    public var patchResult: PatchResult?

    public init(raster: Raster, diagnostics: [Message] = [], loss: Message? = nil) {
        self.raster = raster
        self.diagnostics = diagnostics
        self.loss = loss
    }
}

/// The conversion of a colored pixel for the analysis of a page.
public enum SampleMeaning: String, Sendable {
    /// The brightness to the eye (Rec. 601): yellow is nearly white.
    case brightness
    /// The amount of ink of any color on the paper: pale colors count as ink.
    case ink
    /// The colors themselves: red, green and blue of 8 bits each. A gray image stays gray.
    case color
}

/// A color in sRGB.
public struct RGB: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public static let black = RGB(red: 0, green: 0, blue: 0)
    public static let white = RGB(red: 255, green: 255, blue: 255)
    /// The named colors.
    public static let named: [(name: String, color: RGB)] = [
        ("white", white), ("black", black), ("gray", RGB(red: 128, green: 128, blue: 128)),
    ]

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses a typed color: a name, #rrggbb or #rgb.
    public init?(_ text: String) {
        if let known = RGB.named.first(where: { $0.name == text.lowercased() }) {
            self = known.color
            return
        }
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().compactMap(\.hexDigitValue).map(UInt8.init)
        guard digits.count == text.count - 1 else { return nil }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6:
            self.init(
                red: digits[0] * 16 + digits[1], green: digits[2] * 16 + digits[3], blue: digits[4] * 16 + digits[5])
        default: return nil
        }
    }

    public var isGray: Bool { red == green && green == blue }
}
