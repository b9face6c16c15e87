public import PageModel

/// The decoder for image files of every format that jisui recognizes.
public enum PictureDecoder {
    /// Decodes a full image in this process.
    static func whole(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        let (encoding, directory, maximumPixels) = (request.encoding, request.directory, request.maximumPixels)
        guard directory == 0 || encoding == .tiff else {
            throw PictureFault("the \(encoding.name) has no image \(directory + 1)")
        }
        return switch encoding {
        case .jpeg: try JPEGDecoder.decode(file, maximumPixels: maximumPixels)
        case .png: try PNGDecoder.decode(file, maximumPixels: maximumPixels)
        case .gif: try GIFDecoder.decode(file, maximumPixels: maximumPixels)
        case .webp: try WebPDecoder.decode(file, maximumPixels: maximumPixels)
        case .tiff:
            try TIFFDecoder.decode(
                file, directory: directory, maximumPixels: maximumPixels, keepsInks: request.keepsInks)
        case .bmp: try BMPDecoder.decode(file, maximumPixels: maximumPixels)
        case .avif, .heif: try HEIFDecoder.decode(file, encoding, maximumPixels: maximumPixels)
        case .jpegXL: try JPEGXLDecoder.decode(file, maximumPixels: maximumPixels)
        case .jpeg2000, .jpeg2000Codestream:
            try JPEG2000Decoder.decode(file, encoding, maximumPixels: maximumPixels, isExact: request.isExact)
        default: throw PictureFault("jisui cannot decode \(encoding.name)", kind: .unsupported)
        }
    }
}

/// The encoder for rasters in any format that jisui writes.
public enum PictureEncoder {
    /// The degree to which samples are preserved.
    public enum Fidelity: Hashable, Sendable {
        /// Every sample stays as it is.
        case lossless
        /// A quality from 1 to 100 on the scale of libjpeg.
        case quality(Int)
        /// The quantization of another JPEG, so that re-encoding it loses little.
        case like(JPEGTables)
    }

    /// The formats that can be encoded.
    public static let formats: [ImageEncoding] = [.jpeg, .png, .webp, .jpegXL, .tiff]

    /// Returns the maximum number of pixels of an image's side in a format.
    public static func maximumPixelsPerSide(_ format: ImageEncoding) -> Int {
        switch format {
        case .jpeg: JPEGWriter.maximumPixelsPerSide
        case .webp: WebPEncoder.maximumPixelsPerSide
        default: .max
        }
    }

    /// Returns the loss of samples that a format cannot hold, even if it is lossless; a sentence fragment, or nil for no loss.
    public static func loss(of format: PixelFormat, in encoding: ImageEncoding) -> Message? {
        encoding == .webp && format.bitsPerSample == 16 ? "converted to 8 bits per sample" : nil
    }

    /// Encodes a raster.
    ///
    /// Samples that the format cannot hold become the nearest it can. In JPEG and WebP 16 bits become 8. In JPEG transparent
    /// pixels are put on white.
    ///
    /// - Throws: `PictureFault`, also if the image exceeds the size limits of the format. Its kind is `unsupported` for a format
    ///   that is not among `formats`.
    public static func encode(
        _ raster: Raster, as format: ImageEncoding, _ fidelity: Fidelity
    ) throws(PictureFault) -> [UInt8] {
        switch format {
        case .jpeg: return try jpeg(raster, fidelity)
        case .webp:
            let narrow = raster.narrowed()
            let wide: PixelFormat = raster.format.hasAlpha ? .rgba(bits: 8) : .rgb(bits: 8)
            return try WebPEncoder.encode(narrow.widened(to: wide), quality: quality(fidelity))
        case .jpegXL: return try JXLEncoder.encode(raster, quality: quality(fidelity))
        case .tiff: return try TIFFEncoder.encode(raster)
        case .png: return PNGWriter.encode(raster)
        default: throw PictureFault("jisui cannot encode \(format.name)", kind: .unsupported)
        }
    }

    private static func jpeg(_ raster: Raster, _ fidelity: Fidelity) throws(PictureFault) -> [UInt8] {
        let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
        let plain = opaque.narrowed().widened(to: opaque.format.hasColor ? .rgb(bits: 8) : .gray(bits: 8))
        let kept: JPEGWriter.Fidelity =
            switch fidelity {
            case .lossless: throw PictureFault("a JPEG cannot keep every sample")
            case .quality(let quality): .quality(quality)
            case .like(let tables): .like(tables)
            }
        let writer = try JPEGWriter(
            size: plain.size, format: plain.format, fidelity: kept, resolution: plain.resolution,
            iccProfile: plain.iccProfile)
        try writer.write(plain.samples)
        return try writer.finish()
    }

    private static func quality(_ fidelity: Fidelity) -> Int? {
        switch fidelity {
        case .lossless: nil
        case .quality(let quality): quality
        case .like(let tables): tables.estimatedQuality
        }
    }
}
