/// How pictures are to be encoded that jisui makes.
public struct EncodingRequest: Hashable, Sendable {
    /// The format; nil to keep each picture's own where that can be written, else PNG.
    public var format: ImageEncoding?
    /// 1 to 100, for formats that lose something; nil for what the source had.
    public var quality: Int?

    public init(format: ImageEncoding? = nil, quality: Int? = nil) {
        self.format = format
        self.quality = quality
    }
}
