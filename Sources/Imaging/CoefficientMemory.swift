public import PageModel

/// The memory that an encoder takes to keep the coefficients of JPEGs, in bytes for each pixel.
public struct CoefficientMemory: Hashable, Sendable {
    /// For an image in color that is cropped, rotated or packed. Both images have coefficients.
    public var moving: Double = 12
    /// For a gray image.
    public var movingGray: Double = 6
    /// For images that are joined.
    public var joining: Double = 12
    /// The bytes for each byte of a file whose JPEG is restored.
    public var restoringByte = 0

    /// Returns the memory of the encoder for a format.
    public static func of(_ format: ImageEncoding) -> CoefficientMemory {
        PictureCodecs.encoder(for: format)?.coefficientMemory ?? CoefficientMemory()
    }
}
