/// A picture that its source holds as the bytes of a picture file.
public struct EncodedPicture: Sendable {
    public var encoding: ImageEncoding
    /// The size the picture's own header states.
    public var size: PixelSize?
    /// The number of bytes, when it is known without reading them.
    public var byteCount: Int?
    /// How the picture has to be laid down to be upright, where its metadata say so; readers may or may not do it.
    public var orientation: Orientation
    /// The pixels of an MCU, when the picture is a JPEG that can be cut and turned without decoding it: a cut can
    /// begin only at a multiple of them.
    public var grid: PixelSize?
    /// Equal for JPEGs of which parts can stand in one file without being decoded; nil when it is no JPEG, or its header
    /// was not read that far.
    public var joinKey: JoinKey?
    /// Whether a note in the JPEG says that jisui merged it of pages; whether that is still true, only its data tell.
    public var saysItWasMerged: Bool
    /// Whether it is known to have no colours.
    public var isGray: Bool
    /// Whether its encoder is known to have lost nothing.
    public var isLossless: Bool
    /// Whether the JPEG can be had from which it was made.
    public var holdsJPEG: Bool
    /// What has to be done to the picture to make it look like the page.
    public var pending: [Edit]
    /// What `read` puts right in the source's bytes without touching the picture data, for the report; nil when
    /// it gives them as they are.
    public var repair: String?
    /// Reads the bytes. Two reads give the same bytes.
    public var read: @Sendable () async throws -> [UInt8]

    /// The size it has when it is laid down upright.
    public var uprightSize: PixelSize? { size.map(orientation.applied) }

    public init(
        encoding: ImageEncoding, size: PixelSize?, byteCount: Int? = nil, orientation: Orientation = .upright,
        grid: PixelSize? = nil, joinKey: JoinKey? = nil, saysItWasMerged: Bool = false, isGray: Bool = false,
        isLossless: Bool = false, holdsJPEG: Bool = false, pending: [Edit] = [], repair: String? = nil,
        read: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.encoding = encoding
        self.size = size
        self.byteCount = byteCount
        self.orientation = orientation
        self.grid = grid
        self.joinKey = joinKey
        self.saysItWasMerged = saysItWasMerged
        self.isGray = isGray
        self.isLossless = isLossless
        self.holdsJPEG = holdsJPEG
        self.pending = pending
        self.repair = repair
        self.read = read
    }
}
