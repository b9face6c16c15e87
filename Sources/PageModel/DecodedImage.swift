/// What a source drew or decompressed, and what went wrong while it did.
public struct DecodedImage: Sendable {
    public var raster: Raster
    /// Faults that were met and passed over: the picture may lack something.
    public var diagnostics: [String]
    /// What its samples lost on the way into the raster, which cannot hold them as they are stored; a half sentence
    /// like "CMYK made RGB". Nil when they are those of the file.
    public var loss: String?

    public init(raster: Raster, diagnostics: [String] = [], loss: String? = nil) {
        self.raster = raster
        self.diagnostics = diagnostics
        self.loss = loss
    }
}
