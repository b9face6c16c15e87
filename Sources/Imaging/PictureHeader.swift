public import PageModel

/// What the beginning of a file says about the picture in it. The file's name plays no part.
public struct PictureHeader: Hashable, Sendable {
    /// The bytes at a picture's beginning that are normally enough to find its size.
    public static let headCount = 65_536

    public let encoding: ImageEncoding
    /// The size that decoders give: an EXIF orientation is not applied, but the turns of HEIF, AVIF and JPEG XL, which
    /// belong to their coding, are.
    ///
    /// nil when the header reaches further than the bytes given, is broken, or leaves the size open.
    public let size: PixelSize?
    /// How the picture has to be laid down to be upright, as EXIF data say in a JPEG, a PNG or a WebP, and a TIFF by
    /// itself.
    ///
    /// As far as the bytes given reach: a WebP has its EXIF data behind the picture. HEIF, AVIF and JPEG XL are always
    /// `upright`, since decoders have applied their turns.
    public let orientation: Orientation
    /// The pixels of an MCU, when it is a JPEG that can be cut along them without being decoded.
    public let grid: PixelSize?
    /// See `EncodedPicture.joinKey`.
    public let joinKey: JoinKey?
    /// See `EncodedPicture.saysItWasMerged`.
    public let saysItWasMerged: Bool

    /// The size it has when it is laid down upright.
    public var uprightSize: PixelSize? { size.map(orientation.applied) }

    /// Whether it is known to have no colours.
    public let isGray: Bool
    /// Whether it is known to have lost nothing when it was encoded.
    public let isLossless: Bool

    /// Whether it is a JPEG XL that the JPEG can be had from which it was made.
    public let holdsJPEG: Bool

    /// - Parameter bytes: the beginning of a file, or all of it.
    /// - Returns: nil when it is no picture jisui knows.
    public init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard let (format, encoding) = PictureFormats.recognise(reader) else { return nil }
        self.encoding = encoding
        size = format.size(in: reader)
        let jpeg = encoding == .jpeg ? JPEGHeader(bytes) : nil
        orientation = format.exifOrientation(in: reader).flatMap { Orientation(exif: $0) } ?? .upright
        grid = jpeg?.grid
        joinKey = jpeg.flatMap { $0.joinKey(profile: $0.iccProfile) }
        saysItWasMerged = jpeg?.saysItWasMerged ?? false
        holdsJPEG = encoding == .jpegXL && JPEGXLFormat.holdsJPEG(reader)
        isGray = jpeg?.components.count == 1
        isLossless =
            [.png, .gif, .bmp, .tiff].contains(encoding) || encoding == .webp && WebPFormat.isLossless(reader)
    }

    /// The picture file that begins like this.
    ///
    /// - Parameter read: reads all of it.
    public func picture(byteCount: Int?, read: @escaping @Sendable () async throws -> [UInt8]) -> EncodedPicture {
        EncodedPicture(
            encoding: encoding, size: size, byteCount: byteCount, orientation: orientation, grid: grid,
            joinKey: joinKey, saysItWasMerged: saysItWasMerged, isGray: isGray, isLossless: isLossless,
            holdsJPEG: holdsJPEG,
            read: read)
    }
}

/// What has to be known of a picture file before a place is made for its pixels.
public struct PictureFacts: Sendable {
    /// The size as the picture is stored.
    public let size: PixelSize
    /// The format that decoding it gives.
    public let format: PixelFormat
    public let orientation: Orientation
    public let iccProfile: [UInt8]?
    public let resolution: Resolution?
    /// Whether it can be decoded row by row, in memory that does not grow with its height.
    public let isSequential: Bool
    /// What its samples lose when they are decoded: see `DecodedImage.loss`.
    public let loss: String?

    /// - Parameter mostPixels: how many pixels a picture may have that must be decoded to be known.
    /// - Throws: `PictureFault` when it is no picture that can be decoded.
    public init(_ file: [UInt8], _ encoding: ImageEncoding, mostPixels: Int) throws(PictureFault) {
        if encoding == .jpeg, let header = JPEGHeader(file), let size = header.size, header.grid != nil,
            // Of damaged data only decoding tells whether there is a picture in it.
            [1, 3].contains(header.components.count), PictureCheck.defect(in: file, encoding) == nil
        {
            self.size = size
            format = header.components.count == 1 ? .gray(bits: 8) : .rgb(bits: 8)
            orientation = header.exifOrientation.flatMap { Orientation(exif: $0) } ?? .upright
            iccProfile = header.iccProfile
            resolution = header.resolution
            loss = nil
            isSequential = [.baseline, .extended, .arithmeticSequential].contains(header.frame)
            return
        }
        let drawing = try PictureDecoder.decode(file, encoding, mostPixels: mostPixels)
        let raster = drawing.raster
        loss = drawing.loss
        size = raster.size
        format = raster.format
        orientation = PictureHeader(file)?.orientation ?? .upright
        iccProfile = raster.iccProfile
        resolution = raster.resolution
        isSequential = false
    }
}
