/// What the samples of a raster mean.
///
/// Samples are packed most significant bit first, 16-bit samples are big-endian, and every row starts on a
/// byte: the layout PNG and PDF share, so that most rasters pass between them without being touched.
public enum PixelFormat: Hashable, Sendable {
    /// One gray sample of 1, 2, 4, 8 or 16 bits; 0 is black.
    case gray(bits: Int)
    /// Red, green and blue of 8 or 16 bits each.
    case rgb(bits: Int)
    /// An index of 1, 2, 4 or 8 bits into a table of red, green, blue bytes, three an entry.
    case palette(bits: Int, colors: [UInt8])
    /// A gray sample and how much it covers, of 8 or 16 bits each.
    ///
    /// Alpha, here and in `rgba`, is straight: colours are not multiplied by it, and its highest value is opaque.
    case grayAlpha(bits: Int)
    /// Red, green, blue and how much they cover, of 8 or 16 bits each.
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

    /// Whether pixels may be transparent: the last sample of each tells how much it covers.
    public var hasAlpha: Bool {
        switch self {
        case .gray, .rgb, .palette: false
        case .grayAlpha, .rgba: true
        }
    }
}
