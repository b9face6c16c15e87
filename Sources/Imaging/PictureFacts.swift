public import PageModel

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
