package import PageModel

/// The memory that an encoder takes to keep the coefficients of JPEGs, in bytes for each pixel.
package struct CoefficientMemory: Hashable, Sendable {
    /// For an image in color that is cropped, rotated or packed. Both images have coefficients.
    package var moving: Double = 12
    /// For a gray image.
    package var movingGray: Double = 6
    /// For images that are joined.
    package var joining: Double = 12
    /// The bytes for each byte of a file whose JPEG is restored.
    package var restoringByte = 0

    /// Returns the memory of the encoder for a format.
    package static func of(_ format: ImageEncoding) -> CoefficientMemory {
        PictureCodecs.encoder(for: format)?.coefficientMemory ?? CoefficientMemory()
    }
}
