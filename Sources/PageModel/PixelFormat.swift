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

    /// The bits of one sample.
    public var bitsPerSample: Int {
        switch self {
        case .gray(let bits), .rgb(let bits), .palette(let bits, _): bits
        }
    }

    /// The bits of one pixel.
    public var bitsPerPixel: Int {
        switch self {
        case .gray(let bits), .palette(let bits, _): bits
        case .rgb(let bits): 3 * bits
        }
    }
}
