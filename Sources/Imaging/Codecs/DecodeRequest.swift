public import PageModel

/// A request to a decoder, as data that can be sent to another process.
public struct DecodeRequest: Hashable, Sendable {
    public var encoding: ImageEncoding
    /// The directory of a TIFF, counted from 0; other files have only the first.
    public var directory: Int
    /// The most pixels the image may have; a larger one is refused before memory is allocated.
    public var maximumPixels: Int
    /// The conversion to gray; nil to keep the samples as they are.
    public var shade: Shade?
    /// The factor by which a gray image is reduced in each direction: 1, 2, 4 or 8.
    public var reduction: Int
    /// Whether to refuse a JPEG 2000, as `unsupported`, if a PNG cannot hold its samples exactly.
    ///
    /// Such samples have other depths than 8 and 16 bits, subsampled or signed components, alpha or a palette. CMYK and color
    /// spaces other than gray and sRGB are refused, too.
    public var isExact: Bool
    /// Whether a CMYK TIFF returns its own samples in place of red, green, blue and alpha (`InkPicture`).
    ///
    /// Other images are then refused, as `unsupported`.
    public var keepsInks = false

    public init(
        _ encoding: ImageEncoding, directory: Int = 0, maximumPixels: Int, shade: Shade? = nil, reduction: Int = 1,
        isExact: Bool = false
    ) {
        self.encoding = encoding
        self.directory = directory
        self.maximumPixels = maximumPixels
        self.shade = shade
        self.reduction = reduction
        self.isExact = isExact
    }
}

extension PictureDecoder {
    /// Returns the image in a file, in full or as a gray preview, from the process that decodes images for this task.
    ///
    /// A full image keeps its bit depth, palette, alpha and profile. If a file has several images, the first is decoded; if it is
    /// an animation, the first frame on its canvas. An EXIF orientation is not applied (`PictureHeader.orientation` contains it).
    /// The rotations and mirrors of HEIF, AVIF and JPEG XL are applied, because they are part of the coded image. A gray preview
    /// of a JPEG costs a fraction of decoding it. The resolution is always that of the full image.
    ///
    /// - Throws: `PictureFault` if the image cannot be decoded, or most of it is lost. Its kind is `unsupported` for formats that
    ///   jisui does not know. Damage that leaves most of the image intact is reported in the decoded image's diagnostics instead.
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

    /// Decodes the full image in `file` according to the `DecodeRequest`.
    public static func decode(
        _ file: [UInt8], _ encoding: ImageEncoding, directory: Int = 0, maximumPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        try decode(file, DecodeRequest(encoding, directory: directory, maximumPixels: maximumPixels))
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
