/// A picture that its source holds as the bytes of a picture file.
public struct EncodedPicture: Sendable {
    public var encoding: ImageEncoding
    /// The size the picture's own header states.
    public var size: PixelSize?
    /// The number of bytes, when it is known without reading them.
    public var byteCount: Int?
    /// What has to be done to the picture to make it look like the page.
    public var pending: [Edit]
    /// What `read` puts right in the source's bytes without touching the picture data, for the report; nil when
    /// it gives them as they are.
    public var repair: String?
    /// Reads the bytes. Two reads give the same bytes.
    public var read: @Sendable () async throws -> [UInt8]

    public init(
        encoding: ImageEncoding, size: PixelSize?, byteCount: Int? = nil, pending: [Edit] = [],
        repair: String? = nil, read: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.encoding = encoding
        self.size = size
        self.byteCount = byteCount
        self.pending = pending
        self.repair = repair
        self.read = read
    }
}
