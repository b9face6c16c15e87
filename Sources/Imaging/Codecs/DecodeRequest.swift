public import PageModel

/// What is asked of a decoder, as data that can be sent to another process.
public struct DecodeRequest: Hashable, Sendable {
    public var encoding: ImageEncoding
    /// The directory of a TIFF, counted from 0; other files have only the first.
    public var directory: Int
    /// The most pixels the picture may have; a larger one is refused before memory is taken.
    public var mostPixels: Int
    /// How the picture becomes gray; nil to keep its samples as they are.
    public var shade: Shade?
    /// By how much a gray picture is reduced each way: 1, 2, 4 or 8.
    public var reduction: Int
    /// Whether a JPEG 2000 is refused, as `unsupported`, whose samples a PNG cannot hold exactly: those of other depths than 8
    /// and 16 bits, subsampled or signed components, alpha, a palette, CMYK or a colour space besides gray and sRGB.
    public var isExact: Bool
    /// Whether a TIFF of CMYK gives its own samples, in the place of red, green, blue and alpha (`InkPicture`), and other
    /// pictures are refused, as `unsupported`.
    public var keepsInks = false

    public init(
        _ encoding: ImageEncoding, directory: Int = 0, mostPixels: Int, shade: Shade? = nil, reduction: Int = 1,
        isExact: Bool = false
    ) {
        self.encoding = encoding
        self.directory = directory
        self.mostPixels = mostPixels
        self.shade = shade
        self.reduction = reduction
        self.isExact = isExact
    }
}

extension PictureDecoder {
    /// The picture that a file holds, whole or as a gray preview, by whoever decodes pictures for this task.
    ///
    /// Bit depth, palette, alpha and profile of a whole picture are kept.
    /// Of a file with several pictures the first is decoded; of an animation the first frame, as it appears on its
    /// canvas. An EXIF orientation is not applied (`PictureHeader.orientation` tells it); the rotations and mirrors of
    /// HEIF, AVIF and JPEG XL, which are part of the coded picture, are.
    /// A gray preview of a JPEG costs a fraction of decoding it. The resolution is always that of the whole picture.
    ///
    /// - Throws: `PictureFault` when the picture cannot be decoded, or most of it is lost; of the kind `unsupported` for
    ///   formats that jisui does not know. Damage that leaves most of the picture is told in the decoded image's
    ///   diagnostics instead.
    public static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        if let host, host.takes(request.encoding) { return try host.decode(file, request) }
        guard let shade = request.shade else { return try whole(file, request) }
        if request.encoding == .jpeg {
            return try jpegPreview(file, shade, request.reduction)
        }
        var image = try whole(file, request)
        let resolution = image.raster.resolution
        image.raster = image.raster.reducedToGray(by: request.reduction, shade)
        image.raster.resolution = resolution
        return image
    }

    /// The whole picture, decoded as `DecodeRequest` has it; the file is `file`.
    public static func decode(
        _ file: [UInt8], _ encoding: ImageEncoding, directory: Int = 0, mostPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        try decode(file, DecodeRequest(encoding, directory: directory, mostPixels: mostPixels))
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
