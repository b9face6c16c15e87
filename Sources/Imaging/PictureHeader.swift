package import PageModel

/// The description of an image at the beginning of a file. The file's name is ignored.
package struct PictureHeader: Hashable, Sendable {
    /// The number of bytes at an image's beginning that are normally enough to find its size.
    package static let headCount = 65_536

    package let encoding: ImageEncoding
    /// The size in pixels of the decoded image.
    ///
    /// An EXIF orientation is not applied. The rotations of HEIF, AVIF and JPEG XL are applied, because they are part of the
    /// coded image. The size is nil if the bytes end before it, the header is invalid, or it does not state a size.
    package let size: PixelSize?
    /// The bits of a pixel's decoded samples; nil if that is not known.
    package let bitsPerPixel: Int?
    /// The rotation and mirroring that make the decoded image upright.
    ///
    /// It comes from the EXIF data of a JPEG, a PNG or a WebP, and from the Orientation tag of a TIFF. It is `upright` if the
    /// bytes end before it: a WebP has its EXIF data after the image. HEIF, AVIF and JPEG XL are always `upright`, because
    /// decoding applies their rotations.
    package let orientation: Orientation
    /// The size in pixels of a minimum coded unit (MCU), if the file is a JPEG that can be cut along MCUs without being decoded.
    package let grid: PixelSize?
    /// See `EncodedPicture.isRareJPEG`.
    package let isRareJPEG: Bool
    /// See `EncodedPicture.isSequentialJPEG`.
    package let isSequentialJPEG: Bool
    /// See `EncodedPicture.joinKey`.
    package let joinKey: JoinKey?
    /// See `EncodedPicture.hasMergeMark`.
    package let hasMergeMark: Bool

    /// The size of the image when it is upright.
    package var uprightSize: PixelSize? { size.map(orientation.applied) }

    /// Whether the image is known to be gray; false also if only decoding would show that.
    package let isGray: Bool
    /// Whether the image is known to have been encoded without loss.
    package let isLossless: Bool

    /// See `EncodedPicture.isCMYK`.
    package let isCMYK: Bool

    /// Whether nothing important follows the bytes given; false if more bytes could give more properties.
    package let isComplete: Bool

    /// Whether the file is a JPEG XL made from a JPEG that can be restored byte for byte.
    package let holdsJPEG: Bool

    /// - Parameter bytes: the beginning of a file, or all of it.
    /// - Returns: nil if the bytes do not begin a known image format.
    package init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard let (codec, encoding) = PictureCodecs.recognize(reader) else { return nil }
        self.encoding = encoding
        size = codec.size(in: reader)
        bitsPerPixel = codec.bitsPerPixel(in: reader)
        isComplete = size != nil && !codec.endsBeforeEXIF(reader)
        let jpeg = encoding == .jpeg ? JPEGHeader(bytes) : nil
        orientation = codec.exifOrientation(in: reader).flatMap { Orientation(exif: $0) } ?? .upright
        grid = jpeg?.grid
        isRareJPEG = jpeg?.isRare ?? false
        isSequentialJPEG = jpeg?.isSequential ?? false
        joinKey = jpeg.flatMap { $0.joinKey(profile: $0.iccProfile) }
        hasMergeMark = jpeg?.hasMergeMark ?? false
        holdsJPEG = codec.holdsJPEG(reader)
        isGray = jpeg?.components.count == 1 || codec.isGray(reader)
        isCMYK = codec.isCMYK(reader)
        isLossless = codec.isLossless(reader)
    }

    /// Returns an image of a page, described by this header.
    ///
    /// - Parameters:
    ///   - byteCount: the file's size, if known.
    ///   - read: reads the whole file.
    package func picture(byteCount: Int?, read: @escaping @Sendable () async throws -> [UInt8]) -> EncodedPicture {
        var picture = EncodedPicture(
            encoding: encoding, size: size, byteCount: byteCount, bitsPerPixel: bitsPerPixel, orientation: orientation,
            grid: grid,
            joinKey: joinKey, hasMergeMark: hasMergeMark, isGray: isGray, isLossless: isLossless,
            holdsJPEG: holdsJPEG,
            read: read)
        picture.isRareJPEG = isRareJPEG
        picture.isSequentialJPEG = isSequentialJPEG
        picture.isCMYK = isCMYK
        return picture
    }
}

/// The properties of the result of decoding an image file: its size, its pixel format, its profile.
///
/// They are known from the header of a valid JPEG; other files are decoded to find them.
package struct PictureFacts: Sendable {
    /// The size of the image as stored.
    package let size: PixelSize
    /// The pixel format of the decoded image.
    package let format: PixelFormat
    package let orientation: Orientation
    package let iccProfile: [UInt8]?
    package let resolution: Resolution?
    /// Whether it can be decoded row by row, in memory that does not grow with its height.
    package let isSequential: Bool
    /// The loss of samples by decoding: see `DecodedImage.loss`.
    package let loss: Message?

    /// Reads a JPEG's header, or decodes the image. A decoded image may have at most `maximumPixels`.
    ///
    /// - Parameter file: all bytes of the file.
    /// - Throws: `PictureFault` if the file cannot be decoded.
    package init(_ file: [UInt8], _ encoding: ImageEncoding, maximumPixels: Int) throws(PictureFault) {
        if encoding == .jpeg, let header = JPEGHeader(file), let size = header.size, header.grid != nil,
            // Only decoding shows whether damaged data contain an image.
            [1, 3].contains(header.components.count), PictureCheck.defect(in: file, encoding) == nil
        {
            self.size = size
            format = header.components.count == 1 ? .gray(bits: 8) : .rgb(bits: 8)
            orientation = header.exifOrientation.flatMap { Orientation(exif: $0) } ?? .upright
            iccProfile = header.iccProfile
            resolution = header.resolution
            loss = nil
            isSequential = header.isSequential
            return
        }
        let drawing = try PictureDecoder.decode(file, encoding, maximumPixels: maximumPixels)
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
