/// A picture that its source holds as samples: every pixel can be had exactly, but not as a picture file.
public struct SampledPicture: Sendable {
    /// The compression the source uses, for the report: "CCITT G4", "Flate", "JBIG2".
    public var compression: String
    public var size: PixelSize
    /// What the samples mean, where that is known before they are read.
    public var format: PixelFormat?
    /// What has to be done to the samples to make them look like the page.
    public var pending: [Edit]
    /// Decompresses the samples.
    public var read: @Sendable () async throws -> DecodedImage

    public init(
        compression: String, size: PixelSize, format: PixelFormat?, pending: [Edit] = [],
        read: @escaping @Sendable () async throws -> DecodedImage
    ) {
        self.compression = compression
        self.size = size
        self.format = format
        self.pending = pending
        self.read = read
    }
}
