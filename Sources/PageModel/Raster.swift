/// A picture as plain samples in memory.
public struct Raster: Hashable, Sendable {
    public let size: PixelSize
    public let format: PixelFormat
    /// The rows from the top down, each `bytesPerRow` long; padding bits at a row's end mean nothing.
    public let samples: [UInt8]
    /// Pixels per inch across and down, where the source knows.
    public var resolution: Resolution?
    /// The ICC profile that gives the samples their colours.
    public var iccProfile: [UInt8]?

    /// - Precondition: `samples` holds exactly `height` rows of `bytesPerRow` bytes.
    public init(
        size: PixelSize, format: PixelFormat, samples: [UInt8], resolution: Resolution? = nil,
        iccProfile: [UInt8]? = nil
    ) {
        precondition(samples.count == Raster.bytesPerRow(width: size.width, format: format) * size.height)
        self.size = size
        self.format = format
        self.samples = samples
        self.resolution = resolution
        self.iccProfile = iccProfile
    }

    public var bytesPerRow: Int {
        Raster.bytesPerRow(width: size.width, format: format)
    }

    /// The bytes one row of `width` pixels takes.
    public static func bytesPerRow(width: Int, format: PixelFormat) -> Int {
        (width * format.bitsPerPixel + 7) / 8
    }
}
