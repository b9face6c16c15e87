package import PageModel

/// The encoder for rasters in any format that jisui writes.
package enum PictureEncoder {
    /// The degree to which samples are preserved.
    package enum Fidelity: Hashable, Sendable {
        /// Every sample stays as it is.
        case lossless
        /// A quality from 1 to 100 on the scale of libjpeg.
        case quality(Int)
        /// The quantization of another JPEG, so that re-encoding it loses little.
        case like(JPEGTables)

        /// The quality for a codec with a scale like that of libjpeg; nil for no loss.
        var quality: Int? {
            switch self {
            case .lossless: nil
            case .quality(let quality): quality
            case .like(let tables): tables.estimatedQuality
            }
        }
    }

    /// Returns the maximum number of pixels of an image's side in a format.
    package static func maximumPixelsPerSide(_ format: ImageEncoding) -> Int {
        PictureCodecs.encoder(for: format)?.maximumPixelsPerSide ?? .max
    }

    /// Returns the loss of samples that a format cannot hold, even if it is lossless; a sentence fragment, or nil for no loss.
    package static func loss(of raster: Raster, in encoding: ImageEncoding) -> Message? {
        PictureCodecs.encoder(for: encoding)?.loss(of: raster)
    }

    /// Returns the memory that encoding takes in addition to the pixels.
    ///
    /// - Parameter bytesPerPixel: the bytes of a pixel in the raster.
    package static func memory(
        for format: ImageEncoding, _ size: PixelSize, bytesPerPixel: Double, isLossless: Bool
    ) -> EncodingMemory {
        PictureCodecs.encoder(for: format)?
            .encodingMemory(size, bytesPerPixel: bytesPerPixel, isLossless: isLossless) ?? EncodingMemory()
    }

    /// Encodes a raster.
    ///
    /// Samples that the format cannot hold become the nearest it can. In JPEG and WebP 16 bits become 8. In JPEG transparent
    /// pixels are put on white.
    ///
    /// - Throws: `PictureFault`, also if the image exceeds the size limits of the format. Its kind is `unsupported` for a format
    ///   that is not among `EncodingRequest.formats`.
    package static func encode(
        _ raster: Raster, as format: ImageEncoding, _ fidelity: Fidelity
    ) throws(PictureFault) -> [UInt8] {
        guard let codec = PictureCodecs.encoder(for: format) else {
            throw PictureFault("jisui cannot encode \(format.name)", kind: .unsupported)
        }
        return try codec.encode(raster, fidelity)
    }
}
