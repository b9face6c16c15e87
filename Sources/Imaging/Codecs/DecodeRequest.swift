public import PageModel

/// What is asked of a decoder, as data that can be sent to another process.
public struct DecodeRequest: Hashable, Codable, Sendable {
    public var encoding: ImageEncoding
    /// The most pixels the picture may have; a larger one is refused before memory is taken.
    public var mostPixels: Int
    /// How the picture becomes gray; nil to keep its samples as they are.
    public var shade: Shade?
    /// By how much a gray picture is reduced each way: 1, 2, 4 or 8.
    public var reduction: Int

    public init(_ encoding: ImageEncoding, mostPixels: Int, shade: Shade? = nil, reduction: Int = 1) {
        self.encoding = encoding
        self.mostPixels = mostPixels
        self.shade = shade
        self.reduction = reduction
    }
}

extension PictureDecoder {
    /// The picture that a file holds, whole or as a gray preview.
    ///
    /// A gray preview of a JPEG costs a fraction of decoding it. The resolution is always that of the whole picture.
    ///
    /// - Throws: `PictureFault` when the picture cannot be decoded.
    public static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        guard let shade = request.shade else {
            return try decode(file, request.encoding, mostPixels: request.mostPixels)
        }
        if request.encoding == .jpeg {
            return try jpegPreview(file, shade, request.reduction)
        }
        var image = try decode(file, request.encoding, mostPixels: request.mostPixels)
        let resolution = image.raster.resolution
        image.raster = image.raster.reducedToGray(by: request.reduction, shade)
        image.raster.resolution = resolution
        return image
    }

    private static func jpegPreview(
        _ file: [UInt8], _ shade: Shade, _ reduction: Int
    ) throws(PictureFault) -> DecodedImage {
        let reader = try JPEGReader(file, scale: reduction, asGray: shade == .brightness)
        var raster = Raster(
            size: reader.size, format: reader.format, samples: try reader.read(rows: reader.size.height))
        if raster.format != .gray(bits: 8) { raster = raster.reducedToGray(by: 1, shade) }
        raster.resolution = JPEGHeader(file)?.resolution
        return DecodedImage(raster: raster, diagnostics: reader.diagnostic.map { [$0] } ?? [])
    }
}
