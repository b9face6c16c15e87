public import PageModel

/// What the beginning of a file says about the picture in it. The file's name plays no part.
public struct PictureHeader: Hashable, Sendable {
    /// The bytes at a picture's beginning that are normally enough to find its size.
    public static let headCount = 65_536

    public let encoding: ImageEncoding
    /// The size in pixels of the decoded picture.
    ///
    /// An EXIF orientation is not applied; the rotations of HEIF, AVIF and JPEG XL, which are part of the coded picture,
    /// are. nil when the bytes given end before the size, the header is broken, or it does not state a size.
    public let size: PixelSize?
    /// The bits of a pixel's samples when they are decoded; nil where that is not known.
    public let bitsPerPixel: Int?
    /// How the decoded picture has to be turned and mirrored to be upright.
    ///
    /// It comes from the EXIF data of a JPEG, a PNG or a WebP, and from the Orientation tag of a TIFF. It is `upright` when
    /// the bytes given end before it: a WebP has its EXIF data behind the picture. HEIF, AVIF and JPEG XL are always
    /// `upright`, since decoding applies their rotations.
    public let orientation: Orientation
    /// The size in pixels of a minimum coded unit (MCU), if the file is a JPEG that can be cut along MCUs without being
    /// decoded.
    public let grid: PixelSize?
    /// See `EncodedPicture.isRareJPEG`.
    public let isRareJPEG: Bool
    /// See `EncodedPicture.joinKey`.
    public let joinKey: JoinKey?
    /// See `EncodedPicture.saysItWasMerged`.
    public let saysItWasMerged: Bool

    /// The size of the picture when it is upright.
    public var uprightSize: PixelSize? { size.map(orientation.applied) }

    /// Whether the picture is known to be gray; false also where only decoding would tell.
    public let isGray: Bool
    /// Whether the picture is known to have been encoded without loss.
    public let isLossless: Bool

    /// See `EncodedPicture.isCMYK`.
    public let isCMYK: Bool

    /// Whether nothing of importance stands behind the bytes that were given; false where more of them could tell more.
    public let isComplete: Bool

    /// Whether the file is a JPEG XL made from a JPEG that can be restored byte for byte.
    public let holdsJPEG: Bool

    /// - Parameter bytes: the beginning of a file, or all of it.
    /// - Returns: nil when the bytes begin no picture format that jisui knows.
    public init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard let (format, encoding) = PictureFormats.recognise(reader) else { return nil }
        self.encoding = encoding
        size = format.size(in: reader)
        bitsPerPixel = format.bitsPerPixel(in: reader)
        isComplete = size != nil && !(encoding == .webp && WebPFormat.endsBeforeEXIF(reader))
        let jpeg = encoding == .jpeg ? JPEGHeader(bytes) : nil
        orientation = format.exifOrientation(in: reader).flatMap { Orientation(exif: $0) } ?? .upright
        grid = jpeg?.grid
        isRareJPEG = jpeg?.isRare ?? false
        joinKey = jpeg.flatMap { $0.joinKey(profile: $0.iccProfile) }
        saysItWasMerged = jpeg?.saysItWasMerged ?? false
        holdsJPEG = encoding == .jpegXL && JPEGXLFormat.holdsJPEG(reader)
        isGray = jpeg?.components.count == 1 || encoding == .png && PNGFormat.isGray(reader)
        isCMYK = encoding == .tiff && TIFFFormat.isCMYK(reader)
        isLossless =
            switch encoding {
            case .png, .gif, .bmp, .tiff: true
            case .webp: WebPFormat.isLossless(reader)
            case .jpegXL: !holdsJPEG && JPEGXLFormat.keepsSamples(reader)
            case .jpeg2000, .jpeg2000Codestream: JPEG2000Format.isReversible(reader)
            default: false
            }
    }

    /// A picture of a page, described by this header.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the file, if it is known.
    ///   - read: reads the whole file.
    public func picture(byteCount: Int?, read: @escaping @Sendable () async throws -> [UInt8]) -> EncodedPicture {
        var picture = EncodedPicture(
            encoding: encoding, size: size, byteCount: byteCount, bitsPerPixel: bitsPerPixel, orientation: orientation,
            grid: grid,
            joinKey: joinKey, saysItWasMerged: saysItWasMerged, isGray: isGray, isLossless: isLossless,
            holdsJPEG: holdsJPEG,
            read: read)
        picture.isRareJPEG = isRareJPEG
        picture.isCMYK = isCMYK
        return picture
    }
}

/// What decoding a picture file will give: its size, its pixel format, its profile.
///
/// Known from the header of a sound JPEG; other files are decoded to find out.
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
    /// What the samples lose by being decoded: see `DecodedImage.loss`.
    public let loss: String?

    /// - Parameters:
    ///   - file: all bytes of the file.
    ///   - encoding: the format of the file.
    ///   - mostPixels: the most pixels the picture may have, if it has to be decoded.
    /// - Throws: `PictureFault` when the file cannot be decoded.
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
